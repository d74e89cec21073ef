import Charts
import QuandlService
import Quoin

/// The page of one ticker: its chart, and the rows under it.
struct TickerPage {
  static let routes: [ServerRoute] = [
    Route(
      "tickerPage", "/ticker/{ticker}", "A ticker's chart and rows, for a browser", mediaTypes: [.html],
      answer: .store { call in try TickerPage(call).answer }),
    Route(
      "tickerChart", "/ticker/{ticker}/chart.svg", "A ticker's chart as SVG", mediaTypes: [.svg],
      answer: .store { call in try TickerPage(call).picture }),
  ]

  static func address(of ticker: TickerSymbol) -> PageAddress { PageAddress("/ticker/\(ticker)") }

  /// The address at which a day and its neighbors are shown.
  static func address(of ticker: TickerSymbol, around day: TradingDay) -> PageAddress {
    let number = Int(day.daysSince1970)
    return address(of: ticker).setting("from", TradingDay(daysSince1970: number - 45).map { "\($0)" })
      .setting("to", TradingDay(daysSince1970: number + 45).map { "\($0)" })
  }

  private struct Content: PageContent {
    static let template = "ticker"

    let (ticker, summary): (String, String)
    /// Where the ticker is asked about.
    let (ranges, questions): (String, String)
    /// Where the form leads to.
    let path: String
    let spans: [Span]
    let (kinds, periods): ([PageChoice], [PageChoice])
    let switches: [Switch]
    let range: String?
    let (from, to): (DayField, DayField)
    let (overlay, panel, mark): (String, String, String)
    var chart: String?
    var downloads: Downloads?
    var table: PageRows?
  }

  private struct Span {
    let (name, address): (String, String)
    let isCurrent: Bool
  }

  private struct Switch {
    let (name, words): (String, String)
    let isOn: Bool
  }

  private struct Downloads {
    let files: [Download]
  }

  private struct Download {
    let (name, address, file): (String, String, String)
  }

  private static let rowsPerPage = 50
  /// The names of stretches up to the last day, and their numbers of days; nil for all.
  private static let spans: [(name: String, dayCount: Int?)] = [
    ("1m", 31), ("3m", 92), ("6m", 183), ("1y", 365), ("5y", 1826), ("max", nil),
  ]
  private static let fields = [
    "range", "from", "to", "kind", "by", "log", "adjusted", "events", "overlay", "panel", "mark", "page",
  ]
  private static let kinds: [ChartQuestion.Kind] = [.candles, .ohlc, .line, .area]

  private let call: StoreCall
  private let address: PageAddress
  private let summary: TickerSummary

  /// - Throws: `Refusal` if the store has no such ticker.
  private init(_ call: StoreCall) throws {
    let store = call.view.store
    let name =
      Self.routes[0].pattern.value(of: "ticker", in: call.path) ?? Self.routes[1].pattern.value(
        of: "ticker", in: call.path) ?? ""
    guard let ticker = store.ticker(forCode: name), let summary = try store.tickerSummary(of: ticker) else {
      throw Refusal.noQuotes(of: name, in: store)
    }
    (self.call, self.summary, address) = (call, summary, PageAddress(call.request))
  }

  private var ticker: TickerSymbol { summary.ticker }

  private var answer: ServiceAnswer {
    get throws {
      var page = Page("\(ticker)", content, for: call)
      do {
        try address.check(Self.fields)
        let asked = try asked()
        var (figure, table) = try call.view.store.viewing(asked) { store in
          (try ChartFigure(question(asked).chart(of: store)), try rows(asked, of: store))
        }
        (figure.isMovable, figure.allDays) = (true, summary.firstDay...summary.lastDay)
        page.content.chart = figure.html
        page.content.downloads = Downloads(files: downloads(asked))
        page.content.table = table
      } catch { try page.refuse(error, in: call.view.store) }
      return page.answer
    }
  }

  private var picture: ServiceAnswer {
    get throws {
      do {
        try address.check(Self.fields)
        let asked = try asked()
        let question = try question(asked)
        let scene = try call.view.store.viewing(asked) { store in
          try Scene(question.chart(of: store), .picture(width: 1200, height: 560))
        }
        return ServiceAnswer(.svg, body: AnswerBody(Array(SVGWriter.document(scene).utf8)))
      } catch let error as ChartError { throw Refusal.wrongParameter("\(error)") }
    }
  }

  // MARK: - What is shown

  private var span: String? { address["from"] == nil && address["to"] == nil ? address["range"] ?? "1y" : nil }

  /// The ticker, the days and the bars that are shown.
  private func asked() throws(Refusal) -> QuoteQuestion {
    var texts = try address.texts(span == nil ? [.from, .to] : [], in: call.view.store)
    if let period = address["by"], period != "day" { texts.append((.resample, period)) }
    var asked = try QuoteQuestion(page: texts, names: [.resample: "by"])
    asked.tickers = [ticker]
    guard let span else { return asked }
    guard let (_, count) = Self.spans.first(where: { $0.name == span }) else {
      let names = Self.spans.map(\.name).joined(separator: ", ")
      throw .wrongParameter("range=\(span.prefix(40)): write one of \(names)")
    }
    let first = count.flatMap { TradingDay(daysSince1970: Int(summary.lastDay.daysSince1970) - $0 + 1) }
    asked.days = DayBounds(first: first.map { .day($0) })
    return asked
  }

  private func question(_ asked: QuoteQuestion) throws(Refusal) -> ChartQuestion {
    var question = ChartQuestion(tickers: [ticker])
    question.condition = asked.predicate
    let kind = address["kind"] ?? Self.kinds[0].rawValue
    guard let known = Self.kinds.first(where: { $0.rawValue == kind }) else {
      throw .wrongParameter("kind=\(kind.prefix(40)): \(Suggestion.hint(for: kind, among: Self.kinds.map(\.rawValue)))")
    }
    question.kind = known
    (question.isLogarithmic, question.isAdjusted) = (try isOn("log"), try isOn("adjusted"))
    let marksEvents = try isOn("events")
    (question.marksSplits, question.marksDividends) = (marksEvents, marksEvents)
    question.overlays = try values("overlay")
    question.panels = try values("panel")
    if let mark = address["mark"] {
      let condition = try QuoteQuestion(page: [(.where, mark)], names: [.where: "mark"]).predicate
      question.marks = condition.map { [(mark, $0)] } ?? []
    }
    question.rowNoun = "\(address["by"] ?? "day")s"
    return question
  }

  private func isOn(_ name: String) throws(Refusal) -> Bool {
    guard let text = address[name] else { return false }
    guard let isOn = Bool(flag: text) else { throw .wrongParameter("\(name)=\(text.prefix(40)): write true or false") }
    return isOn
  }

  private func values(_ name: String) throws(Refusal) -> [ChartQuestion.Value] {
    guard let text = address[name] else { return [] }
    var values: [ChartQuestion.Value] = []
    for (column, expression) in try QuoteQuestion(page: [(.columns, text)], names: [.columns: name]).columns ?? [] {
      guard let value = expression ?? column.attribute.map({ .attribute($0) }) else {
        throw .wrongParameter("\(name): '\(column.name)' isn't a number, and charts draw numbers")
      }
      values.append(ChartQuestion.Value(column.name, value))
    }
    return values
  }

  private func rows(_ asked: QuoteQuestion, of store: QuoteStore) throws -> PageRows {
    var query = call.query(store.query(asked)).ordered(.descending)
    let (number, count) = (try address.pageNumber(), try query.count())
    var columns = QuoteFormatter.Column.all.filter { $0 != .ticker }
    for value in try values("overlay") + values("panel") where QuoteFormatter.Column(named: value.name) == nil {
      query = query.computing(value.name, value.expression)
      columns.append(.computed(value.name))
    }
    let batch = try query.offset(by: (number - 1) * Self.rowsPerPage).limited(to: Self.rowsPerPage).fetchColumns()
    let pages = address.pages(number, of: Self.rowsPerPage, count: count, noun: address["by"] ?? "day")
    var rows = PageRows(
      "Rows, newest first, \(pages.place)", columns.map { .init(name: $0.name, isNumber: $0 != .date) },
      batch.cells(of: columns), rows: 0..<batch.rowCount)
    if count > Self.rowsPerPage { rows.pages = pages }
    return rows
  }

  // MARK: - Links and fields

  private func downloads(_ asked: QuoteQuestion) -> [Download] {
    let picture = PageAddress("\(address.path)/chart.svg", address.items.filter { $0.name != "page" })
    var list = [Download(name: "SVG", address: picture.text, file: "\(ticker).svg")]
    guard (address["by"] ?? "day") == "day" else { return list }
    for format in [ServedFormat.json, .csv] {
      let scan = PageAddress(
        ScanRequest.route.pattern.description,
        [
          ("tickers", "\(ticker)"), ("from", asked.days.first.map { "\($0)" } ?? ""),
          ("to", asked.days.last.map { "\($0)" } ?? ""),
          ("format", format.rawValue),
        ])
      list.insert(
        Download(name: format.rawValue.uppercased(), address: scan.text, file: "\(ticker).\(format.rawValue)"), at: 0)
    }
    return list
  }

  private var content: Content {
    let base = address.setting("from", nil).setting("to", nil).setting("page", nil)
    let field = { (name: String) in address[name] ?? "" }
    let (kind, period) = (address["kind"] ?? Self.kinds[0].rawValue, address["by"] ?? "day")
    return Content(
      ticker: "\(ticker)", summary: "\(summary.rowCount.of("day")) from \(summary.firstDay) to \(summary.lastDay).",
      ranges: PageAddress("/ranges", [("tickers", "\(ticker)")]).text,
      questions: PageAddress("/questions", [("tickers", "\(ticker)")]).text, path: PageAddress(address.path).text,
      spans: Self.spans.map { name, _ in
        Span(name: name, address: base.setting("range", name).text, isCurrent: name == span)
      },
      kinds: Self.kinds.map { PageChoice($0.rawValue, chosen: kind) },
      periods: [PageChoice("", "a day", chosen: period == "day" ? "" : nil)]
        + CalendarPeriod.barLengths.map { PageChoice($0, "a \($0)", chosen: period) },
      switches: [("log", "logarithmic"), ("adjusted", "adjusted"), ("events", "dividends and splits")].map {
        Switch(name: $0, words: $1, isOn: address[$0].flatMap { Bool(flag: $0) } ?? false)
      },
      range: address["range"], from: DayField("from", address), to: DayField("to", address), overlay: field("overlay"),
      panel: field("panel"),
      mark: field("mark"))
  }
}
