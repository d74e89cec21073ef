import Console
import Quoin

// Each of these prints an answer, and returns the number of its rows.
extension ScanOptions {
  func writeCount(of query: QuoteQuery) throws -> Int {
    let count = try query.count()
    try output.withOutput { try $0.write("\(count)\n") }
    return count
  }

  func writeRows(of query: QuoteQuery, _ columns: [QuoteFormatter.Column], _ format: OutputFormat) throws -> Int {
    var count = 0
    try output.withOutput { file in
      let formatter = QuoteFormatter(format, columns: columns, styled: output.isStyled) { try file.write($0) }
      try query.forEachBatch { batch in
        count += batch.rowCount
        try formatter.append(batch)
      }
      try formatter.finish()
    }
    return count
  }

  func latest(of query: QuoteQuery, _ order: RowOrder) throws -> QuoteBatch {
    switch order {
    case .date: try query.latest()
    case .values(let expression, let order): try query.latest(sortedBy: expression, order)
    }
  }

  func write(_ batch: QuoteBatch, _ columns: [QuoteFormatter.Column], _ format: OutputFormat) throws -> Int {
    try output.withOutput { file in
      let formatter = QuoteFormatter(format, columns: columns, styled: output.isStyled) { try file.write($0) }
      if batch.rowCount > 0 { try formatter.append(batch) }
      try formatter.finish()
    }
    return batch.rowCount
  }

  func writeStatistics(of query: QuoteQuery, _ columns: [QuoteFormatter.Column], _ format: OutputFormat) throws
    -> Int
  {
    let statistics = try ColumnStatistics(of: columns.compactMap(\.attribute), in: query)
    try output.withOutput { try statistics.table.write(format, styled: output.isStyled, to: $0) }
    return statistics.rowCount
  }

  func write(
    _ question: GroupQuestion, by grouping: Grouping?, of query: QuoteQuery, _ format: OutputFormat
  ) throws -> Int {
    let answer = try query.answer(question, by: grouping)
    let rows = RecordTable(answer)
    try output.withOutput { try rows.write(format, styled: output.isStyled, to: $0) }
    // Without groups there is a row even when there are no quotes.
    return grouping == nil ? answer.quoteCount : rows.rowCount
  }

  func writeReport(of query: QuoteQuery) throws -> Int {
    let report = try query.explain()
    try output.withOutput { try $0.write(report.text) }
    return report.rowCount
  }
}
