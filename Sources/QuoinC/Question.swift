import CQuoin
import Quoin

/// What a `quoin_query` says, read and checked. Nothing of it is the caller's memory.
struct Question: Sendable {
  let asked: QuoteQuestion
  let hasTickerTexts: Bool
  /// What gives the question up beside `quoin_interrupt`.
  let interrupt: Interrupt?

  /// - Parameter groups: what is asked of groups; nil for rows.
  ///
  /// Sound: the struct has been copied, and its pointers are followed as the header says.
  init(_ query: UnsafePointer<quoin_query>?, groups: quoin_groups? = nil) throws(Failure) {
    let query = unsafe try options(query, quoin_query(), "quoin_query")
    let (limit, offset, threads, flags) = unsafe (query.limit, query.offset, query.threads, query.flags)
    guard limit >= Int64(QUOIN_NO_ROWS) else { throw Failure(.misuse, "limit \(limit) is no number of rows") }
    guard offset >= 0 else { throw Failure(.misuse, "offset \(offset) is no number of rows") }
    guard flags & ~(QUOIN_TICKERS_AS_TEXT | QUOIN_LATEST | QUOIN_INTERRUPTIBLE) == 0 else {
      throw Failure(.misuse, "flags \(flags) aren't known")
    }
    var asked = QuoteQuestion()
    asked.tickers = unsafe try Self.tickers(query.tickers, query.ticker_count)
    var texts = unsafe try Self.texts(of: query, groups)
    if limit != 0 { texts.append((.limit, "\(Swift.max(0, limit))")) }
    if offset != 0 { texts.append((.offset, "\(offset)")) }
    if threads != 0 { texts.append((.threads, "\(threads)")) }
    if flags & QUOIN_LATEST != 0 { texts.append((.latest, "true")) }
    let fields = unsafe try Self.fields(query.fields, query.field_count)
    if asked.tickers != nil, fields.contains(where: { $0.name == .tickers }) {
      throw Failure(.misuse, "tickers is given twice; give it once")
    }
    do throws(QuestionError) {
      try asked.read(texts + fields)
      try asked.check()
    } catch {
      throw Failure(error.kind == .text ? .syntax : .misuse, error.text())
    }
    if asked.groups != nil, unsafe groups == nil {
      throw Failure(.misuse, "aggregates applies to groups, which quoin_aggregate answers")
    }
    (self.asked, hasTickerTexts) = (asked, flags & QUOIN_TICKERS_AS_TEXT != 0)
    interrupt = flags & QUOIN_INTERRUPTIBLE != 0 ? Interrupt() : nil
  }

  /// The fields that are texts.
  private static func texts(
    of query: quoin_query, _ groups: quoin_groups?
  ) throws(Failure) -> [QuestionText] {
    var texts: [QuestionText] = []
    func add(_ name: QuestionField.Name, _ start: UnsafePointer<CChar>?) throws(Failure) {
      guard let text = unsafe try text(start, name.rawValue) else { return }
      // No definitions, or blanks, are none.
      if name != .let || text.contains(where: { $0 != " " && $0 != ";" }) { texts.append((name, text)) }
    }
    unsafe try add(.let, query.let)
    unsafe try add(.where, query.where)
    unsafe try add(.from, query.from)
    unsafe try add(.to, query.to)
    unsafe try add(.asOf, query.as_of)
    unsafe try add(.resample, query.resample)
    unsafe try add(.barLabel, query.bar_label)
    unsafe try add(.columns, query.columns)
    unsafe try add(.top, query.top)
    unsafe try add(.order, query.order)
    if let groups = unsafe groups {
      unsafe try add(.aggregates, groups.aggregates)
      unsafe try add(.by, groups.by)
      unsafe try add(.having, groups.having)
    }
    return texts
  }

  /// The fields that are given by their names.
  private static func fields(
    _ fields: UnsafePointer<quoin_field>?, _ count: Int
  ) throws(Failure) -> [QuestionText] {
    guard count > 0 else { return [] }
    guard count <= CallLimits.fieldCount else {
      throw Failure(
        .misuse, "field_count is \(UInt(bitPattern: count)); a question has \(CallLimits.fieldCount) fields at most")
    }
    // Sound: the header says that there are so many.
    let start = unsafe try checked(fields, "fields")
    var result: [QuestionText] = []
    for index in 0..<count {
      let field = unsafe start[index]
      guard let name = unsafe try text(field.name, "fields[\(index)].name") else {
        throw Failure(.misuse, "fields[\(index)].name is NULL")
      }
      guard let known = QuestionField.Name(rawValue: name) else {
        let hint = Suggestion.hint(for: name, among: QuestionField.all.map(\.name.rawValue))
        throw Failure(.misuse, "there is no field '\(name.shown)'; \(hint)")
      }
      if let text = unsafe try text(field.text, name) { result.append((known, text)) }
    }
    return result
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
}

extension Question {
  /// The texts of a result's symbols, which are the snapshot's, unless the question is asked of a view.
  func texts(of tickers: TickerColumn, in snapshot: QuoteStore, _ open: OpenStore) -> TickerTexts {
    if asked.isOfView || tickers.symbols.count != snapshot.tickers.count { return TickerTexts(tickers.symbols) }
    return open.texts(of: tickers.symbols, generation: snapshot.generation)
  }

  /// The rows to delete.
  var deletedRows: (tickers: [TickerSymbol]?, predicate: Predicate?) {
    get throws(Failure) {
      try requireNothing(
        but: [.let, .where, .from, .to], "quoin_delete takes tickers, where, let, from and to alone")
      return (asked.tickers, asked.predicate)
    }
  }

  /// The tickers and days of a store that a function is called for, which takes nothing else.
  func plainRows(
    of store: QuoteStore, for function: String
  ) throws(Failure) -> (tickers: [TickerSymbol]?, first: TradingDay?, last: TradingDay?) {
    try requireNothing(but: [.let, .from, .to], "\(function) takes tickers, from and to alone")
    let (first, last) = store.days(of: asked)
    return (asked.tickers, first, last)
  }

  /// The tickers that a function is called for, which takes nothing else; nil for all.
  func wholeTickers(for function: String) throws(Failure) -> [TickerSymbol]? {
    try requireNothing(but: [], "\(function) takes tickers alone")
    return asked.tickers
  }

  /// Refuses fields beside tickers and those that are known.
  private func requireNothing(but known: Set<QuestionField.Name>, _ sentence: String) throws(Failure) {
    let isPlain = asked.given.isSubset(of: known) && !asked.isOfLatest
    guard isPlain, asked.limit == nil, asked.offset == 0 else { throw Failure(.misuse, sentence) }
  }

  /// The present snapshot of a store, which must have the tickers.
  func snapshot(of open: OpenStore) throws(Failure) -> QuoteStore {
    let snapshot = open.store(interruptedBy: interrupt).frozen
    try requireTickers(asked.tickers ?? [], in: snapshot)
    return snapshot
  }

  /// What `ask` makes of the rows that the question selects in a snapshot.
  func ask<Answer>(
    _ snapshot: QuoteStore, _ ask: (QuoteQuery) throws(StoreError) -> Answer
  ) throws(Failure) -> Answer {
    do throws(StoreError) {
      return try interrupt.during { () throws(StoreError) in try snapshot.asking(asked, ask) }
    } catch { throw failure(error, in: snapshot) }
  }

  /// What a store's error is to the outside: of an unknown ticker it says which one may have been meant.
  func failure(_ error: StoreError, in snapshot: QuoteStore) -> Failure {
    guard case .unknownTicker(let ticker) = error else { return Failure(error) }
    do throws(Failure) { try requireTickers([ticker], in: snapshot) } catch { return error }
    return Failure(error)
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

extension String {
  /// What a message shows of a text from outside.
  var shown: String { shownInErrors }
}
