import Quoin

/// The result of `QuandlClient.saveTable`.
public struct TableSummary: Hashable, Sendable {
  /// Rows that came, whether or not the store already had them.
  public internal(set) var rowCount = 0
  /// The number of different tickers of these rows.
  public internal(set) var tickerCount = 0
  /// How many rows were new, replaced others, or were already stored.
  public internal(set) var counts = UpsertCounts()
  /// The number of commits that saved the rows.
  public internal(set) var commitCount = 0
  /// The tickers whose whole history was downloaded anew, because their earlier days may have changed.
  public internal(set) var renewals: [RenewedHistory] = []
  /// The number of tickers of which the service has no later days, and the same values on the store's last day. Only tickers
  /// that have the service's newest day are compared.
  public internal(set) var confirmedTickerCount = 0
  /// The names of the columns that hold no attribute, each once.
  public internal(set) var ignoredColumns: [String] = []
  /// Rows that came but look wrong.
  public internal(set) var suspicious = SuspiciousCounts.none

  /// Takes over what an import reports.
  mutating func note(_ summary: ImportSummary) {
    for name in summary.ignoredColumns where !ignoredColumns.contains(name) { ignoredColumns.append(name) }
    suspicious += summary.suspicious
  }
}

/// How far `QuandlClient.saveTable` has come.
public enum TableProgress: Hashable, Sendable {
  /// The service is asked what it has.
  case waiting
  /// The service prepares or packs an export.
  case exporting
  /// Bytes of the export so far, and in all if the service tells.
  case downloading(byteCount: Int, total: Int?)
  /// Rows of the downloaded file so far.
  case importing(rowCount: Int)
  /// Rows of the pages so far, their complete tickers, and all tickers if the service tells.
  case walking(rowCount: Int, tickerCount: Int, totalTickerCount: Int?)
  /// Rows of the pages are committed.
  case saving(rowCount: Int)
}

extension QuandlClient {
  /// Downloads a whole table into a store, or the rows that the store lacks.
  ///
  ///     the store has none of its tickers, or a first day is given:
  ///       the service exports the table -> one download, one commit
  ///       it doesn't                    -> page by page
  ///     else:
  ///       the service lists its datasets -> of those with newer days, the rows from the store's last ones on, page by page;
  ///                                         the whole history of those whose earlier days may have changed
  ///
  /// Rows are committed when there are `rowsPerCommit` of them, when the connection breaks and when the task is cancelled; and
  /// only whole tickers. So the same call continues where an earlier one was interrupted, and after a complete table it
  /// downloads only newer rows. Memory stays bounded.
  ///
  /// - Parameters:
  ///   - table: a table with the columns of a quote.
  ///   - store: where the quotes go.
  ///   - firstDay: the first day; everything from it on is downloaded again. Nil for what the store lacks.
  ///   - lastDay: the last day, included; nil for the table's.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: called from any thread.
  /// - Throws: `QuandlClientError`, which says what was saved before; with the kind `cancelled` in a cancelled task, and `store` for
  ///   what the store says.
  @discardableResult
  public func saveTable(
    _ table: DatasetCode = "WIKI/PRICES", into store: QuoteStore, from firstDay: TradingDay? = nil,
    to lastDay: TradingDay? = nil, patience: Duration = .zero, progress: (@Sendable (TableProgress) -> Void)? = nil
  ) async throws(QuandlClientError) -> TableSummary {
    progress?(.waiting)
    var whole = DatatableQuery(table)
    if let lastDay { whole = whole.filtered("date", .atMost, "\(lastDay)") }
    let source = base.url(whole.route).shown
    var download = TableDownload(client: self, store: store, source: source, patience: patience, progress: progress)
    if firstDay == nil, let newer = try await newerRows(whole, than: store, upTo: lastDay) {
      return try await download.run(newer)
    }
    if let firstDay { whole = whole.filtered("date", .atLeast, "\(firstDay)") }
    guard let link = try await offeredExport(whole, progress) else {
      return try await download.run([whole], tickerCount: try await tickerCount(of: table.database))
    }
    return try await saveExport(link, source: source, into: store, patience, progress)
  }

  /// How many tickers there are, for the progress; nil if the service doesn't tell.
  private func tickerCount(of database: String) async throws(QuandlClientError) -> Int? {
    do {
      let document = try await document(Call(base.url("databases/\(ServiceBase.encoded(database))")))
      return try decoded(DatabaseAnswer.self, document).database.datasetCount
    } catch {
      if error.kind == .cancelled { throw error }
      return nil
    }
  }

  /// The link to an export; nil if the service offers none.
  private func offeredExport(
    _ query: DatatableQuery, _ progress: (@Sendable (TableProgress) -> Void)?
  ) async throws(QuandlClientError) -> ServiceURL? {
    do { return try await exportLink(query, isPreparing: { progress?(.exporting) }) } catch {
      guard !error.isTransient, error.kind == .service || error.kind == .malformed else { throw error }
      return nil
    }
  }

  private func saveExport(
    _ link: ServiceURL, source: String, into store: QuoteStore, _ patience: Duration,
    _ progress: (@Sendable (TableProgress) -> Void)?
  ) async throws(QuandlClientError) -> TableSummary {
    let file = try DownloadFile()
    progress?(.exporting)
    defer { withExtendedLifetime(file) {} }
    try await download(link, to: file) { progress?(.downloading(byteCount: $0, total: $1)) }
    try file.rewind()
    let path = file.path
    do {
      let summary = try await store.importFiles(
        [path], options: ImportOptions(source: source), patience: patience
      ) { progress?(.importing(rowCount: $0.rowCount)) }
      var result = TableSummary(
        rowCount: summary.rowCount, tickerCount: summary.tickerCount, counts: summary.counts,
        commitCount: summary.changedNothing ? 0 : 1)
      result.note(summary)
      return result
    } catch {
      if case .store(let cause) = error { throw QuandlClientError(cause) }
      throw failure(of: error, url: link.shown, naming: path)
    }
  }
}

private struct DatabaseAnswer: Decodable {
  struct Database: Decodable {
    let datasetCount: Int

    private enum CodingKeys: String, CodingKey { case datasetCount = "datasets_count" }
  }

  let database: Database
}
