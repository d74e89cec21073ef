#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The variables of the process's environment.
enum ProcessEnvironment {
  /// A variable; nil if it isn't set or empty.
  static subscript(name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

  static var variables: [String: String] { ProcessInfo.processInfo.environment }
}
