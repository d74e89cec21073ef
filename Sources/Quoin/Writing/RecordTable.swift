/// A list, such as that of the tickers, which can be written in every format that quotes can.
package struct RecordTable {
  package let columns: [ColumnHeading]
  /// The cells' texts, those of a number as JSON writes it; nil is a missing cell.
  package var rows: [[String?]] = []
  /// More rows below `rows`, made when they are written.
  private var laterRowCount = 0
  private var laterRow: (Int) -> [String?] = { _ in [] }

  package static let rowsPerBatch = 1024

  package init(_ columns: [ColumnHeading]) { self.columns = columns }

  /// A long list, whose rows are made one by one.
  package init(_ columns: [ColumnHeading], rowCount: Int, row: @escaping (Int) -> [String?]) {
    self.columns = columns
    (laterRowCount, laterRow) = (rowCount, row)
  }

  package var rowCount: Int { rows.count + laterRowCount }

  /// The rows from `start` on, as many as are written at once.
  package func batch(from start: Int) -> [[String?]] {
    (start..<min(start + Self.rowsPerBatch, rowCount)).map { index in
      index < rows.count ? rows[index] : laterRow(index - rows.count)
    }
  }
}

extension ColumnHeading {
  package static func text(_ name: String) -> ColumnHeading { ColumnHeading(name, .text) }
  package static func number(_ name: String) -> ColumnHeading { ColumnHeading(name, .number) }
}

extension RowWriter {
  /// Writes rows of texts, each with one for every column.
  package mutating func append(_ rows: [[String?]], columnCount: Int) throws {
    let cells = (0..<columnCount).map { column in CellColumn.texts(rows.map { $0[column] }) }
    try append(cells, rows: rows.indices)
  }
}

extension RecordTable {
  /// Groups: their keys and their columns.
  package init(_ answer: GroupAnswer) {
    let (keys, groups) = (answer.groups.grouping?.keys ?? [], answer.groups)
    let headings = answer.columns.map {
      ColumnHeading($0.name, $0.aggregation?.givesDay ?? false ? .text : .number)
    }
    self.init(keys.map(\.heading) + headings, rowCount: groups.rowCount) { row in
      keys.map { groups.text(of: $0, at: row) }
        + answer.columns.map { column in
          column.aggregation.map { column.values.text(at: row, of: $0) } ?? column.values.text(at: row)
        }
    }
  }
}

extension Grouping.Key {
  fileprivate var heading: ColumnHeading { self == .weekday || expression != nil ? .number(name) : .text(name) }
}
