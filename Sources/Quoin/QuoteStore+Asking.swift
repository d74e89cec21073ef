/// What is made of a store's rows before a question is asked of them.
package enum ViewStep: String, Sendable {
  case adjusting, resampling, joining
}

extension QuoteStore {
  /// What `ask` makes of a query for the rows of a question.
  ///
  /// A view has only the tickers that are asked for, and then those whose values the question takes too.
  ///
  /// - Throws: `StoreError.unknownTicker` also for a ticker whose values are taken, and what `ask` throws.
  package func asking<Answer>(
    _ question: QuoteQuestion, _ ask: (QuoteQuery) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    try trying(question) { view throws(StoreError) in try ask(view.query(question)) }
  }

  /// What `body` makes of the store whose rows a question asks for: this one, one as of a day, or one of bars.
  ///
  /// - Parameter progress: is called while a view is made, with what is made of the rows, how many of them, and of how many.
  /// - Throws: what `asking` throws, and what else `body` does.
  package func viewing<Answer>(
    _ question: QuoteQuestion, progress: (ViewStep, Int, Int) -> Void = { _, _, _ in },
    _ body: (QuoteStore) throws -> Answer
  ) throws -> Answer {
    let result: Result<Answer, any Error> = try trying(question, progress) { view throws(StoreError) in
      do { return .success(try body(view)) } catch let error as StoreError { throw error } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func trying<Answer>(
    _ question: QuoteQuestion, _ progress: (ViewStep, Int, Int) -> Void = { _, _, _ in },
    _ body: (QuoteStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    var others: [TickerSymbol] = []
    while true {
      do throws(StoreError) { return try body(try view(question, others, progress)) } catch {
        guard case .unknownTicker(let ticker) = error, question.isOfView, question.tickers != nil,
          !others.contains(ticker), tickers.sortedIndex(of: ticker, by: { $0 }) != nil
        else { throw error }
        others.append(ticker)
      }
    }
  }

  private func view(
    _ question: QuoteQuestion, _ others: [TickerSymbol], _ progress: (ViewStep, Int, Int) -> Void
  ) throws(StoreError) -> QuoteStore {
    let wanted = question.tickers.map { $0 + others + [question.joined].compactMap(\.self) }
    var view = self
    if let day = question.asOf {
      view = try view.asOf(
        day, tickers: wanted, threads: question.threads, trustingSplits: question.trustsSplits
      ) { progress(.adjusting, $0, $1) }
    }
    if let period = question.barPeriod {
      view = try view.resampled(
        by: period, label: question.barLabel ?? .lastRow, tickers: wanted, threads: question.threads
      ) { progress(.resampling, $0, $1) }
    }
    if let ticker = question.tickers?.first, let other = question.joined {
      view = try view.joining(ticker, other, tickers: wanted, threads: question.threads) { progress(.joining, $0, $1) }
    }
    return view
  }

  /// The days that a question asks for, here; nil leaves that end open.
  package func days(of question: QuoteQuestion) -> (first: TradingDay?, last: TradingDay?) {
    let newest = summary.days?.upperBound ?? .earliest
    return (question.days.first?.day(newest: newest), question.days.last?.day(newest: newest))
  }

  /// The query for a question's rows, without its columns and without an order by values.
  package func query(_ question: QuoteQuestion) -> QuoteQuery {
    var query = (question.tickers.map { quotes(for: $0) } ?? allQuotes).offset(by: question.offset)
    if let kept = question.keptTickers { query = query.keeping(kept) }
    // A ticker's last row is that of these days, whatever its values are.
    if question.isOfLatest { query = query.lastRows(question.days) }
    for condition in question.conditions { query = query.where(condition) }
    if question.days != .all { query = query.where(.dates(question.days)) }
    for refine in question.refinements { query = refine(query) }
    if case .date(let order) = question.order { query = query.ordered(order) }
    if let limit = question.limit { query = query.limited(to: limit) }
    if let threads = question.threads { query = query.threads(threads) }
    return query
  }
}

extension QuoteQuery {
  /// The query with the columns of rows.
  package func columns(_ columns: [QuoteFormatter.Column.Listed]) -> QuoteQuery {
    var query = selecting(AttributeSet(columns.compactMap(\.column.attribute)))
    for case (let column, let expression?) in columns { query = query.computing(column.name, expression) }
    return query
  }
}
