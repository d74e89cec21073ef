// Questions whose fields are texts.

/// What a question is answered with.
public enum QuestionAnswer: Sendable {
  /// Rows, none of which is read yet.
  case rows(QuestionRows)
  /// Groups, which are all there.
  case groups(GroupAnswer)
}

extension QuestionAnswer {
  /// Writes the answer as a table, a few thousand rows at a time. Blocks the calling thread.
  ///
  ///     try store.answer(question).write(.csv) { bytes in ... }
  ///
  /// - Throws: `StoreError` when a block is damaged, a ticker is unknown, or the question is over its budget; what `sink` throws.
  public func write(_ format: OutputFormat, to sink: @escaping QuoteFormatter.Sink) throws {
    switch self {
    case .rows(var rows):
      let formatter = QuoteFormatter(format, columns: rows.formattedColumns, sink: sink)
      while let batch = try rows.next() { try formatter.append(batch) }
      try formatter.finish()
    case .groups(let groups):
      let table = RecordTable(groups)
      var writer = format.makeWriter(table.columns, sink: sink)
      for start in stride(from: 0, to: table.rowCount, by: RecordTable.rowsPerBatch) {
        try writer.append(table.batch(from: start), columnCount: table.columns.count)
      }
      try writer.finish()
    }
  }
}

extension QuoteStore {
  /// The answer to a question: groups if it has `aggregates`, else rows. Blocks the calling thread for groups.
  ///
  ///     let question = try QuoteQuestion([.where: "change(close) > 5%", .columns: "ticker, date, close", .order: "close desc"])
  ///     if case .rows(var rows) = try store.answer(question) {
  ///       while let batch = try rows.next() { print(batch.rowCount) }
  ///     }
  ///
  /// Each has the fields of `quoin scan`, with bars (`resample`), quotes as of a day, names (`let`), the first rows of each day
  /// (`top`) and the last one of each ticker (`latest`).
  ///
  /// - Throws: `StoreError` when a block is damaged, a ticker is unknown, or the question is over its budget.
  public func answer(_ question: QuoteQuestion) throws(StoreError) -> QuestionAnswer {
    guard let groups = question.groups else {
      return .rows(QuestionRows(question, in: self, rowsPerBatch: Self.rowsPerBatch))
    }
    return .groups(
      try asking(question) { query throws(StoreError) in try query.answer(groups, by: question.grouping) })
  }

  /// Where a batch of an answer ends, as that of a cursor.
  private static let rowsPerBatch = 8192

  /// The number of rows that a question selects. Blocks the calling thread.
  ///
  /// - Throws: as `answer`.
  public func count(_ question: QuoteQuestion) throws(StoreError) -> Int {
    try asking(question) { query throws(StoreError) in try query.count() }
  }

  /// How the rows of a question are found. Blocks the calling thread.
  ///
  /// - Throws: as `answer`.
  public func explain(_ question: QuoteQuestion) throws(StoreError) -> ScanReport {
    try QuestionRows(question, in: self, rowsPerBatch: Self.rowsPerBatch).report()
  }
}
