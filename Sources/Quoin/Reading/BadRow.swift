/// One row of an imported file that is not a quote, and why.
public struct BadRow: Hashable, Sendable, CustomStringConvertible {
  /// The place of a row in its file, counted from 1.
  public enum Position: Hashable, Sendable, CustomStringConvertible {
    /// A line of a CSV or NDJSON file.
    case line(Int)
    /// An element of a JSON document's `data`.
    case row(Int)

    /// The number of the line or row.
    public var number: Int {
      switch self {
      case .line(let number), .row(let number): number
      }
    }

    /// The position after `count` more lines or rows.
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
  /// The row's place in the file.
  public let position: Position
  /// The column's name in the file, or nil if the whole row is bad.
  public let column: String?
  /// The first 40 bytes of the cell (or of the row), with `?` for characters that a terminal should not get.
  public let value: String
  /// What is wrong: `not a number`.
  public internal(set) var reason: String
  /// Whether the row is good by itself, but another one of its ticker and day has other values.
  package var repeatsDay = false
  /// Whether a column that holds nothing of a quote's tells the row from the one before of its ticker and day.
  package var isToldApart = false
  /// The quote of this row that the import had before, with other values, while it isn't known where.
  var unplaced: DailyQuoteSummary.ID?

  /// Whether the reason is a volume below zero, or a text that no ticker can be.
  package var isOfNegativeVolume: Bool { reason == DecimalParser.negativeVolume }
  package var isOfNoTicker: Bool { reason.contains(TickerSymbolError.notATicker) }

  /// The row in one line: `prices.csv, line 17, column close, '$1419.85': not a number`.
  public var description: String {
    "\(file), \(position)\(column.map { ", column \($0)" } ?? ""), '\(value)': \(reason)"
  }
}

/// The bad rows of an import: their number, and the first ones in the order of the files.
public struct BadRows: Hashable, Sendable, CustomStringConvertible {
  /// The first rows by file and line, at most ten. The order in which they were found doesn't matter.
  public private(set) var first: [BadRow] = []
  /// The number of all bad rows, whether or not `first` has them.
  public private(set) var count = 0

  /// Whether there are no others.
  var areAll = false
  /// How many of the first rows are of earlier files; rows found later go after these.
  private var earlierFilesCount = 0

  init() {}

  /// Whether no row is bad.
  public var isEmpty: Bool { count == 0 }

  /// Notes that the rows to come are those of the next file.
  mutating func beginFile() { earlierFilesCount = first.count }

  /// Counts a row of the current file, and keeps it if it is among the first.
  mutating func insert(_ row: BadRow) {
    count += 1
    var index = first.count
    while index > earlierFilesCount, first[index - 1].position.number > row.position.number { index -= 1 }
    guard index < Limits.reportedBadRowCount else { return }
    first.insert(row, at: index)
    if first.count > Limits.reportedBadRowCount { first.removeLast() }
  }

  /// The first rows that repeat a quote of which it isn't known where it comes first.
  var unplaced: [DailyQuoteSummary.ID] { first.compactMap(\.unplaced) }

  /// Says where those quotes come first.
  mutating func place(_ places: [DailyQuoteSummary.ID: (file: String, position: BadRow.Position?)]) {
    for index in first.indices {
      if let key = first[index].unplaced, let (file, position) = places[key] {
        let names = [file == first[index].file ? nil : file, position?.description].compactMap(\.self)
        if !names.isEmpty { first[index].reason += "; the first is \(names.joined(separator: ", "))" }
      }
      first[index].unplaced = nil
    }
  }

  /// Counts rows that can't be among the first any more.
  mutating func insertUnnamed(_ unnamedCount: Int) { count += unnamedCount }

  /// Whether it helps to leave these rows out. It doesn't if there are no good ones, nor if there are several bad ones of which the first
  /// all have the same reason in the same column: then the file has a form that wasn't understood, and just what has that form would be lost.
  package var skippingHelps: Bool {
    if areAll, first.contains(where: { !$0.repeatsDay }) { return false }
    guard count > 1, let one = first.first, !one.repeatsDay else { return true }
    return !first.allSatisfy { $0.reason == one.reason && $0.column == one.column && $0.column != nil }
  }

  /// The first rows, one per line, and the number of the others.
  public var description: String {
    var lines = first.map(\.description)
    if count > first.count { lines.append("and \(count - first.count) more") }
    return lines.joined(separator: "\n")
  }
}

/// Text from a file, made safe to show.
enum ShownText {
  static let byteCount = 40

  /// A path, with `?` for what a terminal would obey.
  static func path(_ path: String) -> String { sanitized(path.utf8, byteCount: .max) }

  /// The text's first bytes, with `?` for control and formatting characters.
  static func sanitized(_ bytes: some Sequence<UInt8>, byteCount: Int = Self.byteCount) -> String {
    String(decoding: Array(bytes.prefix(byteCount)), as: UTF8.self).printable
  }
}
