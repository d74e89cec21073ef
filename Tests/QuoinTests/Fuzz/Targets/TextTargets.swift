@testable import Quoin

/// The text of a predicate: what is accepted is described in words that mean the same.
enum PredicateTarget {
  static func read(_ input: UnsafeRawBufferPointer) throws {
    guard let predicate = try? Predicate(parsing: unsafe String(decoding: input, as: UTF8.self)) else { return }
    let description = predicate.description
    let again = try Predicate(parsing: description)
    try agree(again.description == description, "'\(description)' is read as '\(again)'")
    let query = try smallStore().allQuotes.threads(1)
    guard let count = try found({ () throws(StoreError) in try query.where(predicate).count() }) else { return }
    try agree(try query.where(again).count() == count, "'\(description)' selects others")
    // No row is selected both ways.
    try agree(try query.where(predicate && !predicate).count() == 0, "'\(description)' is true and false")
    try agree(try query.where(predicate || predicate).count() == count, "'\(description)' or itself selects others")
  }
}

/// The text of an expression: what is accepted is described in words that mean the same, and has one value in each row.
enum ExpressionTarget {
  static func read(_ input: UnsafeRawBufferPointer) throws {
    let text = unsafe String(decoding: input, as: UTF8.self)
    _ = (try? RowOrder(parsing: text), try? TopRows(parsing: text))
    guard let expression = try? QuoteExpression(parsing: text) else { return }
    let description = expression.description
    let again = try QuoteExpression(parsing: description)
    try agree(again.description == description, "'\(description)' is read as '\(again)'")
    let query = try smallStore().allQuotes.threads(1).computing("x", expression).computing("again", again)
    let batch = try found { () throws(StoreError) in try query.fetchColumns() }
    guard let batch, let x = batch.computed("x"), let other = batch.computed("again") else { return }
    let areSame = zip(x, other).allSatisfy { $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN) }
    try agree(x.count == batch.rowCount && areSame, "'\(description)' has other values")
  }
}

/// What a query finds; nil if it is of a ticker that the store doesn't have.
private func found<Found>(_ ask: () throws(StoreError) -> Found) throws -> Found? {
  do throws(StoreError) { return try ask() } catch {
    if case .unknownTicker = error { return nil }
    throw error
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
    try store.upsertUnchecked(quotes)
  }
  return store
}
