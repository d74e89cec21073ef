import CQuoin
import Quoin

/// What a `quoin_query` says, read and checked. Nothing of it is the caller's memory.
struct Question: Sendable {
  /// Nil for all.
  let tickers: [TickerSymbol]?
  private let predicate: Predicate?
  private let (first, last): (TradingDay?, TradingDay?)
  private let asOf: TradingDay?
  private let bars: (period: CalendarPeriod, label: BarLabel)?
  let columns: String?
  let order: String?
  /// The names that texts may use.
  let definitions: Definitions
  private let top: TopRows?
  private let limit: Int?
  private let offset: Int
  private let threads: Int?
  let hasTickerTexts: Bool
  /// Whether only the last row of each ticker is wanted.
  let isOfLatest: Bool

  /// Sound: the struct has been copied, and its pointers are followed as the header says.
  init(_ query: UnsafePointer<quoin_query>?) throws(Failure) {
    let query = unsafe try options(query, quoin_query(), "quoin_query")
    tickers = unsafe try Self.tickers(query.tickers, query.ticker_count)
    let definitions = unsafe try Self.definitions(try text(query.let, "let"))
    self.definitions = definitions
    predicate = unsafe try text(query.where, "where").map { text throws(Failure) in
      try parsed("where") { () throws(PredicateSyntaxError) in try Predicate.parsing(text, definitions).predicate }
    }
    top = unsafe try text(query.top, "top").map { text throws(Failure) in
      try parsed("top") { () throws(PredicateSyntaxError) in try TopRows(parsing: text, definitions) }
    }
    (first, last) = unsafe (try Self.day(query.from, "from"), try Self.day(query.to, "to"))
    if let first, let last, first > last { throw Failure(.syntax, "from \(first) is later than to \(last)") }
    asOf = unsafe try Self.day(query.as_of, "as_of")
    bars = unsafe try Self.bars(query.resample, query.bar_label)
    columns = unsafe try text(query.columns, "columns")
    order = unsafe try text(query.order, "order")
    let (limit, offset, threads, flags) = unsafe (query.limit, query.offset, query.threads, query.flags)
    guard limit >= Int64(QUOIN_NO_ROWS) else { throw Failure(.misuse, "limit \(limit) is no number of rows") }
    guard offset >= 0 else { throw Failure(.misuse, "offset \(offset) is no number of rows") }
    guard flags & ~(QUOIN_TICKERS_AS_TEXT | QUOIN_LATEST) == 0 else {
      throw Failure(.misuse, "flags \(flags) aren't known")
    }
    self.limit = limit == 0 ? nil : Int(clamping: Swift.max(0, limit))
    self.offset = Int(clamping: offset)
    self.threads = threads == 0 ? nil : Int(clamping: threads)
    hasTickerTexts = flags & QUOIN_TICKERS_AS_TEXT != 0
    isOfLatest = flags & QUOIN_LATEST != 0
  }

  private static func tickers(
    _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
  ) throws(Failure) -> [TickerSymbol]? {
    if unsafe list == nil, count == 0 { return nil }
    var tickers: [TickerSymbol] = []
    let texts = unsafe try QuoinC.texts(list, count, "tickers")
    for index in unsafe texts.indices {
      let bytes = unsafe texts[index]
      do throws(TickerSymbolError) { tickers.append(unsafe try TickerSymbol(utf8: bytes)) } catch {
        throw Failure(error, in: "tickers[\(index)]")
      }
    }
    return tickers
  }

  private static func definitions(_ text: String?) throws(Failure) -> Definitions {
    var definitions = Definitions()
    for part in (text ?? "").split(separator: ";") where part.contains(where: { $0 != " " }) {
      try parsed("let") { () throws(PredicateSyntaxError) in try definitions.add(String(part)) }
    }
    return definitions
  }

  private static func day(_ start: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> TradingDay? {
    guard let text = unsafe try text(start, name) else { return nil }
    guard let day = TradingDay(text) else {
      throw Failure(.syntax, "\(name): '\(text.shown)' is no day; write it as 2005-10-14")
    }
    return day
  }

  private static func bars(
    _ period: UnsafePointer<CChar>?, _ label: UnsafePointer<CChar>?
  ) throws(Failure) -> (CalendarPeriod, BarLabel)? {
    let words = unsafe (try text(period, "resample"), try text(label, "bar_label"))
    guard let word = words.0 else {
      guard words.1 == nil else { throw Failure(.misuse, "bar_label is of bars; say how long they are with resample") }
      return nil
    }
    let periods = CalendarPeriod.allCases.filter { $0 != .day }
    guard let period = periods.first(where: { $0.rawValue == word }) else {
      throw Failure(.syntax, "resample: '\(word.shown)' isn't one of \(periods.words)")
    }
    guard let label = words.1.map({ BarLabel(rawValue: $0) }) ?? .lastRow else {
      throw Failure(.syntax, "bar_label: '\((words.1 ?? "").shown)' isn't one of \(BarLabel.allCases.words)")
    }
    return (period, label)
  }
}

extension Question {
  /// The texts of a result's symbols, which are the snapshot's, unless the question is asked of a view.
  func texts(of tickers: TickerColumn, in snapshot: QuoteStore, _ open: OpenStore) -> TickerTexts {
    let isOfView = asOf != nil || bars != nil
    if isOfView || tickers.symbols.count != snapshot.tickers.count { return TickerTexts(tickers.symbols) }
    return open.texts(of: tickers.symbols, generation: snapshot.generation)
  }

  /// Refuses the flag that is of the rows of a scan alone.
  func requireAllRows() throws(Failure) {
    if isOfLatest { throw Failure(.misuse, "QUOIN_LATEST is of the rows of quoin_scan alone") }
  }

  /// The rows to delete.
  var deletedRows: (tickers: [TickerSymbol]?, predicate: Predicate?) {
    get throws(Failure) {
      try requireNothingElse("quoin_delete takes tickers, where, let, from and to alone")
      let days =
        first == nil && last == nil
        ? nil
        : Predicate.date(
          .init(
            lower: first.map { .inclusive($0) } ?? .unbounded, upper: last.map { .inclusive($0) } ?? .unbounded))
      let parts = [predicate, days].compactMap(\.self)
      return (tickers, parts.isEmpty ? nil : .all(parts))
    }
  }

  /// The rows that a check is of.
  var checkedRows: (tickers: [TickerSymbol]?, first: TradingDay?, last: TradingDay?, threads: Int) {
    get throws(Failure) {
      try requireNothingElse("quoin_check takes tickers, from and to alone", allowingConditions: false)
      return (tickers, first, last, threads ?? AuditOptions.defaultThreads)
    }
  }

  /// Refuses what isn't tickers and days.
  private func requireNothingElse(_ sentence: String, allowingConditions: Bool = true) throws(Failure) {
    let isUnconditional = allowingConditions || predicate == nil
    let isPlain = asOf == nil && bars == nil && columns == nil && order == nil && top == nil && !isOfLatest
    guard isPlain, isUnconditional, limit == nil, offset == 0 else { throw Failure(.misuse, sentence) }
  }

  /// The present snapshot of a store, which must have the tickers.
  func snapshot(of open: OpenStore) throws(Failure) -> QuoteStore {
    let snapshot = open.store.frozen
    try requireTickers(tickers ?? [], in: snapshot)
    return snapshot
  }

  /// What `ask` makes of the rows that the question selects in a snapshot.
  func ask<Answer>(
    _ snapshot: QuoteStore, _ ask: (QuoteQuery) throws(StoreError) -> Answer
  ) throws(Failure) -> Answer {
    // A view has only the tickers that are asked for, and then those whose values the question takes too.
    var others: [TickerSymbol] = []
    while true {
      do throws(StoreError) { return try ask(query(of: try view(of: snapshot, others))) } catch {
        guard case .unknownTicker(let ticker) = error else { throw Failure(error) }
        try requireTickers([ticker], in: snapshot)
        if others.contains(ticker) { throw Failure(error) }
        others.append(ticker)
      }
    }
  }

  private func view(of snapshot: QuoteStore, _ others: [TickerSymbol]) throws(StoreError) -> QuoteStore {
    let wanted = tickers.map { $0 + others }
    var view = snapshot
    if let asOf { view = try view.asOf(asOf, tickers: wanted, threads: threads) }
    if let (period, label) = bars {
      view = try view.resampled(by: period, label: label, tickers: wanted, threads: threads)
    }
    return view
  }

  private func query(of store: QuoteStore) -> QuoteQuery {
    var query = (tickers.map { store.quotes(for: $0) } ?? store.allQuotes).offset(by: offset)
    if let predicate { query = query.where(predicate) }
    if let top { query = query.top(top) }
    if first != nil || last != nil { query = query.dates(from: first, to: last) }
    if let limit { query = query.limited(to: limit) }
    if let threads { query = query.threads(threads) }
    return query
  }

  /// Refuses tickers that a snapshot doesn't have, and suggests those that may have been meant.
  private func requireTickers(_ wanted: [TickerSymbol], in snapshot: QuoteStore) throws(Failure) {
    let known = snapshot.tickers
    for ticker in wanted where known.sortedIndex(of: ticker, by: { $0 }) == nil {
      let question = Suggestion.question(forTicker: "\(ticker)", among: known)
      throw Failure(
        .unknownTicker, "'\(snapshot.path)' has no quotes of \(ticker)" + (question.map { "; \($0)" } ?? ""))
    }
  }
}

/// What is read of the text of a field.
func parsed<Value>(
  _ field: String, _ parse: () throws(PredicateSyntaxError) -> Value
) throws(Failure) -> Value {
  do throws(PredicateSyntaxError) { return try parse() } catch { throw Failure(error, in: field) }
}

extension String {
  /// What a message shows of a text from outside.
  var shown: String { String(prefix(40)).replacing(controlsWith: " ") }
}

extension Collection where Element: RawRepresentable, Element.RawValue == String {
  fileprivate var words: String { map(\.rawValue).joined(separator: ", ") }
}
