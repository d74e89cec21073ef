import Configuration
import Console
import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file of settings: a JSON object such as `{"port": 9000, "allow-host": ["quotes.example"]}`.
struct SettingsFile {
  let provider: InMemoryProvider

  private static let byteCountMax = 1 << 20

  init(_ path: String) throws {
    let bytes: [UInt8]
    guard System.isRegularFile(path) || !FileManager.default.fileExists(atPath: path) else {
      throw DataError("'\(path)' isn't a regular file; write the settings into one")
    }
    do throws(SystemError) { bytes = try System.beginning(of: path, Self.byteCountMax) } catch {
      throw DataError("'\(path)' can't be read: \(systemMessage(error.code))")
    }
    let settings: [String: Value]
    do { settings = try JSONDecoder().decode([String: Value].self, from: Data(bytes)) } catch {
      throw UsageError(#"'\#(path)' isn't a JSON object of settings, such as {"port": 9000}"#)
    }
    for name in settings.keys.sorted() where !Settings.names.contains(name) {
      throw UsageError.unknownName(name, what: "setting in '\(path)' called", among: Settings.names)
    }
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let content = value.content else {
        throw UsageError("'\(path)': \"\(name)\": write a text, a whole number, true, false, or a list of texts")
      }
      values[AbsoluteConfigKey([name])] = ConfigValue(content, isSecret: false)
    }
    provider = InMemoryProvider(name: path, values: values)
  }

  private struct Value: Decodable {
    /// Nil for what no setting is.
    let content: ConfigContent?

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let flag = try? value.decode(Bool.self) {
        content = .bool(flag)
      } else if let number = try? value.decode(Int.self) {
        content = .int(number)
      } else if let texts = try? value.decode([String].self) {
        content = .stringArray(texts)
      } else {
        content = (try? value.decode(String.self)).map { .string($0) }
      }
    }
  }
}
