import Quoin

extension QuandlClient {
  /// A dataset's rows, as the service computes them.
  ///
  /// - Throws: `QuandlClientError`; `CancellationError` when the task is cancelled.
  public func data(_ code: DatasetCode, _ query: TimeSeriesQuery = TimeSeriesQuery()) async throws -> TimeSeries {
    struct Answer: Decodable { let dataset_data: TimeSeries }
    return try decoded(Answer.self, await document(Call(base.url("\(code.route)/data", query.items)))).dataset_data
  }

  /// What the service says about a dataset.
  ///
  /// - Throws: `QuandlClientError`; `CancellationError` when the task is cancelled.
  public func metadata(_ code: DatasetCode) async throws -> DatasetMetadata {
    struct Answer: Decodable { let dataset: DatasetMetadata }
    return try decoded(Answer.self, await document(Call(base.url("\(code.route)/metadata")))).dataset
  }

  /// What the service says about every dataset of a database.
  ///
  /// - Throws: `QuandlClientError`; `CancellationError` when the task is cancelled.
  public func datasets(of database: String) async throws -> [DatasetMetadata] {
    struct Answer: Decodable {
      struct Meta: Decodable { let next_page: Int? }
      let datasets: [DatasetMetadata]
      let meta: Meta
    }
    var found: [DatasetMetadata] = []
    var page = 1
    while true {
      let query = [("database_code", database), ("per_page", "100"), ("page", "\(page)")]
      let document = try await document(Call(base.url("datasets", query)))
      let answer = try decoded(Answer.self, document)
      found += answer.datasets
      guard let next = answer.meta.next_page else { return found }
      guard next > page, !answer.datasets.isEmpty else {
        throw failure(.malformed, "page \(page) of the list leads to page \(next)", url: document.url)
      }
      page = next
    }
  }
}

extension DatasetCode {
  var route: String { "datasets/\(database)/\(dataset)" }
}
