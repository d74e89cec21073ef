/// Writes one ticker's rows as the answer of Quandl's time-series call: `{"dataset_data":{...}}`.
///
/// Rows are newest first, as Quandl sends them. Volumes are floats (`1373400.0`), as Quandl's are, up to 2^53; a larger
/// volume keeps its digits as an integer, so that nothing is lost. Missing cells are `null`, and so are infinities.
package enum DatasetFormatter {
  /// Writes the rows, whose days must rise, with the columns of their attributes, and a line feed.
  ///
  /// Without rows, `start_date` and `end_date` are `null`. Complexity: O(rows x columns); memory beyond the rows is one
  /// buffer of about 64 KiB.
  ///
  /// - Throws: what the sink throws.
  package static func write(_ rows: QuoteColumns, to sink: QuoteFormatter.Sink) throws {
    try withoutActuallyEscaping(sink) { sink in
      var buffer = TextBuffer(sink: sink)
      try write(rows, to: &buffer)
      try buffer.flush()
    }
  }

  private static func write(_ rows: QuoteColumns, to buffer: inout TextBuffer) throws {
    let columns = [.date] + rows.attributes.names.map { QuoteFormatter.Column.attribute($0) }
    let template = RowTemplate.arrays(columns.map(\.heading), style: .dataset)
    var isFirst = true
    try buffer.append(header(of: rows))
    try template.write(
      rows.cells(of: columns), rows: 0..<rows.rowCount, isReversed: true, isFirst: &isFirst, to: &buffer)
    try buffer.append(#"],"collapse":null,"order":"desc"}}"# + "\n")
  }

  private static func header(of rows: QuoteColumns) -> String {
    let names = (["Date"] + rows.attributes.names.map(\.datasetName)).map(\.asJSONString).joined(separator: ",")
    let (first, last) = (quoted(rows.dayValues.first), quoted(rows.dayValues.last))
    return #"{"dataset_data":{"limit":null,"transform":null,"column_index":null,"column_names":[\#(names)],"#
      + #""start_date":\#(first),"end_date":\#(last),"frequency":"daily","data":["#
  }

  private static func quoted(_ day: TradingDay?) -> String { day.map { "\"\($0)\"" } ?? "null" }
}
