// Changes of whole tickers.

extension StoreTransaction {
  /// Gives a ticker, or its rows of some days, another name. The quotes stay as they are, bit for bit, and the records of their
  /// imports follow, with the number of this commit. If the new name has quotes of other days, the two histories become one.
  ///
  /// - Parameters:
  ///   - old: the ticker.
  ///   - new: its new name.
  ///   - first: the first day whose quotes get the new name; nil for all days.
  ///   - last: the last day whose quotes get it; nil for all days. A record of an import that brought other days too stays, and a
  ///     copy of it follows.
  /// - Throws: `StoreError`: `noQuotes` or `noQuotesOfDays` if `old` has no such quotes, `dayTaken` if `new` has a quote of one of
  ///   these days.
  public func rename(
    _ old: TickerSymbol, to new: TickerSymbol, from first: TradingDay? = nil, through last: TradingDay? = nil
  ) throws(StoreError) {
    let transaction = transaction
    try transaction.attempt { () throws(StoreError) in
      let rows = try transaction.rowsToRename(old, first, last)
      try transaction.checkWhetherFree(rows, new)
      let records = try transaction.importRecords(of: old)
      _ = try transaction.upsert(new, rows)
      if rows.rowCount == transaction.working(old).rowCount {
        _ = try transaction.delete(old)
        for record in records { transaction.note(record.taken(over: new, by: transaction.generation)) }
      } else {
        _ = try transaction.delete(rows.days, of: old)
        for record in records.compactMap({ $0.part(of: rows.days) }) {
          transaction.note(record.taken(over: new, by: transaction.generation))
        }
      }
    }
  }
}

extension Transaction {
  /// The rows of a ticker on some days, at least one.
  fileprivate func rowsToRename(
    _ ticker: TickerSymbol, _ first: TradingDay?, _ last: TradingDay?
  ) throws(StoreError) -> QuoteColumns {
    if working(ticker).isEmpty { throw .noQuotes(path: directory, ticker: ticker) }
    let rows = try rows(of: ticker, from: first ?? .earliest, to: last ?? .latest)
    if rows.isEmpty { throw .noQuotesOfDays(path: directory, ticker: ticker, first: first, last: last) }
    return rows
  }

  /// Throws `dayTaken` if a ticker has a row of the same day as one of `rows`.
  fileprivate func checkWhetherFree(_ rows: QuoteColumns, _ ticker: TickerSymbol) throws(StoreError) {
    guard let first = rows.dayValues.first, let last = rows.dayValues.last else { return }
    let taken = Set(try self.rows(of: ticker, from: first, to: last).dayValues)
    if let day = rows.dayValues.first(where: taken.contains) {
      throw .dayTaken(path: directory, ticker: ticker, day: day)
    }
  }
}

extension StoreTransaction {
  /// Takes the quotes of another store over, ticker by ticker, with the records of their imports, which get the number of this
  /// commit. Memory holds the rows of one ticker at a time.
  ///
  /// A store doesn't know which columns its files had. So an attribute that is missing in all rows of a ticker there counts as
  /// absent, and keeps its values here, unless the mode is `replace`.
  ///
  /// - Parameters:
  ///   - other: the other store, or a snapshot of any store, as it is shown now.
  ///   - tickers: the stocks to take over; nil for all. Those that the other store doesn't have contribute nothing.
  ///   - mode: what happens to the rows of days that this store has.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: what its rows did here.
  /// - Throws: `StoreError`: `sameStore` if the other store is what this one was before the transaction.
  @discardableResult
  public func merge(
    _ other: QuoteStore, tickers: [TickerSymbol]? = nil, mode: UpsertMode = .update, progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> UpsertCounts {
    let (transaction, other) = (transaction, other.frozen)
    return try transaction.attempt { () throws(StoreError) in
      if other.generation > 0, other.snapshot.manifest == transaction.base.manifest {
        throw .sameStore(path: other.path)
      }
      let wanted = tickers.map { Set($0).intersection(other.tickers).sorted() } ?? other.tickers
      let records = Dictionary(grouping: try other.importRecords(), by: \.ticker)
      let known = Set(try transaction.storedImportRecords().map { $0.taken(over: $0.ticker, by: 0) })
      var counts = UpsertCounts()
      for ticker in wanted {
        let rows = try other.quotes(for: ticker).fetchColumns().columns
        let part = try transaction.upsert(ticker, rows, mode, present: rows.valuedAttributes)
        counts += part
        progress(counts.rowCount)
        if part.inserted + part.replaced == 0 { continue }
        for record in records[ticker] ?? [] where !known.contains(record.taken(over: ticker, by: 0)) {
          transaction.note(record.taken(over: ticker, by: transaction.generation))
        }
      }
      return counts
    }
  }

  /// Computes the adjusted columns of some tickers from their prices, volumes, dividends and splits, as
  /// `QuoteColumns.adjusted()` does. The records of imports stay.
  ///
  /// - Parameters:
  ///   - tickers: the stocks. Those that the store doesn't have contribute nothing.
  ///   - isReplacing: whether adjusted values that are there are replaced, wherever they come from. Those that this function gave
  ///     to older rows are in any case, when later rows, dividends or splits have come.
  ///   - trustsSplits: whether a split counts although the prices don't show it.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: the rows that got other values, and those that had them already.
  /// - Throws: `StoreError`: `alreadyAdjusted` if a ticker has adjusted values that aren't to be replaced; `splitInPrices` if a
  ///   price doesn't move by its split (`AuditRule.split`), so that it would be divided twice.
  @discardableResult
  public func adjust(
    _ tickers: [TickerSymbol], replacing isReplacing: Bool = false, trustingSplits trustsSplits: Bool = false,
    progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> UpsertCounts {
    let transaction = transaction
    return try transaction.attempt { () throws(StoreError) in
      var counts = UpsertCounts()
      for ticker in Set(tickers).sorted() {
        let rows = try transaction.rows(of: ticker, from: .earliest, to: .latest)
        if !isReplacing, ![.absent, .outdated].contains(rows.adjustmentState(of: ticker)) {
          throw .alreadyAdjusted(path: transaction.directory, ticker: ticker)
        }
        if !trustsSplits { try rows.checkSplits(of: ticker) }
        counts += try transaction.upsert(ticker, rows.adjusted())
        progress(counts.rowCount)
      }
      return counts
    }
  }
}

extension Transaction {
  /// The records of a ticker's imports, those of this transaction too.
  fileprivate func importRecords(of ticker: TickerSymbol) throws(StoreError) -> [ImportRecord] {
    try storedImportRecords().filter { $0.ticker == ticker } + (importRecords[ticker] ?? [])
  }

  /// The records of imports before this transaction, of tickers that it hasn't deleted.
  fileprivate func storedImportRecords() throws(StoreError) -> [ImportRecord] {
    var records: [ImportRecord] = []
    for file in base.files { records += try file.get().importRecords().filter(isCurrent) }
    return records
  }
}

extension ImportRecord {
  /// What the import brought of some days; nil if nothing.
  fileprivate func part(of days: [TradingDay]) -> ImportRecord? {
    let days = days.filter { $0 >= firstDay && $0 <= lastDay }
    guard let first = days.first, let last = days.last else { return nil }
    return ImportRecord(
      ticker: ticker, firstDay: first, lastDay: last, rowCount: min(rowCount, days.count), source: source,
      importedAt: importedAt, generation: generation)
  }

  /// The same import as the record of another ticker, in the commit that took its rows over.
  fileprivate func taken(over ticker: TickerSymbol, by generation: UInt64) -> ImportRecord {
    ImportRecord(
      ticker: ticker, firstDay: firstDay, lastDay: lastDay, rowCount: rowCount, source: source, importedAt: importedAt,
      generation: generation)
  }
}
