import Synchronization

/// The rows of a query, batch by batch, read as they are asked for.
///
///     let cursor = store.allQuotes.where(.high, above: 80).cursor()
///     while let batch = try cursor.next() { print(batch.rowCount) }
///
/// A cursor is a reference, so that it can be kept in a constant, in a structure or in a closure, and nobody iterates over a
/// copy by accident. Several threads may share one: each batch goes to one of them.
///
/// It keeps the snapshot of its query in memory, and at most 64 blocks' selected rows beside the batch.
public final class QuoteCursor: Sendable {
  private let scan: Mutex<Scan>

  init(_ query: QuoteQuery, rowsPerBatch: Int) { scan = Mutex(Scan(query, rowsPerBatch: max(1, rowsPerBatch))) }

  /// The next batch, which has at least one row; nil after the last one and after an error. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func next() throws(StoreError) -> QuoteBatch? {
    try scan.withLock { scan throws(StoreError) in
      do throws(StoreError) { return try scan.nextBatch() } catch {
        scan.stop()
        throw error
      }
    }
  }
}
