import Quoin

/// The text of a question's rows, made as it is asked for. At most 2,048 rows are in memory at a time, or all if they are sorted.
final class ScanText {
  /// Nil at the end: an answer may wait long for its client, and needs its rows no more.
  private var rows: QuestionRows?
  private let columns: [QuoteFormatter.Column]
  private var writer: any RowWriter
  private let output: Output
  private let onRows: (Int) -> Void
  private var batch: QuoteBatch?
  private var nextRow = 0
  private var isFinished = false

  private static let rowsPerBatch = 2048

  /// The bytes that the writer has written.
  private final class Output {
    var bytes: [UInt8] = []
  }

  /// - Parameter onRows: called with the number of rows of each batch.
  init(_ question: QuoteQuestion, in store: QuoteStore, _ format: OutputFormat, onRows: @escaping (Int) -> Void) {
    let (rows, output) = (QuestionRows(question, in: store, rowsPerBatch: Self.rowsPerBatch), Output())
    (self.rows, columns, self.output, self.onRows) = (rows, rows.columns.map(\.column), output, onRows)
    writer = format.makeWriter(columns.map(\.heading), layout: TableLayout()) { output.bytes.append($0) }
  }

  /// The next bytes; nil at the end.
  func next() throws -> [UInt8]? {
    output.bytes = []
    while output.bytes.isEmpty, !isFinished {
      if let batch, nextRow < batch.rowCount {
        let rows = nextRow..<min(nextRow + Self.rowsPerBatch, batch.rowCount)
        try writer.append(batch.cells(of: columns), rows: rows)
        nextRow = rows.upperBound
      } else if let next = try rows?.next() {
        onRows(next.rowCount)
        if rows?.isOneBatch == true {
          (batch, nextRow) = (next, 0)
        } else {
          // Hundreds of answers may wait for their turn: between turns none holds rows.
          try writer.append(next.cells(of: columns), rows: 0..<next.rowCount)
        }
      } else {
        try writer.finish()
        (isFinished, rows, batch) = (true, nil, nil)
      }
    }
    defer { output.bytes = [] }
    return output.bytes.isEmpty ? nil : output.bytes
  }
}
