import Console
import Quoin

/// A list, such as that of the tickers, which can be written in every format that quotes can.
struct RecordTable {
  let columns: [ColumnHeading]
  /// The cells' texts, those of a number as JSON writes it; nil is a missing cell.
  var rows: [[String?]] = []
  /// More rows below `rows`, made when they are written.
  private var laterRowCount = 0
  private var laterRow: (Int) -> [String?] = { _ in [] }

  private static let rowsPerBatch = 1024

  init(_ columns: [ColumnHeading]) { self.columns = columns }

  /// A long list, whose rows are made one by one.
  init(_ columns: [ColumnHeading], rowCount: Int, row: @escaping (Int) -> [String?]) {
    self.columns = columns
    (laterRowCount, laterRow) = (rowCount, row)
  }

  func write(_ format: OutputFormat, styled: Bool = false, to output: Output) throws {
    var writer = RecordWriter(columns, format, styled: styled, to: output)
    let rowCount = rows.count + laterRowCount
    for start in stride(from: 0, to: rowCount, by: Self.rowsPerBatch) {
      try writer.append((start..<min(start + Self.rowsPerBatch, rowCount)).map(row))
    }
    try writer.finish()
  }

  private func row(_ index: Int) -> [String?] {
    index < rows.count ? rows[index] : laterRow(index - rows.count)
  }
}

/// Writes a list part by part, for one whose length isn't known before its end.
struct RecordWriter {
  private let columns: [ColumnHeading]
  private var writer: any RowWriter

  init(_ columns: [ColumnHeading], _ format: OutputFormat, styled: Bool = false, to output: Output) {
    self.columns = columns
    writer = format.makeWriter(columns, layout: .list(isStyled: styled)) { try output.write($0) }
  }

  /// Writes rows, each with the text of every column's cell as in `RecordTable.rows`.
  mutating func append(_ rows: [[String?]]) throws {
    let cells = columns.indices.map { column in CellColumn.texts(rows.map { $0[column] }) }
    try writer.append(cells, rows: rows.indices)
  }

  mutating func finish() throws { try writer.finish() }
}

extension ColumnHeading {
  static func text(_ name: String) -> ColumnHeading { ColumnHeading(name, .text) }
  static func number(_ name: String) -> ColumnHeading { ColumnHeading(name, .number) }
}
