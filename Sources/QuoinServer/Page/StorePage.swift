import Charts
import QuandlService
import Quoin

/// The first page: the tickers with their newest prices, and what happened to the store.
struct StorePage: PageContent {
  static let template = "store"

  private struct Ticker {
    let (ticker, address, days, first, last, bytes): (String, String, String, String, String, String)
    var close = ""
    var spark: Spark?

    init(_ summary: TickerSummary) {
      (ticker, address) = ("\(summary.ticker)", TickerPage.address(of: summary.ticker).text)
      (days, first, last) = (summary.rowCount.grouped, "\(summary.firstDay)", "\(summary.lastDay)")
      bytes = summary.byteCount.grouped
    }
  }

  private struct Spark {
    let (path, words): (String, String)
  }

  private struct Commits<Commit> {
    let commits: [Commit]

    /// Nil if there are none.
    init?(_ commits: [Commit]) {
      if commits.isEmpty { return nil }
      self.commits = commits
    }
  }

  private struct Import {
    let (moment, generation, tickers, rows, source): (String, String, String, String, String)
  }

  private struct Snapshot {
    let (name, generation, moment): (String, String, String)
  }

  private let summary: String
  private let search: String
  private var caption = ""
  private var pages: PageLinks?
  private var tickers: [Ticker] = []
  private var imports: Commits<Import>?
  private var snapshots: Commits<Snapshot>?

  private static let tickersPerPage = 50
  private static let importCount = 20

  static let route: ServerRoute = Route(
    "storePage", "/", "The store, for a browser", mediaTypes: [.html], answer: .store { try answer($0) })

  private static func answer(_ call: StoreCall) throws -> ServiceAnswer {
    let (store, address) = (call.view.store, PageAddress(call.request))
    let summary = store.summary
    let days = summary.days.map { ", from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    let sentence =
      "\(summary.rowCount.of("row")) of \(summary.tickerCount.of("ticker"))\(days), in \(summary.byteCount.asBytes)."
    let search = address["q"] ?? ""
    var page = Page("Store", StorePage(summary: sentence, search: search), view: .store, for: call)
    var found = search.isEmpty ? store.tickers : found(search, in: store.tickers)
    if found.isEmpty, !search.isEmpty {
      let hint = Suggestion.question(forTicker: search.uppercased(), among: store.tickers)
      page.error = PageError("no ticker has '\(search.prefix(40))' in it" + (hint.map { "; \($0)" } ?? ""))
      found = Suggestion.tickers(for: search.uppercased(), among: store.tickers)
    }
    var number = 1
    do throws(Refusal) {
      try address.check(["q", "page"])
      number = try address.pageNumber()
    } catch { page.refuse(error) }
    let pages = address.pages(number, of: tickersPerPage, count: found.count, noun: "ticker", part: "tickers")
    page.content.caption = "Tickers, \(pages.place)"
    if found.count > tickersPerPage { page.content.pages = pages }
    let shown = found.dropFirst((number - 1) * tickersPerPage).prefix(tickersPerPage)
    page.content.tickers = try store.tickerSummaries(of: Array(shown)).map { try row($0, of: store, call) }
    page.content.imports = Commits(try imports(of: store))
    page.content.snapshots = Commits(
      store.snapshots.reversed().map {
        Snapshot(name: $0.name ?? "recent", generation: "\($0.generation)", moment: $0.committedAt.shortened)
      })
    return page.answer
  }

  /// The tickers that begin with a text, and then those that have it in them.
  private static func found(_ text: String, in tickers: [TickerSymbol]) -> [TickerSymbol] {
    let wanted = text.uppercased()
    let names = tickers.map { ($0, $0.description) }
    return names.filter { $1.hasPrefix(wanted) }.map(\.0)
      + names.filter { !$1.hasPrefix(wanted) && $1.contains(wanted) }.map(\.0)
  }

  private static func row(_ summary: TickerSummary, of store: QuoteStore, _ call: StoreCall) throws -> Ticker {
    var row = Ticker(summary)
    let year = TradingDay(daysSince1970: Int(summary.lastDay.daysSince1970) - 365)
    let batch = try call.query(store.quotes(for: summary.ticker)).dates(from: year).selecting(.close).fetchColumns()
    if let last = batch.columns.text(of: .close, at: batch.rowCount - 1) { row.close = last }
    if let line = SparkLine(batch.columns[column: .close].numbers, width: 120, height: 24) {
      row.spark = Spark(path: line.path, words: "from \(line.first) to \(line.last)")
    }
    return row
  }

  /// The newest commits with new rows.
  private static func imports(of store: QuoteStore) throws -> [Import] {
    var commits: [(record: ImportRecord, tickers: Set<TickerSymbol>, rowCount: Int, sources: Set<String>)] = []
    for record in try store.importRecords().sorted(by: { $0.generation > $1.generation }) {
      if commits.last?.record.generation != record.generation {
        guard commits.count < importCount else { break }
        commits.append((record, [], 0, []))
      }
      commits[commits.count - 1].tickers.insert(record.ticker)
      commits[commits.count - 1].rowCount += record.rowCount
      commits[commits.count - 1].sources.insert(record.source)
    }
    return commits.map { commit in
      let others = commit.sources.count - 1
      return Import(
        moment: commit.record.importedAt.shortened, generation: "\(commit.record.generation)",
        tickers: commit.tickers.count.grouped, rows: commit.rowCount.grouped,
        source: (commit.sources.min() ?? "") + (others > 0 ? " and \(others.of("other"))" : ""))
    }
  }
}

extension CommitTime {
  /// Where the head of a column says that it is UTC.
  fileprivate var shortened: String { String(inWords.dropLast(4)) }
}

extension Column {
  /// The values, NaN where missing.
  var numbers: [Double] {
    switch self {
    case .doubles(let values): values.array
    case .integers(let values): values.array.map { $0 == .missing ? .nan : Double($0) }
    }
  }
}
