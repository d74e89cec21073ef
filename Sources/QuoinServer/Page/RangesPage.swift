import Charts
import QuandlService
import Quoin

/// The page that asks for the days on which attributes lie in ranges.
struct RangesPage {
  static let route: ServerRoute = Route(
    "rangesPage", "/ranges", "Days on which values lie in ranges, for a browser", mediaTypes: [.html],
    answer: .store { call in try RangesPage(call).answer })

  private struct Content: PageContent {
    static let template = "ranges"

    let tickers: String
    let (from, to): (DayField, DayField)
    let groups: [Group]
    /// Of which days the distributions are.
    let sample: String
    var count = ""
    var answer: Answer?
  }

  private struct Group {
    let name: String
    let attributes: [Field]
  }

  private struct Field {
    let (name, low, high): (String, String, String)
    /// Outlines of the distribution, and what it is in words.
    let (inside, outside, words): (String, String, String)
    let (least, most, edges): (String, String, String)
  }

  /// The days that were found.
  private struct Answer {
    let (heading, question): (String, String)
    var chart: String?
    var byTicker: Counts?
    var table: PageRows?
  }

  private struct Counts {
    let caption: String
    let tickers: [Count]
  }

  private struct Count {
    let (ticker, days, first, last, address): (String, String, String, String, String)
  }

  private static let rowsPerPage = 100
  private static let tickerCount = 20
  private static let groups: [(name: String, attributes: [Attribute])] = {
    let prices: [Attribute] = [.open, .high, .low, .close]
    let adjusted: [Attribute] = [.adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose]
    let others = Attribute.allCases.filter { !prices.contains($0) && !adjusted.contains($0) }
    return [("Prices", prices), ("Adjusted prices", adjusted), ("Volume and events", others)]
  }()

  private let call: StoreCall
  private let address: PageAddress
  private var asked = QuoteQuestion()
  /// The conditions in words.
  private var conditions: [String] = []
  private var error: Refusal?

  private init(_ call: StoreCall) throws {
    (self.call, address) = (call, PageAddress(call.request))
    do throws(Refusal) {
      let ends = Self.groups.flatMap(\.attributes).flatMap { ["\($0.identifier).min", "\($0.identifier).max"] }
      try address.check(["tickers", "from", "to", "page"] + ends)
      asked = try QuoteQuestion(page: address.texts([.tickers, .from, .to], in: call.view.store))
      for attribute in Self.groups.flatMap(\.attributes) {
        let (low, high) = (try bound(attribute, "min"), try bound(attribute, "max"))
        if let low, let high, low.number > high.number {
          throw .wrongParameter("\(attribute.identifier): at least \(low.text) is above at most \(high.text)")
        }
        if let low { conditions.append("\(attribute.identifier) >= \(low.text)") }
        if let high { conditions.append("\(attribute.identifier) <= \(high.text)") }
      }
    } catch { self.error = error }
  }

  private func bound(_ attribute: Attribute, _ end: String) throws(Refusal) -> (text: String, number: Double)? {
    guard let text = address["\(attribute.identifier).\(end)"] else { return nil }
    // The query language has no numbers such as 0x10.
    guard let number = Double(text), number.isFinite, (try? Predicate(parsing: "close >= \(text)")) != nil else {
      throw .wrongParameter("\(attribute.identifier).\(end)=\(text.prefix(40)) isn't a number")
    }
    return (text, number)
  }

  private var store: QuoteStore { call.view.store }

  private var rows: QuoteQuery { call.query(store.query(asked)) }

  private var condition: Predicate? {
    get throws { conditions.isEmpty ? nil : try Predicate(parsing: conditions.joined(separator: " and ")) }
  }

  private var answer: ServiceAnswer {
    get throws {
      let found = try Distributions(of: rows, tickers: asked.tickers ?? [], in: store)
      let groups = Self.groups.map { name, attributes in
        Group(name: name, attributes: attributes.map { field($0, found.distributions[$0] ?? .none) })
      }
      let content = Content(
        tickers: address["tickers"] ?? "", from: DayField("from", address), to: DayField("to", address), groups: groups,
        sample: found.note)
      var page = Page("Ranges", content, view: .ranges, for: call)
      if let error {
        page.refuse(error)
      } else {
        let query = try condition.map { rows.where($0) } ?? rows
        let count = try query.count()
        page.content.count = count.of("day")
        if !conditions.isEmpty {
          var answer = Answer(heading: count == 0 ? "There is no such day" : count.of("day"), question: question)
          do { try addDays(count, of: query, to: &answer) } catch let error as Refusal { page.refuse(error) }
          page.content.answer = answer
        }
      }
      return page.answer
    }
  }

  // MARK: - The days that were found

  /// Where the same is asked in words.
  private var question: String {
    PageAddress(
      "/questions",
      [
        ("tickers", address["tickers"] ?? ""), ("from", address["from"] ?? ""), ("to", address["to"] ?? ""),
        ("where", conditions.joined(separator: " and ")),
      ]
    ).text
  }

  private func addDays(_ count: Int, of query: QuoteQuery, to answer: inout Answer) throws {
    if let ticker = asked.tickers?.first, asked.tickers?.count == 1 { answer.chart = try chart(ticker)?.html }
    guard count > 0 else { return }
    if asked.tickers?.count != 1 { answer.byTicker = try byTicker(query) }
    let number = try address.pageNumber()
    let columns = QuoteFormatter.Column.all
    let batch = try query.offset(by: (number - 1) * Self.rowsPerPage).limited(to: Self.rowsPerPage).fetchColumns()
    let pages = address.pages(number, of: Self.rowsPerPage, count: count, noun: "day")
    var rows = PageRows(
      "Days, \(pages.place)", columns.map { .init(name: $0.name, isNumber: $0.attribute != nil) },
      batch.cells(of: columns), rows: 0..<batch.rowCount)
    if count > Self.rowsPerPage { rows.pages = pages }
    answer.table = rows
  }

  /// The ticker's history, on which the days are marked.
  private func chart(_ ticker: TickerSymbol) throws -> ChartFigure? {
    var question = ChartQuestion(tickers: [ticker])
    question.condition = asked.predicate
    if let condition = try condition { question.marks = [("in the ranges", condition)] }
    do { return try ChartFigure(question.chart(of: store)) } catch is ChartError { return nil }
  }

  private func byTicker(_ query: QuoteQuery) throws -> Counts {
    let question = try GroupQuestion(parsing: "count, min(date), max(date)", order: "count desc")
    let answer = try query.limited(to: Self.tickerCount + 1).answer(question, by: .ticker)
    let counts = (0..<answer.groups.rowCount).map { row in
      let ticker = answer.groups.text(of: .ticker, at: row) ?? ""
      let cells = answer.columns.map { $0.values.text(at: row) ?? "" }
      return Count(
        ticker: ticker, days: Int(cells[0])?.grouped ?? cells[0], first: cells[1], last: cells[2],
        address: address.setting("tickers", ticker).setting("page", nil).at("days").text)
    }
    let hasMore = counts.count > Self.tickerCount
    return Counts(
      caption: hasMore ? "The \(Self.tickerCount) tickers with the most of them" : "Days of each ticker",
      tickers: Array(counts.prefix(Self.tickerCount)))
  }

  // MARK: - The form

  private func field(_ attribute: Attribute, _ distribution: Distribution) -> Field {
    let name = attribute.identifier
    let (low, high) = (address["\(name).min"] ?? "", address["\(name).max"] ?? "")
    let text = { (value: Double) in attribute.text(of: value.rounded(toSignificant: 6)) }
    let paths = distribution.paths(in: (Double(low), Double(high)))
    let words =
      distribution.middle.map { "half of the days lie from \(text($0.lower)) to \(text($0.upper))" }
      ?? "all days are alike"
    return Field(
      name: name, low: low, high: high, inside: paths.inside, outside: paths.outside,
      words: "Distribution of \(name): \(words)",
      least: distribution.edges.first.map(text) ?? "", most: distribution.edges.last.map(text) ?? "",
      edges: "[\(distribution.edges.map { attribute.text(of: $0) }.joined(separator: ","))]")
  }
}
