@testable import Quoin

/// The text of a predicate: what is accepted is described in words that mean the same.
enum PredicateTarget {
  static func read(_ input: UnsafeRawBufferPointer) throws {
    guard let predicate = try? Predicate(parsing: unsafe String(decoding: input, as: UTF8.self)) else { return }
    let description = predicate.description
    let again = try Predicate(parsing: description)
    try agree(again.description == description, "'\(description)' is read as '\(again)'")
    let query = try smallStore().allQuotes.threads(1)
    let count = try query.where(predicate).count()
    try agree(try query.where(again).count() == count, "'\(description)' selects others")
    // No row is selected both ways.
    try agree(try query.where(predicate && !predicate).count() == 0, "'\(description)' is true and false")
    try agree(try query.where(predicate || predicate).count() == count, "'\(description)' or itself selects others")
  }
}

/// The text of a list of aggregates: what is accepted is computed, whatever the groups.
enum AggregatesTarget {
  static func read(_ input: UnsafeRawBufferPointer) throws {
    guard let list = try? Aggregation.list(parsing: unsafe String(decoding: input, as: UTF8.self)) else { return }
    let description = list.map(\.description).joined(separator: ", ")
    try agree(try Aggregation.list(parsing: description) == list, "'\(description)' is read as others")
    let grouping = Grouping.named[description.utf8.count % Grouping.named.count].grouping
    let table = try smallStore().allQuotes.threads(1).aggregate(list, by: grouping)
    try agree(table.columns.count == list.count, "\(table.columns.count) columns of \(list.count)")
    for row in 0..<table.rowCount { for column in table.columns { _ = column.text(at: row) } }
  }
}

private func smallStore() throws -> QuoteStore { try small.get() }

/// A store of a few rows with missing cells, zeros and large numbers.
private let small: Result<QuoteStore, any Error> = Result {
  let store = try QuoteStore(at: "store", in: InMemoryFiles())
  for ticker in ["FDX", "KO"] as [TickerSymbol] {
    let quotes = (0..<20).map { row in
      DailyQuoteSummary(
        ticker: ticker, date: TradingDay(daysSince1970: 13_000 + row * 9) ?? .latest,
        open: row % 5 == 4 ? nil : 80 + Double(row), high: row == 3 ? .infinity : 81.5 + Double(row), low: -0.0,
        close: 1 / Double(1 + row), volume: row % 7 == 6 ? nil : Int64(row) << (3 * Int64(row)), exDividend: 0)
    }
    try store.upsert(quotes)
  }
  return store
}
