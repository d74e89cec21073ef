import Quoin

/// The text of a query's rows, made as it is asked for. At most 2,048 rows are in memory at a time.
final class ScanText {
  private let cursor: QuoteCursor
  private let formatter: QuoteFormatter
  private let output: Output
  private let onRows: (Int) -> Void
  private var isFinished = false

  /// The bytes that the formatter has written.
  private final class Output {
    var bytes: [UInt8] = []
  }

  /// - Parameter onRows: called with the number of rows of each batch.
  init(_ query: QuoteQuery, _ columns: [QuoteFormatter.Column], _ format: OutputFormat, onRows: @escaping (Int) -> Void)
  {
    cursor = query.cursor(rowsPerBatch: 2048)
    let output = Output()
    self.output = output
    formatter = QuoteFormatter(format, columns: columns) { output.bytes.append($0) }
    self.onRows = onRows
  }

  /// The next bytes; nil at the end.
  func next() throws -> [UInt8]? {
    output.bytes = []
    while output.bytes.isEmpty, !isFinished {
      if let batch = try cursor.next() {
        onRows(batch.rowCount)
        try formatter.append(batch)
      } else {
        try formatter.finish()
        isFinished = true
      }
    }
    return output.bytes.isEmpty ? nil : output.bytes
  }
}
