import Console
import Quoin

extension Statement {
  /// Runs the statement, and writes its rows.
  func write(_ format: OutputFormat, styled: Bool, to output: Output) throws {
    let count = columnCount
    // A column is of numbers unless one of the first rows has a text in it: a row says its types itself.
    var isText = [Bool](repeating: false, count: count)
    var rows: [[String?]] = []
    var writer: (any RowWriter)?
    func flush() throws {
      if writer == nil {
        let headings = zip(columnNames, isText).map { ColumnHeading($0, $1 ? .text : .number) }
        writer = format.makeWriter(headings, layout: TableLayout(isStyled: styled)) { try output.write($0) }
      }
      if !rows.isEmpty { try writer?.append(rows, columnCount: count) }
      rows.removeAll(keepingCapacity: true)
    }
    while try step() {
      if count == 0 { continue }
      if writer == nil { for column in 0..<count where self.isText(column) { isText[column] = true } }
      rows.append((0..<count).map(cell))
      if rows.count == RecordTable.rowsPerBatch { try flush() }
    }
    if count == 0 { return }
    try flush()
    try writer?.finish()
  }
}
