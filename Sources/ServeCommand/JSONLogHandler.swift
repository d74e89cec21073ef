import Console
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes each event as one JSON object on a line of standard error: `time`, `level`, `message`, and the event's metadata.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
    var members: [String: Value] = [:]
    for (name, value) in all { members[name] = Self.numbers.contains(name) ? Value("\(value)") : .text("\(value)") }
    members["time"] = .text(Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    members["level"] = .text(event.level.rawValue)
    members["message"] = .text("\(event.message)")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(members) else { return }
    StandardStreams.writeError(String(decoding: line, as: UTF8.self) + "\n")
  }

  /// The metadata that are numbers.
  private static let numbers: Set = ["bytes", "ms", "status"]

  /// A text, or the number that it is.
  private enum Value: Encodable {
    case text(String)
    case number(Double)

    init(_ text: String) { self = Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }
}
