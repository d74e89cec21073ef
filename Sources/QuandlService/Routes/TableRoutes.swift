import Quoin

extension QuandlService {
  static let tableRoutes: [Route<ServiceHandler>] = [
    Route(
      "datatable", "/api/v3/datatables/{vendor}/{table}", "Rows of a table, page by page", methods: [.get, .post],
      asking: TableQuestion.self, mediaTypes: [.json, .csv, .xml]
    ) { call, question in question.isExport ? try call.exportLink() : try call.page(question) },
    Route(
      "datatableMetadata", "/api/v3/datatables/{vendor}/{table}/metadata", "A table's columns and filters",
      mediaTypes: [.json, .xml]
    ) { call in call.tableMetadata() },
    Route(
      "datatableExport", tableExport, "Rows of a table, as one CSV in a zip", asking: TableQuestion.self,
      mediaTypes: [.zip]
    ) { call, question in try call.tableFile(question) },
  ]

  /// Where the link of an export leads.
  static let tableExport: PathPattern = "/api/v3/datatables/{vendor}/{table}/export.zip"
}

extension ServiceCall {
  fileprivate func page(_ question: TableQuestion) throws -> ServiceAnswer {
    let tickers = question.tickers.tickers(in: store)
    let start = question.start.map { TableWalk.Start(key: $0) }
    var walk = walk(question, tickers, from: start, limit: question.rowsPerPage)
    var batches: [QuoteBatch] = []
    while let batch = try walk.nextBatch() { batches.append(batch) }
    let next = try nextKey(after: batches, question, tickers)

    let (head, tail) = frame(question.columns, next)
    let text = RowText(form.rows, isText: question.columns.map { $0.isText })
    var waiting = batches[...]
    let pieces = textPieces(text, head: head, tail: tail) { text in
      guard let batch = waiting.popFirst() else { return false }
      text.append(batch.columns.cells(of: question.columns, tickers: batch.tickers), rows: 0..<batch.rowCount)
      return true
    }
    var headers: [(name: String, value: String)] = []
    // In JSON, the cursor follows the rows.
    if form == .csv, let next { headers.append(("cursor_id", next.cursor)) }
    return ServiceAnswer(form.mediaType, headers: headers, body: try AnswerBody(reading: pieces))
  }

  func walk(
    _ question: TableQuestion, _ tickers: [TickerSymbol], from start: TableWalk.Start?, limit: Int = .max
  ) -> TableWalk {
    TableWalk(
      store, tickers: tickers, where: .all(question.conditions), selecting: question.attributes, from: start,
      limit: limit)
  }

  /// The first row after a full page; nil if there is none.
  private func nextKey(
    after batches: [QuoteBatch], _ question: TableQuestion, _ tickers: [TickerSymbol]
  ) throws -> TableKey? {
    guard batches.reduce(0, { $0 + $1.rowCount }) == question.rowsPerPage, let last = batches.last?.lastKey else {
      return nil
    }
    var walk = TableWalk(
      store, tickers: tickers, where: .all(question.conditions), selecting: [],
      from: TableWalk.Start(key: last, skipsFirst: true), limit: 1)
    return try walk.nextBatch()?.lastKey
  }

  /// The text before and after the rows.
  private func frame(_ columns: [QuoteFormatter.Column], _ next: TableKey?) -> (head: String, tail: String) {
    switch form {
    case .csv: return (columns.map(\.name).joined(separator: ",") + "\n", "")
    case .json, .xml:
      let descriptions = JSONValue.array(columns.map(\.tableDescription))
      let meta: JSONValue = ["next_cursor_id": JSONValue(next?.cursor)]
      guard form == .json else {
        return XMLText.frame("datatable", [], [("columns", descriptions)], after: [("meta", meta)])
      }
      return (#"{"datatable":{"data":["#, #"],"columns":\#(descriptions.text)},"meta":\#(meta.text)}"#)
    }
  }

  fileprivate func tableMetadata() -> ServiceAnswer {
    let refreshed = refreshTimes.moments(in: store).values.max()
    return answer([
      "datatable": [
        "vendor_code": .string(Self.database), "datatable_code": .string(Self.table),
        "name": .string(DatasetCatalog.databaseName), "description": .string(DatasetCatalog.databaseDescription),
        "columns": .array(QuoteFormatter.Column.all.map(\.tableDescription)),
        "filters": .array(QuoteFormatter.Column.all.map { .string($0.name) }), "primary_key": ["ticker", "date"],
        "premium": false, "status": ["refreshed_at": JSONValue(refreshed)],
      ]
    ])
  }
}

extension TableQuestion {
  /// The attributes among the columns.
  var attributes: AttributeSet {
    AttributeSet(columns.compactMap(\.attribute))
  }
}

extension QuoteBatch {
  fileprivate var lastKey: TableKey? {
    guard let ticker = tickers.last, let day = columns.days.last else { return nil }
    return TableKey(ticker: ticker, day: day)
  }
}

extension QuoteFormatter.Column {
  /// Whether the cells are tickers or days.
  var isText: Bool { self == .ticker || self == .date }

  /// The column's name and type, as the table's description has them.
  fileprivate var tableDescription: JSONValue { ["name": .string(name), "type": .string(tableType)] }

  private var tableType: String {
    switch self {
    case .ticker: "String"
    case .date: "Date"
    case .attribute(let name): name.tableType
    case .computed: "BigDecimal(34,12)"
    }
  }
}
