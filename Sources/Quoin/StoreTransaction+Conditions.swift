// Changes of what is stored: deletes, and updates by a condition.

extension StoreTransaction {
  /// Removes every quote of the store, together with the records of their imports.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`.
  @discardableResult
  public func deleteAll() throws(StoreError) -> Int { try delete(tickers) }

  /// Removes every quote of a ticker, together with the records of its imports.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`.
  @discardableResult
  public func delete(_ ticker: TickerSymbol) throws(StoreError) -> Int { try transaction.delete(ticker) }

  /// Removes every quote of some tickers, together with the records of their imports. An empty array removes nothing.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`.
  @discardableResult
  public func delete(_ tickers: [TickerSymbol]) throws(StoreError) -> Int {
    var count = 0
    for ticker in tickers { count += try transaction.delete(ticker) }
    return count
  }

  /// Removes the quotes of a ticker from one day to another, both included. The records of imports stay.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`.
  @discardableResult
  public func delete(_ ticker: TickerSymbol, dates: ClosedRange<TradingDay>) throws(StoreError) -> Int {
    try delete([ticker], where: .dates(from: dates.lowerBound, to: dates.upperBound))
  }

  /// Removes the quotes of some tickers that meet a condition. An empty array removes nothing. The records of imports stay.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`.
  @discardableResult
  public func delete(_ tickers: [TickerSymbol], where predicate: Predicate) throws(StoreError) -> Int {
    try delete(tickers, predicate)
  }

  /// Removes the quotes of the whole market that meet a condition. The records of imports stay.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`.
  @discardableResult
  public func delete(where predicate: Predicate) throws(StoreError) -> Int { try delete(nil, predicate) }

  private func delete(_ tickers: [TickerSymbol]?, _ predicate: Predicate) throws(StoreError) -> Int {
    let transaction = transaction
    return try transaction.attempt { () throws(StoreError) in
      var count = 0
      let query = QuoteQuery(try transaction.snapshot(), tickers: tickers).where(predicate)
      for (ticker, days) in try query.matchingDays() { count += try transaction.delete(days, of: ticker) }
      return count
    }
  }

  /// Changes the quotes of some tickers that meet a condition. An empty array changes nothing. The records of imports stay.
  ///
  ///     try transaction.update(["FDX"], where: .range(.close, ...0.0)) { $0.close = nil }
  ///
  /// - Parameters:
  ///   - tickers: the stocks.
  ///   - predicate: which of their quotes.
  ///   - change: gives a quote other values. Its ticker and its day have to stay.
  /// - Returns: the number of quotes that met the condition, whether or not `change` made them different.
  /// - Throws: `StoreError`: `keyChanged` if a quote got another ticker or day, `impossibleValue` if one has an infinite value or a
  ///   volume below zero.
  @discardableResult
  public func update(
    _ tickers: [TickerSymbol], where predicate: Predicate, _ change: (inout DailyQuoteSummary) -> Void
  ) throws(StoreError) -> Int {
    var known: Set<TickerSymbol> = []
    return try update(tickers.filter { known.insert($0).inserted }, predicate, change)
  }

  /// Changes the quotes of the whole market that meet a condition. The records of imports stay.
  ///
  /// - Parameters:
  ///   - predicate: which quotes.
  ///   - change: gives a quote other values. Its ticker and its day have to stay.
  /// - Returns: the number of quotes that met the condition, whether or not `change` made them different.
  /// - Throws: `StoreError`: `keyChanged` if a quote got another ticker or day, `impossibleValue` if one has an infinite value or a
  ///   volume below zero.
  @discardableResult
  public func update(
    where predicate: Predicate, _ change: (inout DailyQuoteSummary) -> Void
  ) throws(StoreError) -> Int { try update(nil, predicate, change) }

  private func update(
    _ tickers: [TickerSymbol]?, _ predicate: Predicate, _ change: (inout DailyQuoteSummary) -> Void
  ) throws(StoreError) -> Int {
    let transaction = transaction
    return try transaction.attempt { () throws(StoreError) in
      var scan = Scan(QuoteQuery(try transaction.snapshot(), tickers: tickers).where(predicate))
      var count = 0
      func put(_ rows: QuoteColumns, _ ticker: TickerSymbol) throws(StoreError) {
        try rows.checkValues(of: ticker)
        _ = try transaction.upsert(ticker, rows)
      }
      // The rows of one ticker, which may be in several batches, are put in together.
      var (ticker, rows) = (TickerSymbol?.none, QuoteColumns())
      while let batch = try scan.nextBatch() {
        for quote in batch.quotes {
          if let last = ticker, last != quote.ticker {
            try put(rows, last)
            rows = QuoteColumns()
          }
          ticker = quote.ticker
          rows.append(try quote.changed(by: change))
        }
        count += batch.rowCount
      }
      if let ticker { try put(rows, ticker) }
      return count
    }
  }
}

extension DailyQuoteSummary {
  /// The quote with other values.
  fileprivate func changed(by change: (inout DailyQuoteSummary) -> Void) throws(StoreError) -> DailyQuoteSummary {
    var quote = self
    change(&quote)
    guard quote.ticker == ticker, quote.date == date else { throw .keyChanged(ticker: ticker, date: date) }
    return quote
  }
}
