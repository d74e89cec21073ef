/// The rows of a question with their columns, which are read as they are asked for.
///
///     while let batch = try rows.next() { try table.append(batch) }
public struct QuestionRows: Sendable {
  /// The columns with what those that are computed are computed from.
  package let columns: [QuoteFormatter.Column.Listed]
  private let question: QuoteQuestion
  private let store: QuoteStore
  private let rowsPerBatch: Int
  private var hasBegun = false
  /// Nil before the first batch, and where all rows are in one.
  private var cursor: QuoteCursor?

  /// Reads nothing yet.
  ///
  /// - Parameter rowsPerBatch: where a batch ends, after whole blocks, unless all rows are one.
  package init(_ question: QuoteQuestion, in store: QuoteStore, rowsPerBatch: Int) {
    (self.question, self.store, self.rowsPerBatch) = (question, store, rowsPerBatch)
    columns = question.listedColumns
  }

  /// The columns in the order of the question, as `QuoteFormatter` takes them. A batch has a computed one by its name.
  public var formattedColumns: [QuoteFormatter.Column] { columns.map(\.column) }

  /// Whether all rows come at once, because they are by keys.
  package var isOneBatch: Bool {
    if case .keys = question.order { true } else { false }
  }

  /// The next rows; nil at the end. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged, a ticker is unknown, or the question is over its budget.
  public mutating func next() throws(StoreError) -> QuoteBatch? {
    if hasBegun { return try cursor?.next() }
    hasBegun = true
    let columns = columns
    let batch: QuoteBatch?
    (cursor, batch) = try store.asking(question) { query throws(StoreError) in
      try begin(query.columns(columns))
    }
    return batch
  }

  /// The first batch, and where further ones come from.
  private func begin(_ query: QuoteQuery) throws(StoreError) -> (QuoteCursor?, QuoteBatch?) {
    switch question.order {
    case .keys(let keys): return (nil, try query.sorted(by: keys))
    case .date:
      let cursor = query.cursor(rowsPerBatch: rowsPerBatch)
      return (cursor, try cursor.next())
    }
  }

  /// How the rows are found. Blocks the calling thread.
  package func report() throws(StoreError) -> ScanReport {
    try store.asking(question) { query throws(StoreError) in try query.columns(columns).explain() }
  }
}
