import ArgumentParser
import Console
import Quoin

/// Which rows: the arguments that `scan`, `export` and `delete` share.
struct RowSelection: ParsableArguments {
  @Argument(help: ArgumentHelp("Tickers, such as FDX or BRK_A; all when there are none.", valueName: "ticker"))
  var tickers: [String] = []

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Rows for which this holds, such as 'high > 80 and not (volume between 0 and 1000)'. Several are joined by and.",
      valueName: "expr"))
  var conditions: [String] = []

  @Option(help: ArgumentHelp("Rows of this day and later.", valueName: "yyyy-mm-dd"))
  var from: String?

  @Option(help: ArgumentHelp("Rows up to this day, itself included.", valueName: "yyyy-mm-dd"))
  var to: String?

  /// The predicate; nil when every row is meant.
  func predicate() throws -> Predicate? {
    var parts = try conditions.map { try Predicate(parsing: $0) }
    if let days = try days() { parts.append(.date(days)) }
    return parts.count > 1 ? .all(parts) : parts.first
  }

  /// The tickers; nil when every one is meant.
  func symbols() throws -> [TickerSymbol]? {
    tickers.isEmpty ? nil : try tickers.map { try TickerSymbol($0) }
  }

  /// The query for these rows, and the store it asks, which must have the tickers.
  func query(in options: StoreOptions) throws -> (QuoteQuery, QuoteStore) {
    // Wrong usage is told before wrong data.
    let predicate = try predicate()
    let symbols = try symbols()
    let store = try options.open()
    try store.requireTickers(symbols ?? [])
    let query = symbols.map { store.quotes(for: $0) } ?? store.allQuotes
    return (predicate.map { query.where($0) } ?? query, store)
  }

  private func days() throws -> Bounds<TradingDay>? {
    let first = try from.map { try TradingDay(argument: $0, of: "--from") }
    let last = try to.map { try TradingDay(argument: $0, of: "--to") }
    if let first, let last, first > last { throw UsageError("--from \(first) is later than --to \(last)") }
    guard first != nil || last != nil else { return nil }
    return Bounds(lower: first.map { .inclusive($0) } ?? .unbounded, upper: last.map { .inclusive($0) } ?? .unbounded)
  }
}

extension QuoteStore {
  /// Throws when the store lacks one of these tickers, and says which it may have been.
  func requireTickers(_ wanted: [TickerSymbol]) throws {
    let known = tickers
    for ticker in wanted where known.sortedIndex(of: ticker, by: { $0 }) == nil {
      let nearest = Suggestion.nearestName(to: "\(ticker)", among: known.lazy.map(\.description))
      throw DataError(
        "'\(path)' has no quotes of \(ticker); "
          + (nearest.map { "did you mean \($0)?" } ?? "'quoin tickers' lists what it has"))
    }
  }
}
