import Foundation
import Quoin
import Testing

@testable import QuoinServer

/// HTTP takes what a question has, field by field.
struct QuestionFieldTests {
  private func server() throws -> ServerProcess { try ServerProcess.shared.get() }

  private static func address(_ parameters: [(name: String, text: String)], _ route: String = "scan") -> String {
    let query = parameters.map {
      "\($0.name)=\($0.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }
    return "/api/v1/\(route)?format=csv&" + query.joined(separator: "&")
  }

  /// All but how many threads there are, which is the server's to say.
  @Test(arguments: QuestionField.all.filter { $0.name != .threads }.map(\.name))
  func each_field_can_be_asked_for(_ name: QuestionField.Name) throws {
    let field = QuestionField.named(name)
    var parameters = [(field.name.rawValue, name == .tickers ? "FDX" : field.example)]
    switch name {
    case .trustSplits: parameters.append(("as_of", "2005-06-01"))
    case .barLabel: parameters.append(("resample", "week"))
    case .having, .by: parameters.append(("aggregates", "count"))
    case .pivot: parameters.append(("by", "year, ticker"))
    default: break
    }
    let address = Self.address(parameters, field.subject == .groups ? "aggregate" : "scan")
    let answer = try server().get(address)
    #expect(answer.status == 200, "\(address): \(answer.text)")
    let wrong = try server().get(
      Self.address([(name.rawValue, "no such thing")], field.subject == .groups ? "aggregate" : "scan"))
    #expect(
      [422, 404].contains(wrong.status) && wrong.text.contains(name == .tickers ? "no such" : name.rawValue),
      "\(wrong.text)")
  }

  /// The page decides which rows it shows, and on how many threads.
  @Test(arguments: QuestionForm.names)
  func each_field_is_in_the_pages_form_and_keeps_what_was_typed(_ name: QuestionField.Name) throws {
    let field = QuestionField.named(name)
    let text = name == .tickers ? "FDX" : field.example
    var parameters = [(name.rawValue, text)]
    if name == .trustSplits { parameters.append(("as_of", "2005-06-01")) }
    if name == .barLabel { parameters.append(("resample", "week")) }
    if name == .pivot { parameters.append(("by", "year, ticker")) }
    let asked = Self.address(parameters).replacing("/api/v1/scan?format=csv&", with: "/questions?")
    let page = try server().get(asked)
    #expect(page.status == 200 && page.text.contains("id=\"answer-heading\""), "\(asked): \(page.status)")
    #expect(page.text.contains("name=\"\(name.rawValue)\""))
    #expect(page.text.contains("<code data-copy=\"shell\">"))
    switch field.kind {
    case .flag: #expect(page.text.contains("name=\"\(name.rawValue)\" value=\"true\" checked"))
    case .words: #expect(page.text.contains("value=\"\(text)\" selected"))
    case .tickers, .language, .day, .dayMark, .count: #expect(page.text.contains("value=\"\(text.asHTML)\""))
    }
  }

  /// What isn't asked in a part is folded away, and only there.
  @Test func the_forms_usual_fields_are_open() throws {
    let empty = try server().get("/questions").text
    let start = try #require(empty.firstRange(of: "<form id=\"question\"")?.upperBound)
    let beforeFields = empty[start...].prefix(
      upTo: try #require(empty[start...].firstRange(of: "name=\"columns\"")).lowerBound)
    #expect(!beforeFields.contains("<details") && beforeFields.contains("name=\"where\""))
    #expect(empty.contains("<details><summary>Aggregates</summary>"))
    let grouped = try server().get("/questions?aggregates=count").text
    #expect(grouped.contains("<details open><summary>Aggregates</summary>"))
  }

  @Test(arguments: [
    ("questions?where=close%20of%20NOPE%20%3E%203", 404, "There are no quotes of NOPE"),
    ("questions?where=closee%20%3E%203", 422, "where: unknown attribute 'closee'; did you mean 'close'?"),
    ("questions?from=2005-02-01&to=2005-01-01", 422, "from: 2005-02-01 is later than to 2005-01-01"),
    ("ranges?from=2005-02-01&to=2005-01-01", 422, "from: 2005-02-01 is later than to 2005-01-01"),
    ("ticker/KO?by=weak", 422, "by: 'weak' isn't one of week, month, quarter, half-year, year; did you mean 'week'?"),
    ("ticker/KO?overlay=closee", 422, "overlay: unknown column 'closee'; did you mean 'close'?"),
    ("ticker/KO?mark=closee%20%3E%203", 422, "mark: unknown attribute 'closee'; did you mean 'close'?"),
    (
      "questions?limit=3&aggregates=count&columns=close", 422,
      "Columns applies to rows; what groups have is in aggregates"
    ),
  ]) func a_mistake_on_a_page_is_told_with_its_field_and_the_form_stays(
    _ path: String, _ status: Int, _ sentence: String
  ) throws {
    let page = try server().get("/\(path)")
    #expect(page.status == status && page.text.contains(sentence.asHTML), "\(page.text.prefix(3000))")
    #expect(page.text.contains("<form"))
  }

  @Test func views_names_and_last_rows_are_those_of_the_library() throws {
    let server = try server()
    let store = try QuoteStore(at: server.folder.store)
    func rowCount(_ parameters: [(String, String)]) throws -> Int {
      let answer = try server.get(Self.address(parameters))
      #expect(answer.status == 200, "\(answer.text)")
      return answer.text.split(separator: "\n").count - 1
    }
    let weeks = try store.resampled(by: .week)
    #expect(try rowCount([("resample", "week")]) == weeks.allQuotes.count())
    #expect(
      try rowCount([("resample", "week"), ("let", "r = change(close); up = r > 0"), ("where", "up")])
        == weeks.allQuotes.where(.change(.close) > 0).count())
    #expect(try rowCount([("latest", "true")]) == store.tickers.count)
    let newest = try #require(store.summary.days?.upperBound)
    let ended = try store.tickerSummaries().count { $0.lastDay < newest }
    #expect(try rowCount([("latest", "true"), ("where", "date < last")]) == ended)
    #expect(
      try rowCount([("from", "last - 1 day")]) == store.allQuotes.dates(from: newest.advanced(by: -1)).count())
    #expect(try rowCount([("top", "1 by volume per day")]) == store.allQuotes.topOfDay(1, by: .volume).count())
    #expect(try rowCount([("offset", "3"), ("limit", "2")]) == 2)
    let day: TradingDay = "2005-06-01"
    #expect(try rowCount([("as_of", "2005-06-01")]) == store.asOf(day).allQuotes.count())
    for (fields, route) in [
      ([(.order, "date desc, r desc"), (.columns, "ticker, change(close) as r"), (.limit, "2")], "scan"),
      ([(.top, "2 by date per ticker, year(date)"), (.tickers, "KO,FDX"), (.columns, "ticker, date")], "scan"),
      (
        [(.aggregates, "count"), (.by, "month(date) as m, ticker"), (.order, "m desc, ticker"), (.having, "m > 3")],
        "aggregate"
      ),
    ] as [([(name: QuestionField.Name, text: String)], String)] {
      var text = ""
      try store.answer(QuoteQuestion(fields)).write(.csv) { bytes in
        text += unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
      }
      let answer = try server.get(Self.address(fields.map { ($0.name.rawValue, $0.text) }, route))
      #expect(answer.text == text && text.split(separator: "\n").count > 2, "\(answer.text)")
    }
    let bars = try server.get(Self.address([("resample", "month"), ("columns", "date, -close as x"), ("limit", "1")]))
    #expect(bars.text.split(separator: "\n").last?.contains(",-") == true, "\(bars.text)")
  }

  @Test func the_page_of_a_ticker_draws_others_beside_bars_of_weeks() throws {
    let page = try server().get("/ticker/KO?by=week&range=max&overlay=close%20of%20FDX")
    #expect(page.status == 200 && page.text.contains("<svg"), "\(page.status)")
    #expect(try server().get("/ticker/KO/chart.svg?by=week&range=max&overlay=close%20of%20FDX").status == 200)
    let wrong = try server().get("/ticker/KO?by=week&overlay=close%20of%20FDXX")
    #expect(wrong.status == 404 && wrong.text.contains("FDXX"))
  }

  @Test(arguments: [
    ("bar_label=period-end", "bar_label applies to bars; say how long they are with resample"),
    ("from=2005-01-02&to=2005-01-01", "from: 2005-01-02 is later than to 2005-01-01"),
    ("trust_splits=true", "trust_splits goes with as_of"), ("latest=perhaps", "neither true nor false"),
  ]) func fields_that_do_not_go_together_are_told(_ query: String, _ sentence: String) throws {
    for route in ["scan", "count", "stats", "aggregate"] {
      let answer = try server().get("/api/v1/\(route)?\(query)")
      #expect(answer.status == 422 && answer.text.contains(sentence), "\(route): \(answer.text)")
    }
  }
}

extension String {
  /// The text as a page has it.
  fileprivate var asHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\"", with: "&quot;"
    )
    .replacing("'", with: "&#39;")
  }
}
