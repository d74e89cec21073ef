import Foundation
import Quoin
import Testing

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
    #expect(try rowCount([("top", "1 by volume per day")]) == store.allQuotes.topOfDay(1, by: .volume).count())
    #expect(try rowCount([("offset", "3"), ("limit", "2")]) == 2)
    let day: TradingDay = "2005-06-01"
    #expect(try rowCount([("as_of", "2005-06-01")]) == store.asOf(day).allQuotes.count())
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
    ("bar_label=period-end", "bar_label: applies to bars; say how long they are with resample"),
    ("from=2005-01-02&to=2005-01-01", "from: 2005-01-02 is later than to 2005-01-01"),
    ("trust_splits=true", "trust_splits: goes with as_of"), ("latest=perhaps", "neither true nor false"),
  ]) func fields_that_do_not_go_together_are_told(_ query: String, _ sentence: String) throws {
    for route in query.hasPrefix("latest") ? ["scan"] : ["scan", "count", "stats", "aggregate"] {
      let answer = try server().get("/api/v1/\(route)?\(query)")
      #expect(answer.status == 422 && answer.text.contains(sentence), "\(route): \(answer.text)")
    }
  }
}
