#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The variables of the process's environment.
enum ProcessEnvironment {
  /// A variable; nil if it isn't set or empty.
  static subscript(name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
