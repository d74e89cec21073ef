import Console
import Quoin

extension RecordTable {
  func write(_ format: OutputFormat, styled: Bool = false, to output: Output) throws {
    var writer = RecordWriter(columns, format, styled: styled, to: output)
    for start in stride(from: 0, to: rowCount, by: Self.rowsPerBatch) { try writer.append(batch(from: start)) }
    try writer.finish()
  }
}

/// Writes a list part by part, for one whose length isn't known before its end.
struct RecordWriter {
  private let columnCount: Int
  private var writer: any RowWriter

  init(_ columns: [ColumnHeading], _ format: OutputFormat, styled: Bool = false, to output: Output) {
    columnCount = columns.count
    writer = format.makeWriter(columns, layout: .list(isStyled: styled)) { try output.write($0) }
  }

  /// Writes rows, each with the text of every column's cell as in `RecordTable.rows`.
  mutating func append(_ rows: [[String?]]) throws { try writer.append(rows, columnCount: columnCount) }

  mutating func finish() throws { try writer.finish() }
}
