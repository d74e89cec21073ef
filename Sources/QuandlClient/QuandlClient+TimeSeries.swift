import Quoin

extension QuandlClient {
  /// A dataset's rows, as the service computes them.
  ///
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task.
  public func data(_ code: DatasetCode, _ query: TimeSeriesQuery = TimeSeriesQuery()) async throws(QuandlClientError)
    -> TimeSeries
  {
    try decoded(DatasetAnswer<TimeSeries>.self, await document(Call(base.url("\(code.route)/data", query.items)))).data
  }

  /// The answer to the same call as it came, not looked at.
  package func unreadData(_ code: DatasetCode, _ query: TimeSeriesQuery) async throws(QuandlClientError) -> [UInt8] {
    try await document(Call(base.url("\(code.route)/data", query.items))).bytes
  }

  /// A text of the service without the API key, which it may repeat.
  package func redacted(_ text: String) -> String { key.redacted(text) }

  /// The service's description of a dataset.
  ///
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task.
  public func metadata(_ code: DatasetCode) async throws(QuandlClientError) -> DatasetMetadata {
    struct Answer: Decodable { let dataset: DatasetMetadata }
    return try decoded(Answer.self, await document(Call(base.url("\(code.route)/metadata")))).dataset
  }

  /// A guard: an endless list would exhaust memory.
  private static let listPageLimit = 10_000

  /// The service's descriptions of all datasets of a database.
  ///
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task.
  public func datasets(of database: String) async throws(QuandlClientError) -> [DatasetMetadata] {
    var found: [DatasetMetadata] = []
    var page = 1
    while true {
      let query = [("database_code", database), ("per_page", "100"), ("page", "\(page)")]
      let document = try await document(Call(base.url("datasets", query)))
      let answer = try decoded(DatasetList.self, document)
      found += answer.datasets
      guard let next = answer.meta.nextPage else { return found }
      guard next > page, next <= Self.listPageLimit, !answer.datasets.isEmpty else {
        throw failure(.malformed, "page \(page) of the list leads to page \(next)", url: document.url)
      }
      page = next
    }
  }
}

/// An answer of the time-series call; other members are ignored.
struct DatasetAnswer<Body: Decodable>: Decodable {
  let data: Body

  private enum CodingKeys: String, CodingKey { case data = "dataset_data" }
}

private struct DatasetList: Decodable {
  struct Meta: Decodable {
    let nextPage: Int?

    private enum CodingKeys: String, CodingKey { case nextPage = "next_page" }
  }

  let datasets: [DatasetMetadata]
  let meta: Meta
}

extension DatasetCode {
  var route: String { "datasets/\(path)" }
}
