import Quoin

extension Responder {
  func table(_ part: Route.TablePart) throws -> ServiceAnswer {
    switch part {
    case .metadata: return try tableMetadata()
    case .rows:
      let question = try TableQuestion(parameters)
      return question.isExport ? try exportLink() : try page(question)
    case .export: return try file(TableQuestion(parameters))
    }
  }

  private func page(_ question: TableQuestion) throws -> ServiceAnswer {
    let tickers = question.tickers.tickers(in: store)
    let start = question.start.map { TableWalk.Start(key: $0) }
    var walk = walk(question, tickers, from: start, limit: question.rowsPerPage)
    var batches: [QuoteBatch] = []
    while let batch = try walk.nextBatch() { batches.append(batch) }
    let next = try nextKey(behind: batches, question, tickers)

    var headers = form.headers
    if form == .csv, let next { headers.append(("cursor_id", next.cursor)) }
    let (head, tail) = frame(question.columns, next)
    let text = RowText(form.rows, isText: question.columns.map { $0.isText })
    var waiting = batches[...]
    let pieces = textPieces(text, head: head, tail: tail) { text in
      guard let batch = waiting.popFirst() else { return false }
      text.append(batch.columns.cells(of: question.columns, tickers: batch.tickerValues), rows: 0..<batch.rowCount)
      return true
    }
    return ServiceAnswer(headers: headers, body: try AnswerBody(reading: pieces))
  }

  func walk(
    _ question: TableQuestion, _ tickers: [TickerSymbol], from start: TableWalk.Start?, limit: Int = .max
  ) -> TableWalk {
    TableWalk(
      store, tickers: tickers, where: .all(question.conditions), selecting: question.attributes, from: start,
      limit: limit)
  }

  /// The first row behind a full page; nil when there is none.
  private func nextKey(
    behind batches: [QuoteBatch], _ question: TableQuestion, _ tickers: [TickerSymbol]
  ) throws -> TableKey? {
    guard batches.reduce(0, { $0 + $1.rowCount }) == question.rowsPerPage, let last = batches.last?.lastKey else {
      return nil
    }
    let behind = TableWalk.Start(key: last, skipsFirst: true)
    var walk = TableWalk(
      store, tickers: tickers, where: .all(question.conditions), selecting: [], from: behind, limit: 1)
    return try walk.nextBatch()?.lastKey
  }

  /// What stands before and behind the rows.
  private func frame(_ columns: [OutputColumn], _ next: TableKey?) -> (head: String, tail: String) {
    switch form {
    case .csv: return (columns.map(\.name).joined(separator: ",") + "\n", "")
    case .json:
      let descriptions = JSONValue.array(columns.map(\.tableDescription))
      let meta: JSONValue = ["next_cursor_id": JSONValue(next?.cursor)]
      return (#"{"datatable":{"data":["#, #"],"columns":\#(descriptions.text)},"meta":\#(meta.text)}"#)
    }
  }

  private func tableMetadata() throws -> ServiceAnswer {
    try requireJSON()
    let refreshed = refreshTimes.moments(in: store).values.max()
    return ServiceAnswer(json: [
      "datatable": [
        "vendor_code": .string(Self.database), "datatable_code": .string(Self.table),
        "name": .string(DatasetCatalog.databaseName), "description": .string(DatasetCatalog.databaseDescription),
        "columns": .array(OutputColumn.all.map(\.tableDescription)),
        "filters": .array(OutputColumn.all.map { .string($0.name) }), "primary_key": ["ticker", "date"],
        "premium": false, "status": ["refreshed_at": JSONValue(refreshed)],
      ]
    ])
  }
}

extension TableQuestion {
  /// The attributes among the columns.
  var attributes: AttributeSet {
    AttributeSet(
      columns.compactMap { column in
        if case .attribute(let name) = column { name } else { nil }
      })
  }
}

extension QuoteBatch {
  fileprivate var lastKey: TableKey? {
    guard let ticker = tickers.last, let day = columns.days.last else { return nil }
    return TableKey(ticker: ticker, day: day)
  }
}

extension OutputColumn {
  /// Whether the cells are tickers or days.
  var isText: Bool { self == .ticker || self == .date }

  /// The column's name and type, as the table's description has them.
  fileprivate var tableDescription: JSONValue { ["name": .string(name), "type": .string(tableType)] }

  private var tableType: String {
    switch self {
    case .ticker: "String"
    case .date: "Date"
    case .attribute(let name): name.tableType
    }
  }
}
