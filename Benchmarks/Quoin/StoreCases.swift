import Quoin

/// What isn't a question: opening a store, importing into it, committing to it; and pruning alone.
struct StoreCases {
  let path: String
  let csv: String
  let stopwatch: Stopwatch

  func run() throws {
    let market = "\(path)/imported"
    let store = try imported(into: market)
    try time("open") { try QuoteStore(at: market).tickers.count }
    try time("prune, no block is left") { try store.allQuotes.where(.close, above: 1e12).threads(1).count() }
    try time("prune, every block is whole") { try store.allQuotes.where(.close, above: -1).threads(1).count() }
    var run = 0
    try time("import a CSV file") {
      run += 1
      return try imported(into: "\(market)-\(run)").summary.rowCount
    }
    try commits(to: store)
  }

  private func imported(into directory: String) throws -> QuoteStore {
    let store = try QuoteStore(at: directory)
    if store.generation == 0 { try store.importFiles([csv]) }
    return store
  }

  /// A day after a ticker's last one; a day before its first one, which rewrites the ticker.
  private func commits(to store: QuoteStore) throws {
    guard let some = try store.tickerSummaries().first else { return }
    for (name, last, step) in [("append", some.lastDay, 1), ("prepend", some.firstDay, -1)] {
      var day = last
      try time("commit, \(name) a day") {
        day = day.advanced(by: step) ?? last
        return try store.upsert([DailyQuoteSummary(ticker: some.ticker, date: day, close: 1)]).inserted
      }
    }
  }

  private func time(_ name: String, _ body: () throws -> Int) throws {
    try stopwatch.time("quoin", name, body, answer: Answer.init(count:))
  }
}
