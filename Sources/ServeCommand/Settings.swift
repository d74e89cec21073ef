import Configuration
import Console
import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The server's settings: of each the option of the command line, else the variable of the environment, else the value in the
/// file.
struct Settings {
  /// The settings' names, as options, in the file, and in the environment: `token-file` is `QUOIN_TOKEN_FILE` there.
  static let names = [
    "host", "port", "tls-cert", "tls-key", "token-file", "allow-host", "public-url", "behind-proxy", "allow-origin",
    "allow-import", "spool-directory", "spool-megabytes", "question-seconds", "question-megabytes", "log-level",
    "log-format", "store",
  ]

  /// A place where settings are, and how messages name one of them there.
  private struct Source {
    let provider: any ConfigProvider
    let name: (_ setting: String) -> String
  }

  private let sources: [Source]

  /// - Parameter file: the path of the file, if there is one.
  init(file: String?) throws {
    // A variable without a value counts as absent.
    let variables = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
    let environment = EnvironmentVariablesProvider(environmentVariables: variables).prefixKeys(with: "quoin")
    var sources = [
      Source(provider: environment) { "the environment's QUOIN_\($0.uppercased().replacing("-", with: "_"))" }
    ]
    if let file {
      sources.append(Source(provider: try SettingsFile(file).provider) { "'\(file)': \"\($0)\"" })
    }
    self.sources = sources
  }

  func text(_ name: String, _ option: String?) throws -> String? {
    try value(name, option, .string, "a text") { if case .string(let text) = $0, !text.isEmpty { text } else { nil } }
  }

  func number(_ name: String, _ option: Int?, in range: ClosedRange<Int>) throws -> Int? {
    if let option, !range.contains(option) {
      throw UsageError("--\(name) \(option): write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return try value(name, option, .int, "a number from \(range.lowerBound) to \(range.upperBound)") {
      if case .int(let number) = $0, range.contains(number) { number } else { nil }
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, _ option: Choice?) throws -> Choice? {
    try value(name, option, .string, Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
      if case .string(let text) = $0 { Choice(rawValue: text) } else { nil }
    }
  }

  func flag(_ name: String, _ option: Bool) throws -> Bool {
    try value(name, option ? true : nil, .bool, "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
      ?? false
  }

  func texts(_ name: String, _ option: [String]) throws -> [String] {
    try value(name, option.isEmpty ? nil : option, .stringArray, "a list of texts") {
      if case .stringArray(let texts) = $0 { texts } else { nil }
    } ?? []
  }

  /// The option, or the first source's value.
  private func value<Value>(
    _ name: String, _ option: Value?, _ type: ConfigType, _ wanted: String, _ read: (ConfigContent) -> Value?
  ) throws -> Value? {
    if let option { return option }
    for source in sources {
      let found = Result { try source.provider.value(forKey: AbsoluteConfigKey([name]), type: type).value }
      guard case .success(let value) = found else { throw UsageError("\(source.name(name)): write \(wanted)") }
      guard let value else { continue }
      guard let value = read(value.content) else { throw UsageError("\(source.name(name)): write \(wanted)") }
      return value
    }
    return nil
  }
}
