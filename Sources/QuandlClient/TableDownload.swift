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

  /// What the store has of tickers whose later days are asked for.
  private var ends: [TickerSymbol: StoredEnd] = [:]
  /// Tickers whose later days say that the earlier ones may have changed. None of these days are stored before all are there.
  private var stale: [RenewedHistory] = []
  private var summary = TableSummary()
  /// The rows that are not committed yet.
  private var held: [TickerSymbol: QuoteColumns] = [:]
  private var heldRowCount = 0
  /// The tickers of the newest page, which may have more rows on the next one.
  private var open: Set<TickerSymbol> = []
  /// The tickers that are stored, or need not be.
  private var committed: Set<TickerSymbol> = []
  private var doneTickerCount = 0
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
    return try await saving { (download) async throws(QuandlClientError) in
      for query in queries { try await download.run(query) }
    }
  }

  /// Downloads the rows that a store lacks, and all rows of the tickers whose earlier days may have changed.
  mutating func run(_ newer: NewerRows) async throws(QuandlClientError) -> TableSummary {
    ends = newer.ends
    totalTickerCount = newer.tickerCount
    return try await saving { (download) async throws(QuandlClientError) in
      for query in newer.queries { try await download.run(query) }
      try await download.commit()
      try await download.renew(newer.whole)
    }
  }

  /// Downloads all rows of the stale tickers.
  private mutating func renew(_ whole: DatatableQuery) async throws(QuandlClientError) {
    let tickers = stale.map(\.ticker)
    ends = [:]
    committed.subtract(tickers)
    totalTickerCount? += tickers.count
    for query in whole.divided(among: tickers.sorted()) { try await run(query) }
  }

  private mutating func saving(
    _ body: (inout Self) async throws(QuandlClientError) -> Void
  ) async throws(QuandlClientError) -> TableSummary {
    do {
      try await body(&self)
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
      try take(page.text(), from: page.url)
      if wholeRowCount >= limit { try await commit() }
      guard heldRowCount < 4 * max(limit, 1 << 16) else { throw mixed(page.url) }
    }
    open = []
  }

  private mutating func take(_ text: TextQuotes, from url: String) throws(QuandlClientError) {
    guard committed.isDisjoint(with: text.rows.keys) else { throw mixed(url) }
    for (ticker, columns) in text.rows {
      var rows = held[ticker] ?? QuoteColumns(attributes: columns.attributes)
      guard rows.attributes == columns.attributes else {
        throw client.failure(.malformed, "the next page has other columns", url: url)
      }
      rows.append(columns)
      held[ticker] = rows
      heldRowCount += columns.rowCount
    }
    summary.note(text.summary)
    open = Set(text.rows.keys)
    progress?(
      .walking(
        rowCount: summary.rowCount + heldRowCount, tickerCount: doneTickerCount + held.count - open.count,
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
    let complete = held.filter { !open.contains($0.key) }
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for (ticker, columns) in complete { rows[ticker] = judged(columns, of: ticker) }
    if !rows.isEmpty { try await save(rows) }
    for (ticker, columns) in complete {
      heldRowCount -= columns.rowCount
      held[ticker] = nil
      committed.insert(ticker)
    }
    doneTickerCount += complete.count
  }

  private mutating func save(_ rows: [TickerSymbol: QuoteColumns]) async throws(QuandlClientError) {
    let rowCount = rows.values.reduce(0) { $0 + $1.rowCount }
    progress?(.saving(rowCount: rowCount))
    summary.counts += try await store.save(rows, source: source, patience)
    summary.commitCount += 1
    summary.tickerCount += rows.count
    summary.rowCount += rowCount
    summary.renewals += stale.filter { rows[$0.ticker] != nil }.sorted { $0.ticker < $1.ticker }
  }

  /// What is to be stored of a ticker's rows; nil for nothing.
  private mutating func judged(_ columns: QuoteColumns, of ticker: TickerSymbol) -> QuoteColumns? {
    guard let end = ends[ticker] else {
      let isRenewed = stale.contains { $0.ticker == ticker }
      return isRenewed ? columns.having(columns.valuedAttributes) : columns
    }
    if let reason = end.reasonToRenew(columns) {
      stale.append(RenewedHistory(ticker: ticker, reason: reason))
      return nil
    }
    let later = end.later(columns)
    if !later.isEmpty { return later }
    if end.isIn(columns) { summary.confirmedTickerCount += 1 }
    return nil
  }
}
