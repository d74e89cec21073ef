// What reads a store, in async functions: as in synchronous ones, but on a thread of Quoin's own, so that no thread of
// Swift's tasks waits. In a cancelled task each of them stops soon and throws `StoreError.cancelled`.

extension QuoteStore {
  /// Opens the store in a directory. If there is none, the store is empty, and the first write creates it.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - mustExist: whether it is an error if there is no store yet.
  /// - Throws: `StoreError`; `StoreError.cancelled` in a cancelled task.
  public convenience init(at path: String, mustExist: Bool = false) async throws(StoreError) {
    let files = SystemFiles()
    let snapshot = try await onBlockingThread(whenCancelled: StoreError.cancelled) { _ throws(StoreError) in
      try Self.newestSnapshot(at: path, mustExist: mustExist, files)
    }
    self.init(at: path, showing: snapshot, in: files)
  }

  /// Shows the newest generation from now on. Returns whether it is newer than the one before.
  ///
  /// - Throws: `StoreError`; `StoreError.cancelled` in a cancelled task.
  @discardableResult
  public func refresh() async throws(StoreError) -> Bool {
    try await onReader { store, _ throws(StoreError) in try store.refresh() }
  }

  /// A summary of each ticker, ascending.
  ///
  /// - Throws: `StoreError` if a directory is damaged; `StoreError.cancelled` in a cancelled task.
  public func tickerSummaries() async throws(StoreError) -> [TickerSummary] {
    try await frozen.onReader { store, _ throws(StoreError) in try store.tickerSummaries() }
  }

  /// A summary of each of these tickers, in their order. Those that the store doesn't have are left out.
  ///
  /// - Throws: `StoreError` if a directory is damaged; `StoreError.cancelled` in a cancelled task.
  public func tickerSummaries(of tickers: [TickerSymbol]) async throws(StoreError) -> [TickerSummary] {
    try await frozen.onReader { store, _ throws(StoreError) in try store.tickerSummaries(of: tickers) }
  }

  /// A summary of a ticker; nil if the store doesn't have it.
  ///
  /// - Throws: `StoreError` if a directory is damaged; `StoreError.cancelled` in a cancelled task.
  public func tickerSummary(of ticker: TickerSymbol) async throws(StoreError) -> TickerSummary? {
    try await frozen.onReader { store, _ throws(StoreError) in try store.tickerSummary(of: ticker) }
  }

  /// The records of all imports, oldest first.
  ///
  /// - Throws: `StoreError` if a table of records is damaged; `StoreError.cancelled` in a cancelled task.
  public func importRecords() async throws(StoreError) -> [ImportRecord] {
    try await frozen.onReader { store, _ throws(StoreError) in try store.importRecords() }
  }

  /// The records of a ticker's imports, oldest first.
  ///
  /// - Throws: `StoreError` if a table of records is damaged; `StoreError.cancelled` in a cancelled task.
  public func importRecords(of ticker: TickerSymbol) async throws(StoreError) -> [ImportRecord] {
    try await frozen.onReader { store, _ throws(StoreError) in try store.importRecords(of: ticker) }
  }

  /// A view of the store as a snapshot shows it. Its answers never change, and it refuses to write.
  ///
  /// - Returns: the view; nil if the store has no such snapshot.
  /// - Throws: `StoreError` if the snapshot's manifest is damaged; `StoreError.cancelled` in a cancelled task.
  public func snapshot(named name: String) async throws(StoreError) -> QuoteStore? {
    try await frozen.onReader { store, _ throws(StoreError) in try store.snapshot(named: name) }
  }

  /// A view of the store as an earlier generation shows it, which the store keeps, or of the newest one. Its answers never
  /// change, and it refuses to write.
  ///
  /// - Returns: the view; nil if the store doesn't keep this generation.
  /// - Throws: `StoreError` if the snapshot's manifest is damaged; `StoreError.cancelled` in a cancelled task.
  public func snapshot(ofGeneration number: UInt64) async throws(StoreError) -> QuoteStore? {
    try await frozen.onReader { store, _ throws(StoreError) in try store.snapshot(ofGeneration: number) }
  }

  /// How each column is stored: an entry for each encoding and storage of its blocks, the largest first. Reads every block.
  ///
  /// - Throws: `StoreError` if a block is damaged; `StoreError.cancelled` in a cancelled task.
  package func encodingSummaries() async throws(StoreError) -> [EncodingSummary] {
    try await frozen.onReader { store, cancellation throws(StoreError) in
      try store.encodingSummaries(stoppedBy: cancellation)
    }
  }

  /// Reads every block of the newest generation and checks every checksum, statistic and row count.
  ///
  /// - Parameter progress: called on another thread after each file, with the bytes checked so far and the bytes to check.
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func verify(
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> VerifyReport {
    try await onReader { store, cancellation throws(StoreError) in
      try Self.verify(store.path, in: store.fileSystem, stoppedBy: cancellation, progress)
    }
  }

  /// Reads every block of a store's newest generation, as in synchronous functions, also of a store that can't be opened.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - progress: called on another thread after each file, with the bytes checked so far and the bytes to check.
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public static func verify(
    at path: String, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> VerifyReport {
    try await onBlockingThread(whenCancelled: StoreError.cancelled) { cancellation throws(StoreError) in
      try verify(path, in: SystemFiles(), stoppedBy: cancellation, progress)
    }
  }

  /// What `ask` gets from this store on a thread that may block.
  private func onReader<Answer: Sendable>(
    _ ask: @escaping @Sendable (QuoteStore, Cancellation) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await onBlockingThread(whenCancelled: StoreError.cancelled) { cancellation throws(StoreError) in
      try ask(self, cancellation)
    }
  }
}

/// Does on a thread of the writers' what blocks its thread.
func onWriter<Value: Sendable>(
  _ body: @escaping @Sendable () throws(StoreError) -> Value
) async throws(StoreError) -> Value {
  try await onBlockingThread(of: .writers, whenCancelled: .cancelled) { _ throws(StoreError) in try body() }
}
