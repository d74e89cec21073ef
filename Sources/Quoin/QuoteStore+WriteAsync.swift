// The verbs of writing, in async functions: as in synchronous ones, but on threads of Quoin's own, and without a thread
// while they wait for another writer.

extension QuoteStore {
  /// Stores quotes in one commit. A quote has all attributes, so it replaces the stored one of the same ticker and
  /// day, unless the mode is `keep`.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - quotes: the quotes, in any order. Of two with the same ticker and day, the later one counts.
  ///   - source: their origin, for the records of imports.
  ///   - mode: what happens to the rows of days that the store has.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ quotes: some Sequence<DailyQuoteSummary>, source: String = "Swift", mode: UpsertMode = .update,
    patience: Duration = .zero
  ) async throws(StoreError) -> UpsertCounts {
    try await upsert(QuoteColumns.byTicker(quotes), source: source, mode: mode, patience: patience)
  }

  /// Stores columns of quotes, by ticker, in one commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - columns: rows in any order. Of two rows of the same day, the later one counts. Absent attributes keep their stored
  ///     values, unless the mode is `replace`.
  ///   - source: their origin, for the records of imports.
  ///   - mode: what happens to the rows of days that the store has.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ columns: [TickerSymbol: QuoteColumns], source: String = "Swift", mode: UpsertMode = .update,
    patience: Duration = .zero
  ) async throws(StoreError) -> UpsertCounts {
    try await committing(patience) { (transaction) throws(StoreError) in
      try transaction.upsert(columns, source: source, mode: mode)
    }
  }

  /// Stores rows of one or many tickers in one commit. Of two rows of the same ticker and day, the later one counts.
  /// Attributes that the batch doesn't have keep their stored values, unless the mode is `replace`.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ batch: QuoteBatch, source: String = "Swift", mode: UpsertMode = .update,
    patience: Duration = .zero
  ) async throws(StoreError) -> UpsertCounts {
    try await committing(patience) { (transaction) throws(StoreError) in
      try transaction.upsert(batch, source: source, mode: mode)
    }
  }

  /// Removes every quote of the store, together with the records of their imports, in one commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func deleteAll(patience: Duration = .zero) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in try transaction.deleteAll() }
  }

  /// Removes every quote of a ticker, together with the records of its imports, in one commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(_ ticker: TickerSymbol, patience: Duration = .zero) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in try transaction.delete(ticker) }
  }

  /// Removes every quote of some tickers, together with the records of their imports, in one commit. An empty array removes
  /// nothing.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(_ tickers: [TickerSymbol], patience: Duration = .zero) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in try transaction.delete(tickers) }
  }

  /// Removes the quotes of a ticker from one day to another, both included, in one commit. The records of imports stay.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(
    _ ticker: TickerSymbol, dates: ClosedRange<TradingDay>, patience: Duration = .zero
  ) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in try transaction.delete(ticker, dates: dates) }
  }

  /// Removes the quotes of some tickers that meet a condition, in one commit. An empty array removes nothing. The records of
  /// imports stay.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(
    _ tickers: [TickerSymbol], where predicate: Predicate, patience: Duration = .zero
  ) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in
      try transaction.delete(tickers, where: predicate)
    }
  }

  /// Removes the quotes of the whole market that meet a condition, in one commit. The records of imports stay.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(where predicate: Predicate, patience: Duration = .zero) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in try transaction.delete(where: predicate) }
  }

  /// Changes the quotes of some tickers that meet a condition, in one commit. An empty array changes nothing.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  ///     try await store.update(["FDX"], where: .range(.close, ...0.0)) { $0.close = nil }
  ///
  /// - Parameters:
  ///   - tickers: the stocks.
  ///   - predicate: which of their quotes.
  ///   - patience: how long to wait while another writer is at work.
  ///   - change: gives a quote other values. Its ticker and its day have to stay.
  /// - Returns: the number of quotes that met the condition, whether or not `change` made them different.
  /// - Throws: `StoreError`: `keyChanged` if a quote got another ticker or day. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func update(
    _ tickers: [TickerSymbol], where predicate: Predicate, patience: Duration = .zero,
    _ change: @escaping @Sendable (inout DailyQuoteSummary) -> Void
  ) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in
      try transaction.update(tickers, where: predicate, change)
    }
  }

  /// Changes the quotes of the whole market that meet a condition, in one commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - predicate: which quotes.
  ///   - patience: how long to wait while another writer is at work.
  ///   - change: gives a quote other values. Its ticker and its day have to stay.
  /// - Returns: the number of quotes that met the condition, whether or not `change` made them different.
  /// - Throws: `StoreError`: `keyChanged` if a quote got another ticker or day. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func update(
    where predicate: Predicate, patience: Duration = .zero,
    _ change: @escaping @Sendable (inout DailyQuoteSummary) -> Void
  ) async throws(StoreError) -> Int {
    try await committing(patience) { (transaction) throws(StoreError) in
      try transaction.update(where: predicate, change)
    }
  }

  /// Rewrites all files, ticker by ticker, with full blocks and without deleted rows. All blocks are packed anew.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - packing: how blocks are packed, in later commits too; nil for how the store packs them now.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func compact(packing: BlockPacking? = nil, patience: Duration = .zero) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      try transaction.compact(packing)
    }
  }

  /// Keeps the newest generation under a name. It takes no copy of the quotes: their files stay as long as the snapshot does.
  /// It is one commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 letters, digits, `.`, `_` and `-`, of which the first is a letter.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: if the name is taken or none, or if the store is empty. Unless it is `commitUnknown`, nothing has
  ///   changed.
  public func keepSnapshot(named name: String, patience: Duration = .zero) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      try transaction.keepSnapshot(named: name)
    }
  }

  /// Forgets a snapshot. Files that only it needed are removed. It is one commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - name: the snapshot's name.
  ///   - patience: how long to wait while another writer is at work.
  /// - Returns: whether there was such a snapshot.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func dropSnapshot(named name: String, patience: Duration = .zero) async throws(StoreError) -> Bool {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      transaction.retention.drop(name)
    }
  }

  /// Keeps as many of the newest earlier generations from the next commit on, as in synchronous functions.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - count: at least 0, at most 1,000,000; what is beyond counts as the nearest of them.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func keepRecentGenerations(_ count: Int, patience: Duration = .zero) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      transaction.retention.recentCount = Retention.recentCount(count)
    }
  }

  /// Takes the last change back: the store has the rows of before again, bit for bit, and their records of imports. The names of
  /// snapshots stay. It is one commit, which can be taken back in turn.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Throws: `StoreError`: `nothingToUndo` if the generation before the change isn't kept, `damaged` if its files are. Unless
  ///   it is `commitUnknown`, nothing has changed.
  public func undo(patience: Duration = .zero) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      try transaction.undo()
    }
  }

  /// Brings back the rows of a snapshot, bit for bit, in place of all that the store has. It copies nothing. It is one commit,
  /// which `undo` takes back.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Throws: `StoreError`: `noSnapshot` if there is none of this name, `damaged` if its files are. Unless it is
  ///   `commitUnknown`, nothing has changed.
  public func restore(snapshotNamed name: String, patience: Duration = .zero) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      try transaction.restore(snapshotNamed: name)
    }
  }

  /// Brings back the rows of an earlier generation that the store keeps, as `restore(snapshotNamed:)` does.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Throws: `StoreError`: `noSnapshot` if the store doesn't keep it, `damaged` if its files are. Unless it is
  ///   `commitUnknown`, nothing has changed.
  public func restore(generation number: UInt64, patience: Duration = .zero) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      try transaction.restore(generation: number)
    }
  }

  private func committing<Value: Sendable>(
    _ patience: Duration, _ body: @escaping @Sendable (borrowing StoreTransaction) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      // Handed over without a name, it makes the optimizer of Swift 6.3.1 fail.
      let handle = StoreTransaction(transaction)
      return try body(handle)
    }
  }
}

// Texts in memory.
extension QuoteStore {
  /// Stores the quotes of a text in memory in one commit: Quandl JSON, CSV or NDJSON, recognized as a file is.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws
  /// `ImportError.store(.cancelled)`.
  ///
  /// - Parameters:
  ///   - bytes: the text, not packed: `Data`, `[UInt8]`, or the `utf8` of a `String`.
  ///   - options: how to read it. Without a `source`, the records of imports say `Swift`.
  ///   - name: the name of the text in errors.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `ImportError`. Unless it is a store's `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    parsing bytes: some Sequence<UInt8>, options: ImportOptions = ImportOptions(), name: String = "the text",
    patience: Duration = .zero
  ) async throws(ImportError) -> ImportSummary {
    let bytes = Array(bytes)
    let text = try await onBlockingThread(of: .writers, whenCancelled: ImportError.store(.cancelled)) {
      (_) throws(ImportError) in try ParsedText(bytes, options, name: name)
    }
    return try await commit(patience: patience, threads: options.threads, failingWith: ImportError.store) {
      (transaction) throws(ImportError) in try StoreTransaction(transaction).upsert(text)
    }
  }

  /// Stores the quotes of a Quandl document that `JSONSerialization` has read: `dataset_data`, `dataset` or `datatable`.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws
  /// `ImportError.store(.cancelled)`.
  ///
  /// - Parameters:
  ///   - document: strings, numbers, arrays, dictionaries and nulls, as `NSNumber`, `NSNull` and the like, or as Swift's own.
  ///   - options: how to read it. Without a `source`, the records of imports say `Swift`.
  ///   - name: the name of the document in errors.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `ImportError`; `unknownShape` has the path of what is wrong. Unless it is a store's `commitUnknown`, nothing
  ///   has changed.
  @discardableResult
  public func upsert(
    parsing document: [String: Any], options: ImportOptions = ImportOptions(), name: String = "the document",
    patience: Duration = .zero
  ) async throws(ImportError) -> ImportSummary {
    var options = options
    options.format = .json
    return try await upsert(
      parsing: JSONObjectText.bytes(of: document, name: name), options: options, name: name, patience: patience)
  }
}
