import Quoin

/// The rows of a dataset: the days, and the cells of each column, doubles or integers.
struct Series {
  var days: ColumnBuffer<TradingDay>
  var columns: [CellColumn]

  init(days: [TradingDay], columns: [CellColumn]) {
    self.days = ColumnBuffer(days)
    self.columns = columns
  }

  init(_ rows: QuoteColumns, of attributes: [Attribute]) {
    (days, columns) = (rows.dayValues, rows.cells(of: attributes.map { .attribute($0) }))
  }

  /// All columns of the answer, the days first.
  var cells: [CellColumn] { [.days(days)] + columns }
}
