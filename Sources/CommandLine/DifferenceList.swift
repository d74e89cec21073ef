import Console
import Quoin

/// The rows of `quoin diff`.
struct DifferenceList {
  static let headings: [ColumnHeading] = [
    .text("ticker"), .text("date"), .text("change"), .text("attribute"), .number("before"), .number("after"),
  ]

  /// How many more rows are wanted.
  private var room: Int

  init(limit: Int) { room = limit }

  /// A row for each day that was added or removed, and for each cell that changed, by date.
  mutating func rows(of difference: TickerDifference) -> [[String?]] {
    guard room > 0 else { return [] }
    let ticker = "\(difference.ticker)"
    var rows: [(day: TradingDay, cells: [String?])] = []
    for (days, change) in [(difference.added.days, "added"), (difference.removed.days, "removed")] {
      rows += days.prefix(room).map { ($0, [ticker, "\($0)", change, nil, nil, nil]) }
    }
    let days = difference.before.days
    for row in days.indices.prefix(room) {
      for name in difference.changedAttributes(at: row) {
        let values = [difference.before.text(of: name, at: row), difference.after.text(of: name, at: row)]
        rows.append((days[row], [ticker, "\(days[row])", "changed", name.wikiName] + values))
      }
    }
    // A day has rows of one kind only, and those of a change stand in the order of the attributes.
    let sorted = rows.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }
    let listed = sorted.prefix(room).map(\.element.cells)
    room -= listed.count
    return listed
  }
}

/// What `quoin diff` says at its end.
struct DifferenceCounts {
  private static let namedTickerCount = 5

  private var tickers: [TickerSymbol] = []
  private var (added, removed, changed) = (0, 0, 0)
  private var cells: [Attribute: Int] = [:]

  var isEmpty: Bool { tickers.isEmpty }

  mutating func count(_ difference: TickerDifference) {
    tickers.append(difference.ticker)
    added += difference.added.rowCount
    removed += difference.removed.rowCount
    changed += difference.before.rowCount
    cells.merge(difference.changedCellCounts, uniquingKeysWith: +)
  }

  /// `2 tickers differ: FDX, KO; 3 rows added, 1 row removed, 12 rows changed (12 closes, 3 ex-dividends)`
  var text: String {
    if isEmpty { return "no differences" }
    var names = tickers.prefix(Self.namedTickerCount).map { "\($0)" }
    if tickers.count > names.count { names.append("...") }
    var counts: [String] = []
    if added > 0 { counts.append("\(added.of("row")) added") }
    if removed > 0 { counts.append("\(removed.of("row")) removed") }
    if changed > 0 {
      counts.append("\(changed.of("row")) changed (\(cells.text))")
    }
    let differ = tickers.count == 1 ? "1 ticker differs" : "\(tickers.count.grouped) tickers differ"
    return "\(differ): \(names.joined(separator: ", ")); \(counts.joined(separator: ", "))"
  }
}
