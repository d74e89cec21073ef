/// The rows of a query as an asynchronous sequence of batches.
///
///     for try await batch in store.allQuotes.where(.high, above: 80).batches() { print(batch.rowCount) }
///
/// Each batch is read when it is asked for, on a thread of Quoin's own, so a slow consumer holds one batch in memory and no
/// thread. Each iteration runs the query from the start.
public struct QuoteBatches: AsyncSequence, Sendable {
  /// Columns of some rows, at least one.
  public typealias Element = QuoteBatch
  /// A damaged block, or the cancellation of the task.
  public typealias Failure = StoreError

  let query: QuoteQuery
  let rowsPerBatch: Int

  /// An iterator that runs the query from the start.
  public func makeAsyncIterator() -> AsyncIterator {
    let cancellation = Cancellation()
    return AsyncIterator(
      cursor: query.stopped(by: cancellation).cursor(rowsPerBatch: rowsPerBatch), cancellation: cancellation)
  }

  /// Runs the query as batches are asked for.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let cursor: QuoteCursor
    let cancellation: Cancellation

    /// The next batch, which has at least one row; nil after the last one and after an error.
    ///
    /// - Throws: `StoreError` when a block is damaged, and `StoreError.cancelled` in a cancelled task.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(StoreError) -> QuoteBatch? {
      try await onBlockingThread(stoppedBy: cancellation, whenCancelled: StoreError.cancelled) {
        [cursor] _ throws(StoreError) in try cursor.next()
      }
    }
  }
}
