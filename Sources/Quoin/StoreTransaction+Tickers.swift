// Changes of whole tickers.

extension StoreTransaction {
  /// Gives a ticker another name. Its quotes stay as they are, bit for bit, and the records of its imports follow, with the
  /// number of this commit.
  ///
  /// - Throws: `StoreError`: `noQuotes` if `old` has no quotes, `tickerTaken` if `new` has some.
  public func rename(_ old: TickerSymbol, to new: TickerSymbol) throws(StoreError) {
    let transaction = transaction
    try transaction.attempt { () throws(StoreError) in
      if transaction.working(old).isEmpty { throw .noQuotes(path: transaction.directory, ticker: old) }
      guard transaction.working(new).isEmpty else { throw .tickerTaken(path: transaction.directory, ticker: new) }
      let records = try transaction.importRecords(of: old)
      _ = try transaction.upsert(new, try transaction.rows(of: old, from: .earliest, to: .latest))
      _ = try transaction.delete(old)
      for record in records { transaction.note(record.taken(over: new, by: transaction.generation)) }
    }
  }
}

extension Transaction {
  /// The records of a ticker's imports, those of this transaction too.
  fileprivate func importRecords(of ticker: TickerSymbol) throws(StoreError) -> [ImportRecord] {
    var records: [ImportRecord] = []
    for file in base.files { records += try file.get().importRecords().filter { $0.ticker == ticker } }
    return records.filter(isCurrent) + (importRecords[ticker] ?? [])
  }
}

extension ImportRecord {
  /// The same import as the record of another ticker, in the commit that took its rows over.
  fileprivate func taken(over ticker: TickerSymbol, by generation: UInt64) -> ImportRecord {
    ImportRecord(
      ticker: ticker, firstDay: firstDay, lastDay: lastDay, rowCount: rowCount, source: source, importedAt: importedAt,
      generation: generation)
  }
}
