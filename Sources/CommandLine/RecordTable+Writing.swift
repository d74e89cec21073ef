import Console
import Quoin

extension RecordTable {
  func write(_ format: OutputFormat, styled: Bool = false, to output: Output) throws {
    try write(format, TableLayout(isStyled: styled), to: output)
  }

  /// Writes the list; a table as a layout says, in which every row counts for the widths.
  func write(_ format: OutputFormat, _ layout: TableLayout, to output: Output) throws {
    var writer = RecordWriter(columns, format, layout, to: output)
    for start in stride(from: 0, to: rowCount, by: Self.rowsPerBatch) { try writer.append(batch(from: start)) }
    try writer.finish()
  }
}

/// Writes a list part by part, for one whose length isn't known before its end.
struct RecordWriter {
  private let columnCount: Int
  private var writer: any RowWriter

  init(_ columns: [ColumnHeading], _ format: OutputFormat, styled: Bool = false, to output: Output) {
    self.init(columns, format, TableLayout(isStyled: styled), to: output)
  }

  init(_ columns: [ColumnHeading], _ format: OutputFormat, _ layout: TableLayout, to output: Output) {
    columnCount = columns.count
    var layout = layout
    layout.becomeList()
    writer = format.makeWriter(columns, layout: layout) { try output.write($0) }
  }

  /// Writes rows, each with the text of every column's cell as in `RecordTable.rows`.
  mutating func append(_ rows: [[String?]]) throws { try writer.append(rows, columnCount: columnCount) }

  mutating func finish() throws { try writer.finish() }
}
