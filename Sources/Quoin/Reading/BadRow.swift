/// One row of an imported file that is not a quote, and why.
public struct BadRow: Hashable, Sendable, CustomStringConvertible {
  /// Where in a file a row stands, counted from 1.
  public enum Position: Hashable, Sendable, CustomStringConvertible {
    /// A line of a CSV or NDJSON file.
    case line(Int)
    /// An element of a JSON document's `data`.
    case row(Int)

    /// The line's or element's number, counted from 1.
    public var number: Int {
      switch self {
      case .line(let number), .row(let number): number
      }
    }

    /// The position with so many more before it.
    func moved(by count: Int) -> Position {
      switch self {
      case .line(let number): .line(number + count)
      case .row(let number): .row(number + count)
      }
    }

    /// `line 17`, `row 17`.
    public var description: String {
      switch self {
      case .line(let number): "line \(number)"
      case .row(let number): "row \(number)"
      }
    }
  }

  /// The path of the file, or `standard input`.
  public let file: String
  /// Where in the file the row stands.
  public let position: Position
  /// The column's name in the file, or nil when the row as a whole is bad.
  public let column: String?
  /// The cell's (or the row's) first 40 bytes, with `?` for what a terminal should not be sent.
  public let value: String
  /// What is wrong: `not a number`.
  public let reason: String

  /// The row in one line: `prices.csv, line 17, column close, '$1419.85': not a number`.
  public var description: String {
    "\(file), \(position)\(column.map { ", column \($0)" } ?? ""), '\(value)': \(reason)"
  }
}

/// The bad rows of an import: how many there are, and the first ones of the files in order.
public struct BadRows: Hashable, Sendable, CustomStringConvertible {
  /// The first rows by file and line, at most `Limits.reportedBadRowCount`, however the import came upon them.
  public private(set) var first: [BadRow] = []
  /// All bad rows, named in `first` or not.
  public private(set) var count = 0

  /// The rows of earlier files, which later ones no longer move.
  private var settledCount = 0

  init() {}

  /// Whether no row was bad.
  public var isEmpty: Bool { count == 0 }

  /// From now on rows come from the next file.
  mutating func beginFile() { settledCount = first.count }

  /// Counts a row of the current file, and keeps it when it is among the first.
  mutating func insert(_ row: BadRow) {
    count += 1
    var index = first.count
    while index > settledCount, first[index - 1].position.number > row.position.number { index -= 1 }
    guard index < Limits.reportedBadRowCount else { return }
    first.insert(row, at: index)
    if first.count > Limits.reportedBadRowCount { first.removeLast() }
  }

  /// Counts rows that no longer can be among the first.
  mutating func insertUnnamed(_ unnamedCount: Int) { count += unnamedCount }

  /// The first rows, one a line, and how many more there are.
  public var description: String {
    var lines = first.map(\.description)
    if count > first.count { lines.append("and \(count - first.count) more") }
    return lines.joined(separator: "\n")
  }
}

/// Text from a file in a form that is safe to show.
enum ShownText {
  static let byteCount = 40

  /// The text's first bytes, with `?` for control and formatting characters.
  static func sanitized(_ bytes: some Sequence<UInt8>, byteCount: Int = Self.byteCount) -> String {
    var shown = ""
    for scalar in String(decoding: Array(bytes.prefix(byteCount)), as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: shown.unicodeScalars.append("?")
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
