import Console
import Quoin

// Each of these prints an answer, and returns the number of its rows.
extension ScanOptions {
  func writeCount(of query: QuoteQuery) throws -> Int {
    let count = try query.count()
    try output.withOutput { try $0.write("\(count)\n") }
    return count
  }

  func writeRows(of query: QuoteQuery, _ rows: RowTable) throws -> Int {
    var count = 0
    try withOutput(rows.format) { file in
      var writer = rows.writer { try file.write($0) }
      try query.forEachBatch { batch in
        count += batch.rowCount
        try writer.append(rows.cells(of: batch), rows: 0..<batch.rowCount)
      }
      try writer.finish()
    }
    return count
  }

  /// Calls `body` with the output, which a pager shows if it is a table that is too long for the terminal.
  private func withOutput(_ format: OutputFormat, _ body: (Output) throws -> Void) throws {
    try output.withOutput(paged: !table.noPager && format == .table, body)
  }

  func write(_ batch: QuoteBatch, _ rows: RowTable) throws -> Int {
    try withOutput(rows.format) { file in
      var writer = rows.writer { try file.write($0) }
      if batch.rowCount > 0 { try writer.append(rows.cells(of: batch), rows: 0..<batch.rowCount) }
      try writer.finish()
    }
    return batch.rowCount
  }

  func writeStatistics(of query: QuoteQuery, _ rows: RowTable) throws -> Int {
    let statistics = try ColumnStatistics(of: rows.columns.compactMap(\.attribute), in: query)
    try withOutput(rows.format) { try statistics.table.write(rows.format, rows.layout, to: $0) }
    return statistics.rowCount
  }

  func write(
    _ question: GroupQuestion, by grouping: Grouping?, of query: QuoteQuery, _ rows: RowTable
  ) throws -> Int {
    let answer = try query.answer(question, by: grouping)
    let groups = RecordTable(answer)
    try withOutput(rows.format) { try groups.write(rows.format, rows.layout, to: $0) }
    // Without groups there is a row even when there are no quotes.
    return grouping == nil ? answer.quoteCount : groups.rowCount
  }

  func writeReport(of query: QuoteQuery) throws -> Int {
    let report = try query.explain()
    let width = Terminal.isOutput ? Terminal.outputSize.columns : 80
    try output.withOutput { try $0.write(report.text + report.picture(width: width)) }
    return report.rowCount
  }
}

/// How an answer is written.
struct RowTable {
  let columns: [QuoteFormatter.Column]
  let format: OutputFormat
  let layout: TableLayout
  let spark: Sparkline?

  func writer(_ sink: @escaping QuoteFormatter.Sink) -> any RowWriter {
    format.makeWriter(columns.map(\.heading) + (spark.map { [$0.heading] } ?? []), layout: layout, sink: sink)
  }

  func cells(of batch: QuoteBatch) -> [CellColumn] {
    batch.cells(of: columns) + (spark.map { [$0.cells(of: batch)] } ?? [])
  }
}
