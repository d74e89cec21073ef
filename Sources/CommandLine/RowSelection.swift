import ArgumentParser
import Console
import Quoin

/// The arguments that name tickers.
struct TickerArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Tickers, such as FDX or BRK.A, as their source spells them (default: all).", valueName: "ticker"))
  var tickers: [String] = []

  /// The tickers; nil for all.
  func symbols() throws -> [TickerSymbol]? {
    tickers.isEmpty ? nil : try tickers.withRest.map { try TickerSymbol($0) }
  }
}

/// The options that say which rows of the tickers.
struct RowConditions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only rows that meet this condition, such as 'high > 80 and not (volume between 0 and 1000)'. Give it several times "
        + "for rows that meet every condition.",
      valueName: "expr"))
  var conditions: [String] = []

  @Option(
    name: .customLong("let"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A name for an expression or a condition, such as 'r = close / prev(close) - 1', which later ones, --where and "
        + "--columns may use.", valueName: "name = expr"))
  var definitions: [String] = []

  @Option(help: ArgumentHelp("Only rows from this day on.", valueName: "yyyy-mm-dd"))
  var from: String?

  @Option(help: ArgumentHelp("Only rows up to and including this day.", valueName: "yyyy-mm-dd"))
  var to: String?

  /// The predicate, which may use these names; nil for every row.
  func predicate(_ names: Definitions) throws -> Predicate? {
    var parts: [Predicate] = []
    for condition in conditions {
      let (predicate, notes) = try Predicate.parsing(condition, names)
      parts.append(predicate)
      for note in notes where Terminal.showsErrors { StandardStreams.complain("note: \(note)") }
    }
    if let days = try days() { parts.append(.date(days)) }
    return parts.count > 1 ? .all(parts) : parts.first
  }

  /// What --let defines, which may use what is defined already.
  func names(after names: Definitions = Definitions()) throws -> Definitions {
    var names = names
    for definition in definitions { try names.add(definition) }
    return names
  }

  private func days() throws -> Bounds<TradingDay>? {
    let (first, last) = try TradingDay.range(from: from, to: to)
    guard first != nil || last != nil else { return nil }
    return Bounds(lower: first.map { .inclusive($0) } ?? .unbounded, upper: last.map { .inclusive($0) } ?? .unbounded)
  }
}

/// The arguments of `export` and `delete` that select rows.
struct RowSelection: ParsableArguments {
  @OptionGroup var tickers: TickerArguments
  @OptionGroup var conditions: RowConditions

  /// The predicate; nil for every row.
  func predicate() throws -> Predicate? { try conditions.predicate(conditions.names()) }

  /// The query for these rows, and its store, which `open` opens and which must have the tickers.
  func query(in open: () throws -> QuoteStore) throws -> (QuoteQuery, QuoteStore) {
    // Errors in the arguments come before errors in the data.
    let predicate = try predicate()
    let symbols = try tickers.symbols()
    let store = try open()
    try store.requireTickers(symbols ?? [])
    return (store.quotes(of: symbols, where: predicate), store)
  }
}

extension TradingDay {
  /// The days that the options --from and --to name, which must not be the wrong way round.
  static func range(from: String?, to: String?) throws -> (first: TradingDay?, last: TradingDay?) {
    let first = try from.map { try TradingDay(argument: $0, of: "--from") }
    let last = try to.map { try TradingDay(argument: $0, of: "--to") }
    if let first, let last, first > last { throw UsageError("--from \(first) is later than --to \(last)") }
    return (first, last)
  }
}

extension QuoteStore {
  /// A query for the rows of some tickers, or all, that meet a condition, if there is one.
  func quotes(of tickers: [TickerSymbol]?, where predicate: Predicate?) -> QuoteQuery {
    let query = tickers.map { quotes(for: $0) } ?? allQuotes
    return predicate.map { query.where($0) } ?? query
  }

  /// Throws when the store lacks one of these tickers, and suggests the tickers that may have been meant.
  func requireTickers(_ wanted: [TickerSymbol]) throws {
    let known = tickers
    for ticker in wanted where known.sortedIndex(of: ticker, by: { $0 }) == nil {
      let question = Suggestion.question(forTicker: "\(ticker)", among: known)
      throw DataError(
        "'\(path)' has no quotes of \(ticker); \(question ?? "'quoin tickers' lists what it has")")
    }
  }
}
