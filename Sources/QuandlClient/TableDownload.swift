import Quoin

/// Downloads a table into a store, page by page.
///
/// The service groups rows by ticker, as the bulk file does. So a ticker is complete when a page comes without it. Only
/// complete tickers are committed, so a store's rows of a ticker always reach from its beginning to some day. A service
/// that mixes tickers is detected: a ticker comes again after it was committed, or no ticker ever gets complete.
struct TableDownload {
  let client: QuandlClient
  let store: QuoteStore
  /// The origin of the rows, for the store's record of the import.
  let source: String
  private var patience: Duration
  let progress: (@Sendable (TableProgress) -> Void)?

  private var summary = TableSummary()
  /// The rows that are not committed yet.
  private var held: [TickerSymbol: QuoteColumns] = [:]
  private var heldRowCount = 0
  /// The tickers of the newest page, which may have more rows on the next one.
  private var open: Set<TickerSymbol> = []
  private var committed: Set<TickerSymbol> = []
  /// The number of tickers that are to come, if it is known.
  private var totalTickerCount: Int?

  init(
    client: QuandlClient, store: QuoteStore, source: String, patience: Duration,
    progress: (@Sendable (TableProgress) -> Void)?
  ) {
    self.client = client
    self.store = store
    self.source = source
    self.patience = patience
    self.progress = progress
  }

  /// Downloads the answers to these queries, which have no ticker in common.
  ///
  /// - Parameter tickerCount: the number of their tickers, if it is known.
  mutating func run(
    _ queries: [DatatableQuery], tickerCount: Int? = nil
  ) async throws(QuandlClientError) -> TableSummary {
    totalTickerCount = tickerCount
    do {
      for query in queries { try await run(query) }
      try await commit()
      return summary
    } catch {
      // A store that refused one commit isn't asked for another.
      if error.kind == .store { throw error }
      // Complete tickers from before a broken connection or an interruption are kept; those from before a malformed answer
      // aren't trusted.
      if error.kind == .cancelled { await commitLast() }
      if error.isTransient || error.kind == .service { try await commit() }
      var error = error
      error.savedRowCount = summary.rowCount
      throw error
    }
  }

  /// Commits the complete tickers of a cancelled task, if the store is to be had soon.
  private mutating func commitLast() async {
    var last = self
    last.patience = min(patience, .seconds(5))
    self = await Task { [last] in
      var last = last
      try? await last.commit()
      return last
    }.value
  }

  private mutating func run(_ query: DatatableQuery) async throws(QuandlClientError) {
    let limit = client.configuration.rowsPerCommit
    for try await page in client.pages(query) {
      try take(page.quotes(), from: page.url)
      if wholeRowCount >= limit { try await commit() }
      guard heldRowCount < 4 * max(limit, 1 << 16) else { throw mixed(page.url) }
    }
    open = []
  }

  private mutating func take(_ batch: QuoteBatch, from url: String) throws(QuandlClientError) {
    let rows = batch.columnsByTicker
    guard committed.isDisjoint(with: rows.keys) else { throw mixed(url) }
    for (ticker, columns) in rows { held[ticker, default: QuoteColumns()].append(columns) }
    heldRowCount += batch.rowCount
    open = Set(rows.keys)
    progress?(
      .walking(
        rowCount: summary.rowCount + heldRowCount, tickerCount: summary.tickerCount + held.count - open.count,
        totalTickerCount: totalTickerCount))
  }

  /// The number of rows of complete tickers.
  private var wholeRowCount: Int { heldRowCount - open.reduce(0) { $0 + (held[$1]?.rowCount ?? 0) } }

  private func mixed(_ url: String) -> QuandlClientError {
    client.failure(
      .malformed,
      "the service's pages are not grouped by ticker; what is saved may have gaps, and to fetch it all again "
        + "takes a first day", url: url)
  }

  /// Commits the complete tickers.
  private mutating func commit() async throws(QuandlClientError) {
    let rows = held.filter { !open.contains($0.key) }
    guard !rows.isEmpty else { return }
    let rowCount = rows.values.reduce(0) { $0 + $1.rowCount }
    progress?(.saving(rowCount: rowCount))
    summary.counts += try await store.save(rows, source: source, patience)
    summary.commitCount += 1
    summary.tickerCount += rows.count
    summary.rowCount += rowCount
    heldRowCount -= rowCount
    for ticker in rows.keys {
      held[ticker] = nil
      committed.insert(ticker)
    }
  }
}
