/// The form of the names of files that says where the ticker is: `{ticker}-{year}`.
public struct FileNamePattern: Hashable, Sendable, CustomStringConvertible {
  private enum Part: Hashable, Sendable {
    case ticker
    case text(String)
    /// Any characters, or as many digits.
    case other(digits: Int?)
  }

  private let parts: [Part]
  /// The pattern as it was written.
  public let description: String

  /// A pattern with `{ticker}` once. `{year}` stands for four digits, `{date}` for eight, and any other word in braces, as well as
  /// `*`, for any characters. Nil if it isn't one.
  public init?(_ pattern: String) {
    var parts: [Part] = []
    var rest = pattern[...]
    while let first = rest.popFirst() {
      switch first {
      case "*": parts.append(.other(digits: nil))
      case "{":
        guard let end = rest.firstIndex(of: "}") else { return nil }
        switch rest[..<end] {
        case "ticker": parts.append(.ticker)
        case "year": parts.append(.other(digits: 4))
        case "date": parts.append(.other(digits: 8))
        default: parts.append(.other(digits: nil))
        }
        rest = rest[rest.index(after: end)...]
      default: parts.append(.text(String(first)))
      }
    }
    guard parts.count(where: { $0 == .ticker }) == 1 else { return nil }
    (self.parts, description) = (parts, pattern)
  }

  /// The ticker's part of a path's file name, without its extensions; nil if it has another form.
  func ticker(in path: String) -> String? {
    Self.match(parts[...], Self.withoutExtension(Self.unpackedName(of: path))[...])
  }

  /// The ticker of the shortest match; empty if the parts have none.
  private static func match(_ parts: ArraySlice<Part>, _ text: Substring) -> String? {
    guard let part = parts.first else { return text.isEmpty ? "" : nil }
    let rest = parts.dropFirst()
    switch part {
    case .text(let word):
      return text.lowercased().hasPrefix(word.lowercased()) ? match(rest, text.dropFirst(word.count)) : nil
    case .other(let digits?):
      let number = text.prefix(digits)
      guard number.count == digits, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      return match(rest, text.dropFirst(digits))
    case .ticker, .other(nil):
      for count in 1...max(1, text.count) where count <= text.count {
        if let found = match(rest, text.dropFirst(count)) {
          return part == .ticker ? String(text.prefix(count)) : found
        }
      }
      return nil
    }
  }

  /// A path's last name, without the extension of an archive.
  static func unpackedName(of path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for suffix in [".gz", ".zip"] where name.lowercased().hasSuffix(suffix) { name.removeLast(suffix.count) }
    return name
  }

  static let extensions = [".csv", ".tsv", ".txt", ".json", ".ndjson", ".jsonl"]

  /// Whether a file is called like a text of quotes, or an archive of one.
  static func hasExtension(_ name: String) -> Bool {
    let unpacked = unpackedName(of: name)
    return withoutExtension(unpacked) != unpacked || unpacked != name
  }

  static func withoutExtension(_ name: String) -> String {
    extensions.first { name.lowercased().hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
  }
}
