import Quoin
import QuoteGenerator

/// As much of a service as a whole table takes, over quotes in memory.
struct TestService: Sendable {
  /// The rows by ticker and day.
  var quotes: [DailyQuoteSummary]
  var pageRowCount = 50
  var hasExport = true
  var hasList = true
  /// In the order of days, as no service should.
  var isByDay = false

  init(_ quotes: [DailyQuoteSummary]) { self.quotes = quotes }

  init(tickers: Int, rows: Int, seed: UInt64 = 1) throws {
    let generator = try QuoteGenerator(tickerCount: tickers, rowCount: rows, seed: seed)
    quotes = generator.tickers.enumerated().flatMap { index, ticker in
      QuoteBatch(ticker: ticker, columns: generator.quotes(at: index)).quotes
    }
  }

  func answer(_ request: ScriptedRequest) -> Reply {
    switch request.path {
    case "/api/v3/datasets" where hasList: return list()
    case let path where path.hasPrefix("/api/v3/datasets/WIKI/"): return dataset(request)
    case "/api/v3/databases/WIKI":
      return .ok(#"{"database":{"database_code":"WIKI","datasets_count":\#(Set(quotes.map(\.ticker)).count)}}"#)
    case "/api/v3/datatables/WIKI/PRICES": return page(request)
    case "/api/v3/datatables/WIKI/PRICES.json" where hasExport:
      let query = request.target.drop { $0 != "?" }
      return .ok(#"{"datatable_bulk_download":{"file":{"status":"fresh","link":"/export\#(query)"}}}"#)
    case "/export":
      return .status(200, csv(selected(request)))
    default: return .error(404, "QECx01", "no such route: \(request.path)")
    }
  }

  private func selected(_ request: ScriptedRequest) -> [DailyQuoteSummary] {
    let tickers = Set(request.values("ticker[]") + request.values("ticker"))
    func day(_ name: String) -> TradingDay? { request.value(name).flatMap { TradingDay($0) } }
    let (after, first, last) = (day("date.gt"), day("date.gte") ?? .earliest, day("date.lte") ?? .latest)
    let rows = quotes.filter { quote in
      (tickers.isEmpty || tickers.contains("\(quote.ticker)")) && after.map { quote.date > $0 } ?? true
        && quote.date >= first && quote.date <= last
    }
    return isByDay ? rows.sorted { ($0.date, $0.ticker) < ($1.date, $1.ticker) } : rows
  }

  private func dataset(_ request: ScriptedRequest) -> Reply {
    let code = request.path.split(separator: "/").dropLast().last ?? ""
    let days = (request.value("start_date") ?? "")...(request.value("end_date") ?? "9999")
    var columns = QuoteColumns()
    columns.append(contentsOf: quotes.filter { "\($0.ticker)" == code && days.contains("\($0.date)") })
    return (try? SaveTests.dataset(columns)).map { Reply.ok($0) } ?? .close
  }

  private func list() -> Reply {
    let days = Dictionary(quotes.map { ($0.ticker, $0.date) }, uniquingKeysWith: max)
    let items = days.map {
      #"{"dataset_code":"\#($0)","database_code":"WIKI","newest_available_date":"\#($1)"}"#
    }
    return .ok(#"{"datasets":[\#(items.joined(separator: ","))],"meta":{"next_page":null}}"#)
  }

  private func page(_ request: ScriptedRequest) -> Reply {
    let rows = selected(request)
    let start = request.value("qopts.cursor_id").flatMap { Int($0) } ?? 0
    let end = min(start + pageRowCount, rows.count)
    guard start <= end else { return .error(400, "QESx06", "no such cursor") }
    let next = end < rows.count ? "\"\(end)\"" : "null"
    let columns = QuoteFormatter.Column.all.map { #"{"name":"\#($0.name)","type":"x"}"# }.joined(separator: ",")
    let data = rows[start..<end].map(Self.row).joined(separator: ",")
    return .ok(#"{"datatable":{"data":[\#(data)],"columns":[\#(columns)]},"meta":{"next_cursor_id":\#(next)}}"#)
  }

  private static func row(_ quote: DailyQuoteSummary) -> String {
    let cells = Attribute.allCases.map { name in
      if name.isInteger { return quote.integer(name).map { "\($0).0" } ?? "null" }
      return quote[name].map { "\($0)" } ?? "null"
    }
    return #"["\#(quote.ticker)","\#(quote.date)",\#(cells.joined(separator: ","))]"#
  }

  private func csv(_ rows: [DailyQuoteSummary]) -> String {
    var text = ""
    var columns: [TickerSymbol: QuoteColumns] = [:]
    for row in rows { columns[row.ticker, default: QuoteColumns()].append(row) }
    let formatter = QuoteFormatter(.csv) { bytes in
      text += unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    for (ticker, columns) in columns.sorted(by: { $0.key < $1.key }) {
      try? formatter.append(QuoteBatch(ticker: ticker, columns: columns))
    }
    try? formatter.finish()
    return text
  }

  /// All rows as the bulk file has them.
  var csv: String { csv(quotes) }
}
