extension QuoteStore {
  /// Looks for rows, and days without one, that break a rule of `AuditRule`. Blocks the calling thread. Memory holds the rows of a
  /// few tickers at a time.
  ///
  ///     try store.audit(AuditOptions(rules: [.jump, .zeroPrice], from: "2018-01-01")) { print($0) }
  ///
  /// - Parameters:
  ///   - options: the rules, the tickers and the days; all by default.
  ///   - progress: called now and then with the number of rows that were checked, and of those that are to be checked.
  ///   - body: takes a finding. They come by ticker, day and rule. When it throws an error, nothing more is read.
  /// - Returns: the number of rows that were checked.
  /// - Throws: `StoreError` when a block is damaged, or the error of `body`.
  @discardableResult
  public func audit(
    _ options: AuditOptions = AuditOptions(), progress: (Int, Int) -> Void = { _, _ in },
    _ body: (AuditFinding) throws -> Void
  ) throws -> Int {
    try audit(options, stoppedBy: nil, progress: progress, body)
  }

  /// As above, until it is stopped: then it throws `StoreError.cancelled`.
  package func audit(
    _ options: AuditOptions, stoppedBy cancellation: Cancellation?, progress: (Int, Int) -> Void = { _, _ in },
    _ body: (AuditFinding) throws -> Void
  ) throws -> Int {
    let audit = Audit(snapshot, options, within: budget(stoppedBy: cancellation))
    try audit.forEachFinding(progress: progress, body)
    return audit.rowCount
  }

  /// Looks for rows, and days without one, that break a rule of `AuditRule`, as in synchronous functions, but on a thread of Quoin's
  /// own.
  ///
  /// - Parameters:
  ///   - options: the rules, the tickers and the days; all by default.
  ///   - progress: called on another thread, as in synchronous functions.
  ///   - body: takes a finding, on the same thread. They come by ticker, day and rule. When it throws an error, nothing more is read.
  /// - Returns: the number of rows that were checked.
  /// - Throws: `StoreError` when a block is damaged; `StoreError.cancelled` in a cancelled task; or the error of `body`.
  @discardableResult
  public func audit(
    _ options: AuditOptions = AuditOptions(), progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    _ body: @escaping @Sendable (AuditFinding) throws -> Void
  ) async throws -> Int {
    let (snapshot, store) = (snapshot, self)
    return try await onBlockingThread(whenCancelled: StoreError.cancelled as any Error) { cancellation in
      let audit = Audit(snapshot, options, within: store.budget(stoppedBy: cancellation))
      try audit.forEachFinding(progress: progress, body)
      return audit.rowCount
    }
  }
}
