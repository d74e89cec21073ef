import Quoin

extension QuandlService {
  static let datasetRoutes: [Route<ServiceHandler>] = [
    Route(
      "datasets", "/api/v3/datasets", "Datasets whose code or name contains some words", asking: DatasetSearch.self,
      mediaTypes: [.json, .xml]
    ) { call, search in try call.datasets(search.list) },
    Route(
      "dataset", "/api/v3/datasets/{database}/{dataset}", "A ticker's description and rows",
      asking: DatasetQuestion.self, mediaTypes: [.json, .csv, .xml]
    ) { call, question in try call.rows(question, isDescribed: true) },
    Route(
      "datasetData", "/api/v3/datasets/{database}/{dataset}/data", "A ticker's rows",
      asking: DatasetQuestion.self, mediaTypes: [.json, .csv, .xml]
    ) { call, question in try call.rows(question, isDescribed: false) },
    Route(
      "datasetMetadata", "/api/v3/datasets/{database}/{dataset}/metadata", "A ticker's description",
      mediaTypes: [.json, .csv, .xml]
    ) { call in try call.metadata() },
  ]
}

/// What a call for the list of datasets asks for.
private struct DatasetSearch: ServiceQuestion {
  var list = ListQuestion()

  static let parameters: [Parameter<DatasetSearch>] =
    [.text("database_code", "The database.") { try ServiceCall.checkDatabase($1) }]
    + ListQuestion.parameters.map { $0.part(of: \.list) }
}

extension ServiceCall {
  /// The datasets, or those with the words of a search, page by page.
  fileprivate func datasets(_ question: ListQuestion) throws -> ServiceAnswer {
    let tickers = tickers(with: question.search)
    let page = ListPage(question, itemCount: tickers.count)
    let datasets = try store.tickerSummaries(of: Array(tickers[page.items])).map { description(of: $0) }
    return answer(["datasets": .array(datasets), "meta": page.meta])
  }

  /// The tickers whose code or name contains all words of a search.
  private func tickers(with search: String) -> [TickerSymbol] {
    let words = search.lowercased().split { $0 == " " || $0 == "+" }
    guard !words.isEmpty else { return store.tickers }
    return store.tickers.filter { ticker in
      let text = "\(Self.database)/\(DatasetCatalog.name(of: ticker))".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  /// The rows of the dataset, in JSON with its description around them if `isDescribed`.
  fileprivate func rows(_ question: DatasetQuestion, isDescribed: Bool) throws -> ServiceAnswer {
    var rows = try question.rows(of: dataset.ticker, in: store)
    let text = RowText(form.rows, isText: [true] + (question.attributes ?? []).map { _ in false })
    let (head, tail) = form == .csv ? (header(of: question), "") : frame(question, isDescribed: isDescribed)
    let body = try AnswerBody(reading: textPieces(text, head: head, tail: tail) { rows.write(to: $0) })
    return ServiceAnswer(form.mediaType, body: body)
  }

  private func header(of question: DatasetQuestion) -> String {
    (["Date"] + (question.attributes ?? []).map(\.datasetName)).joined(separator: ",") + "\n"
  }

  /// The text before and after the rows.
  private func frame(_ question: DatasetQuestion, isDescribed: Bool) -> (head: String, tail: String) {
    let range: [JSONMember] = [
      ("start_date", JSONValue(question.firstDay ?? dataset.firstDay)),
      ("end_date", JSONValue(question.lastDay.map { min($0, dataset.lastDay) } ?? dataset.lastDay)),
    ]
    let asked: [JSONMember] = [
      ("limit", JSONValue(question.limit)), ("transform", JSONValue(question.transform?.rawValue)),
      ("column_index", JSONValue(question.columnIndex)),
    ]
    let end: [JSONMember] = [
      ("collapse", JSONValue(question.collapse?.rawValue)), ("order", JSONValue(question.order?.rawValue)),
    ]
    let names = JSONValue.array(question.columnNames)
    guard isDescribed else {
      // Quandl's rows come without their code. Whoever finds them under another name has to learn it.
      let code: [JSONMember] = isAskedByOtherName ? [("dataset_code", JSONValue(dataset.ticker))] : []
      let head = code + asked + [("column_names", names)] + range + [("frequency", "daily")]
      return frame("dataset_data", head, end)
    }
    let (description, databaseID) = members(of: dataset, columnNames: names)
    return frame("dataset", description + asked + range, end + [databaseID])
  }

  private func frame(
    _ name: String, _ before: [JSONMember], _ after: [JSONMember]
  ) -> (head: String, tail: String) {
    guard form != .xml else { return XMLText.frame(name, before, after) }
    return (
      "{\"\(name)\":{\(JSONValue.text(ofMembers: before)),\"data\":[",
      "],\(JSONValue.text(ofMembers: after))}}"
    )
  }

  fileprivate func metadata() throws -> ServiceAnswer {
    switch form {
    case .json, .xml: return answer(["dataset": description(of: dataset)])
    case .csv:
      let (members, databaseID) = members(of: dataset)
      return try csv(members + [databaseID])
    }
  }

  /// The description of a dataset, without its rows.
  private func description(of ticker: TickerSummary) -> JSONValue {
    let (members, databaseID) = members(of: ticker)
    return .object(members + [databaseID])
  }

  /// The members of a description. The last one comes after the rows if there are any.
  private func members(
    of ticker: TickerSummary, columnNames: JSONValue = DatasetCatalog.columnNames
  ) -> (members: [JSONMember], databaseID: JSONMember) {
    let members: [JSONMember] = [
      ("id", .integer(DatasetCatalog.id(of: ticker.ticker))), ("dataset_code", JSONValue(ticker.ticker)),
      ("database_code", .string(Self.database)), ("name", .string(DatasetCatalog.name(of: ticker.ticker))),
      ("description", .string(DatasetCatalog.description)),
      ("refreshed_at", JSONValue(refreshTimes.moments(in: store)[ticker.ticker])),
      ("newest_available_date", JSONValue(ticker.lastDay)), ("oldest_available_date", JSONValue(ticker.firstDay)),
      ("column_names", columnNames), ("frequency", "daily"), ("type", "Time Series"), ("premium", false),
    ]
    return (members, ("database_id", .integer(DatasetCatalog.databaseID)))
  }
}
