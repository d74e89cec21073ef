extension QuoteStore {
  /// Imports files of quotes: Quandl JSON, CSV of many kinds, NDJSON, each also as gzip or zip. All files are one commit. A file
  /// changes only the attributes that it has, unless the options say otherwise.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - paths: the files, in order; a directory stands for the files in it and below, and `-` for standard input.
  ///   - options: how to read them.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: called at most ten times a second.
  /// - Throws: `ImportError` if a file can't be read or has bad rows; its case `store` if the store can't be written. Unless
  ///   that is `commitUnknown`, nothing has changed.
  @discardableResult
  public func importFiles(
    _ paths: [String], options: ImportOptions = ImportOptions(), patience: Duration = .zero,
    progress: ((ImportProgress) -> Void)? = nil
  ) throws(ImportError) -> ImportSummary {
    let crew = Crew(threadCount: options.threads)
    return try commit(patience: patience, crew: crew, failingWith: ImportError.store) {
      (transaction) throws(ImportError) in try transaction.importFiles(paths.map { .path($0) }, options, progress)
    }
  }

  /// Imports files of quotes: Quandl JSON, CSV of many kinds, NDJSON, each also as gzip or zip. All files are one commit. A file
  /// changes only the attributes that it has, unless the options say otherwise.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws
  /// `ImportError.store(.cancelled)`, and nothing has changed.
  ///
  /// - Parameters:
  ///   - paths: the files, in order; a directory stands for the files in it and below, and `-` for standard input.
  ///   - options: how to read them.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: called at most ten times a second, on a thread of the store's.
  /// - Throws: `ImportError` if a file can't be read or has bad rows; its case `store` if the store can't be written. Unless
  ///   that is `commitUnknown`, nothing has changed.
  @discardableResult
  public func importFiles(
    _ paths: [String], options: ImportOptions = ImportOptions(), patience: Duration = .zero,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws(ImportError) -> ImportSummary {
    try await commit(patience: patience, threads: options.threads, failingWith: ImportError.store) {
      (transaction) throws(ImportError) in try transaction.importFiles(paths.map { .path($0) }, options, progress)
    }
  }

  /// Imports files of which some are in memory, as `importFiles(_:options:patience:progress:)` does.
  package func importSources(
    _ sources: [ImportSource], options: ImportOptions, patience: Duration
  ) throws(ImportError) -> ImportSummary {
    let crew = Crew(threadCount: options.threads)
    return try commit(patience: patience, crew: crew, failingWith: ImportError.store) {
      (transaction) throws(ImportError) in try transaction.importFiles(sources, options, nil)
    }
  }
}

extension QuoteStore {
  /// Says what an import would do, and changes nothing: the files are read and compared with the store, but what would be written
  /// stays in memory, some 13 bytes a row. Another writer may work meanwhile.
  ///
  /// Blocks the calling thread.
  ///
  /// - Throws: `ImportError`, as `importFiles` would.
  public func previewImport(
    of paths: [String], options: ImportOptions = ImportOptions(), progress: ((ImportProgress) -> Void)? = nil
  ) throws(ImportError) -> ImportSummary {
    try previewImport(of: paths.map { ImportSource.path($0) }, options: options, progress: progress)
  }

  /// The same for files of which some are in memory.
  package func previewImport(
    of sources: [ImportSource], options: ImportOptions, progress: ((ImportProgress) -> Void)? = nil
  ) throws(ImportError) -> ImportSummary {
    let base: Snapshot
    do throws(StoreError) {
      base = try Snapshot.newest(in: path, fileSystem, knowing: snapshot) ?? Snapshot()
      try WriterLock.checkWhetherStore(path, (try? fileSystem.names(in: path)) ?? [])
    } catch { throw .store(error) }
    let transaction = Transaction(
      on: base, in: path, ScratchFiles(over: fileSystem), encodings: encodings,
      crew: Crew(threadCount: options.threads))
    return try transaction.importFiles(sources, options, progress)
  }
}

extension Transaction {
  /// Puts in the rows of files, with their records.
  fileprivate func importFiles(
    _ sources: [ImportSource], _ options: ImportOptions, _ progress: ((ImportProgress) -> Void)?
  ) throws(ImportError) -> ImportSummary {
    do throws(StoreError) {
      if let packing = options.packing { try setPacking(packing) }
    } catch { throw .store(error) }
    var sink = TransactionSink(transaction: self)
    let summary = try QuoteImporter(options: options, crew: crew, progress: progress).importSources(
      sources, into: &sink)
    let now = fileSystem.now
    for period in summary.periods where period.rowCount > 0 {
      note(
        ImportRecord(
          ticker: period.ticker, firstDay: period.firstDay, lastDay: period.lastDay, rowCount: period.rowCount,
          source: period.source, importedAt: now, generation: generation))
    }
    return summary
  }
}

/// Passes the rows of an import to a transaction.
private struct TransactionSink: QuoteSink {
  let transaction: Transaction

  func upsert(
    _ ticker: TickerSymbol, _ columns: QuoteColumns, _ mode: UpsertMode, present: AttributeSet
  ) throws(StoreError) -> UpsertCounts {
    try transaction.upsert(ticker, columns, mode, present: present)
  }

  func stored(
    _ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay
  ) throws(StoreError) -> QuoteColumns {
    try transaction.rows(of: ticker, from: first, to: last)
  }
}
