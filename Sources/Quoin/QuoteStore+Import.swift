extension QuoteStore {
  /// Imports files of quotes: Quandl JSON, CSV of many kinds, NDJSON, each also as gzip or zip. All files are one commit. A row
  /// replaces the stored row of the same day.
  ///
  /// - Parameters:
  ///   - paths: the files, in order. Rows of a later file replace those of an earlier one. `-` is standard input.
  ///   - options: how to read them.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: called at most ten times a second.
  /// - Throws: `ImportError` if a file can't be read or has bad rows, `StoreError` if the store can't be written. Unless it is
  ///   `commitUnknown`, nothing has changed.
  @discardableResult
  public func importFiles(
    _ paths: [String], options: ImportOptions = ImportOptions(), patience: Duration = .zero,
    progress: ((ImportProgress) -> Void)? = nil
  ) throws -> ImportSummary {
    try write(patience: patience, crew: Crew(threadCount: options.threads)) { transaction in
      var sink = TransactionSink(transaction: transaction)
      let importer = QuoteImporter(options: options, crew: transaction.crew, progress: progress)
      let summary = try importer.importFiles(paths, into: &sink)
      let now = currentTimestamp()
      let records = summary.periods.map {
        ImportRecord(
          ticker: $0.ticker, firstDay: $0.firstDay, lastDay: $0.lastDay, rowCount: $0.rowCount, source: $0.source,
          importedAt: now, generation: transaction.generation)
      }
      return (summary, WriteRequest(importRecords: records))
    }
  }
}

/// Passes the rows of an import to a transaction.
private struct TransactionSink: QuoteSink {
  let transaction: Transaction

  func upsert(_ ticker: TickerSymbol, _ columns: QuoteColumns) throws -> UpsertCounts {
    try transaction.upsert(ticker, columns)
  }

  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) throws -> QuoteColumns {
    try transaction.rows(of: ticker, from: first, to: last)
  }
}
