import Quoin

extension QuandlService {
  static let databaseRoutes: [Route<ServiceHandler>] = [
    Route("databases", "/api/v3/databases", "The databases", asking: ListQuestion.self, mediaTypes: [.json, .xml]) {
      call, question in
      let page = ListPage(question, itemCount: 1)
      let databases = page.items.map { _ in call.databaseDescription }
      return call.answer(["databases": .array(databases), "meta": page.meta])
    },
    Route("database", "/api/v3/databases/{database}", "A database's description", mediaTypes: [.json, .xml]) { call in
      call.answer(["database": call.databaseDescription])
    },
    Route(
      "databaseData", "/api/v3/databases/{database}/data",
      "All rows of a database, as one CSV without a header in a zip",
      asking: DownloadQuestion.self, mediaTypes: [.zip]
    ) { call, _ in try call.databaseFile() },
    Route(
      "databaseCodes", "/api/v3/databases/{database}/codes", "The codes of a database's datasets, as one CSV in a zip",
      mediaTypes: [.zip]
    ) { call in try call.codes() },
  ]
}

/// What a call for a whole database asks for. Every extent is the whole table: Quandl's `partial` was the last day.
private struct DownloadQuestion: ServiceQuestion {
  enum Extent: String, CaseIterable {
    case partial, complete, full
  }

  static let parameters: [Parameter<DownloadQuestion>] = [
    .choice("download_type", among: Extent.self, "The extent. Every one brings the whole table.") { _, _ in }
  ]
}

extension ServiceCall {
  fileprivate var databaseDescription: JSONValue {
    [
      "id": .integer(DatasetCatalog.databaseID), "name": .string(DatasetCatalog.databaseName),
      "database_code": .string(Self.database), "description": .string(DatasetCatalog.databaseDescription),
      "datasets_count": .integer(store.summary.tickerCount), "downloads": 0, "premium": false, "image": nil,
      "favorite": false, "url_name": "Wiki-EOD-Stock-Prices",
    ]
  }

  /// The code and the name of each dataset, as a CSV in a zip. It has no header, as Quandl's had none.
  fileprivate func codes() throws -> ServiceAnswer {
    var tickers = store.tickers[...]
    let lines: PieceSource = {
      let next = tickers.prefix(1024)
      tickers = tickers.dropFirst(next.count)
      guard !next.isEmpty else { return nil }
      return next.flatMap { "\(Self.database)/\($0),\"\(DatasetCatalog.name(of: $0))\"\n".utf8 }
    }
    let name = "\(Self.database)-datasets-codes"
    return try zip(lines, name: name, contentName: name)
  }
}
