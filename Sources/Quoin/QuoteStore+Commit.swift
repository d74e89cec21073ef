// How every write is done: lock, transaction, changes, commit.

extension QuoteStore {
  /// Runs `body` in a transaction on the newest generation, commits, and shows what was committed.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for another writer.
  ///   - crew: the threads that encode, including the calling one.
  ///   - failure: the error that a `StoreError` becomes.
  ///   - body: makes the changes. If it throws, nothing has changed.
  /// - Returns: what `body` returns, once it is durable.
  func commit<Value, Failure: Error>(
    patience: Duration, crew: Crew = Crew(threadCount: Crew.defaultThreadCount),
    failingWith failure: (StoreError) -> Failure, _ body: (Transaction) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let lock: WriterLock
    do throws(StoreError) { lock = try self.lock(patience: patience) } catch { throw failure(error) }
    return try commit(holding: lock, crew, failure, body)
  }

  /// The same, where only a `StoreError` can happen.
  func commit<Value>(
    patience: Duration, crew: Crew = Crew(threadCount: Crew.defaultThreadCount),
    _ body: (Transaction) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try commit(patience: patience, crew: crew, failingWith: StoreError.unchanged, body)
  }

  /// The same, for a task: it waits without a thread, and `body` runs on one that may block.
  ///
  /// When the task is cancelled before the commit, nothing has changed.
  func commit<Value: Sendable, Failure: Error>(
    patience: Duration, threads: Int = Crew.defaultThreadCount,
    failingWith failure: @escaping @Sendable (StoreError) -> Failure,
    _ body: @escaping @Sendable (Transaction) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let deadline = ContinuousClock.now + patience
    while true {
      let value = try await onBlockingThread(of: .writers, whenCancelled: failure(.cancelled)) {
        (cancellation) throws(Failure) -> Value? in
        guard let lock = try self.lock(before: deadline, failure) else { return nil }
        return try self.commit(holding: lock, Crew(threadCount: threads), failure) { (transaction) throws(Failure) in
          transaction.cancellation = cancellation
          return try body(transaction)
        }
      }
      if let value { return value }
      do { try await Task.sleep(for: .milliseconds(10)) } catch { throw failure(.cancelled) }
    }
  }

  /// Takes the writer's lock; nil if another writer has it and there is still time.
  private func lock<Failure: Error>(
    before deadline: ContinuousClock.Instant, _ failure: (StoreError) -> Failure
  ) throws(Failure) -> WriterLock? {
    do throws(StoreError) { return try lock(patience: .zero) } catch {
      if case .locked = error, ContinuousClock.now < deadline { return nil }
      throw failure(error)
    }
  }

  private func lock(patience: Duration) throws(StoreError) -> WriterLock {
    if isPinned { throw .readOnly(path: path) }
    if isStopped { throw .writerStopped(path: path) }
    do throws(StoreError) { return try WriterLock(path, fileSystem, patience: patience) } catch {
      note(error)
      throw error
    }
  }

  private func commit<Value, Failure: Error>(
    holding lock: WriterLock, _ crew: Crew, _ failure: (StoreError) -> Failure,
    _ body: (Transaction) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    defer { leave(lock) }
    let transaction: Transaction
    do throws(StoreError) { transaction = try begin(crew) } catch { throw failure(error) }
    let value: Value
    do throws(Failure) { value = try body(transaction) } catch {
      transaction.abandon()
      if let failure = transaction.failure { note(failure) }
      throw error
    }
    do throws(StoreError) { show(try transaction.finish()) } catch {
      note(error)
      throw failure(error)
    }
    return value
  }

  /// Ends a write. If it was the first one and nothing was committed, nothing is left of it. After a failed sync nothing more is
  /// done, because nobody knows what the disk holds.
  private func leave(_ lock: WriterLock) {
    if !isStopped, generation == 0 { lock.removeUnusedDirectory() }
    withExtendedLifetime(lock) {}
  }

  private func begin(_ crew: Crew) throws(StoreError) -> Transaction {
    do throws(StoreError) {
      let base = try Snapshot.newest(in: path, fileSystem, knowing: snapshot) ?? Snapshot()
      let transaction = Transaction(on: base, in: path, fileSystem, encodings: encodings, crew: crew)
      // Of a damaged store nothing is removed.
      if transaction.failure == nil { try transaction.removeStrayFiles() }
      return transaction
    } catch {
      note(error)
      throw error
    }
  }
}

// What a store's error becomes in a function that throws others too.
extension StoreError {
  static func unchanged(_ error: StoreError) -> StoreError { error }
  static func erased(_ error: StoreError) -> any Error { error }
}

extension Transaction {
  /// Commits what has changed, and returns what the store has then. If that fails, the files that were written are removed,
  /// unless the commit may have been published.
  fileprivate func finish() throws(StoreError) -> Snapshot {
    do throws(StoreError) {
      try checkWhetherSound()
      let records = importRecords.sorted { $0.key < $1.key }.flatMap(\.value)
      return try commit(importRecords: records) ?? base
    } catch {
      if case .commitUnknown = error { throw error }
      abandon()
      throw error
    }
  }
}
