import Quoin

extension Responder {
  func databases() throws -> ServiceAnswer {
    try requireJSON()
    let page = try ListPage(parameters, itemCount: 1)
    return ServiceAnswer(json: ["databases": .array(page.items.map { _ in databaseDescription }), "meta": page.meta])
  }

  func database(_ part: Route.DatabasePart) throws -> ServiceAnswer {
    switch part {
    case .description:
      try requireJSON()
      return ServiceAnswer(json: ["database": databaseDescription])
    case .data: return try wholeTable()
    case .codes: return try codes()
    }
  }

  private var databaseDescription: JSONValue {
    [
      "id": .integer(DatasetCatalog.databaseID), "name": .string(DatasetCatalog.databaseName),
      "database_code": .string(Self.database), "description": .string(DatasetCatalog.databaseDescription),
      "datasets_count": .integer(store.summary.tickerCount), "downloads": 0, "premium": false, "image": nil,
      "favorite": false, "url_name": "Wiki-EOD-Stock-Prices",
    ]
  }

  /// The datasets, or those that are searched for, page by page.
  func datasets() throws -> ServiceAnswer {
    try requireJSON()
    if let code = parameters.value(["database_code"]) { try checkDatabase(code) }
    let tickers = try foundTickers()
    let page = try ListPage(parameters, itemCount: tickers.count)
    let datasets = try store.tickerSummaries(of: Array(tickers[page.items])).map(datasetDescription)
    return ServiceAnswer(json: ["datasets": .array(datasets), "meta": page.meta])
  }

  /// The tickers whose code or name has all words of the search.
  private func foundTickers() throws(ServiceError) -> [TickerSymbol] {
    let search = parameters.value(["query"]) ?? ""
    guard search.utf8.count <= ServiceLimits.searchByteCount else {
      throw .badValue(search, of: "query", "it has at most \(ServiceLimits.searchByteCount) bytes")
    }
    let words = search.lowercased().split { $0 == " " || $0 == "+" }
    guard !words.isEmpty else { return store.tickers }
    return store.tickers.filter { ticker in
      let text = "\(Self.database)/\(DatasetCatalog.name(of: ticker))".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }
}
