import Foundation
import Quoin
import Testing

@testable import QuandlClient

@Suite struct DatatableTests {
  private static func page(_ rows: String, next: String) -> Reply {
    .ok(
      #"{"datatable":{"data":[\#(rows)],"columns":[{"name":"ticker","type":"String"},{"name":"date","type":"Date"},"#
        + #"{"name":"close","type":"BigDecimal(34,12)"}]},"meta":{"next_cursor_id":\#(next)}}"#)
  }

  @Test func pages_follow_each_other_by_cursor() async throws {
    let pages = [
      nil: Self.page(#"["MSFT","2017-01-03",62.79],["AAPL","2017-01-03",null]"#, next: #""a=b+c""#),
      "a=b+c": Self.page(#"["AAPL","2017-01-04",116.02]"#, next: "null"),
    ]
    try await ScriptedServer { request, _ in pages[request.value("qopts.cursor_id")] ?? .close }.run { server in
      var quotes: [[DailyQuoteSummary]] = []
      var tables: [Datatable] = []
      for try await page in try server.client().pages() {
        quotes.append(try page.quotes().quotes)
        tables.append(try page.table())
      }
      #expect(quotes.map { $0.map(\.ticker) } == [["MSFT"], ["AAPL"]], "a row without any value is no quote")
      #expect(tables[0].columns.map(\.name) == ["ticker", "date", "close"] && tables[0].columns[1].type == "Date")
      #expect(tables[0].rows[0] == [.text("MSFT"), .text("2017-01-03"), .number(62.79)])
      #expect(tables[0].rows[1][2] == .missing && server.requests.count == 2)
    }
  }

  @Test func a_question_is_on_the_wire_under_quandls_names() async throws {
    var query = DatatableQuery("wiki/prices").filtered("ticker", in: ["A", "B"]).filtered("ticker", in: ["C"])
      .filtered("date", .atLeast, "2005-01-03").filtered("date", .less, "2006-01-01").filtered("close", .greater, "1")
      .filtered("close", .atMost, "2")
    query.columns = ["ticker", "date", "ex-dividend"]
    query.pageRowCount = 7
    let asked = query
    try await ScriptedServer { _, _ in Self.page("", next: "null") }.run { server in
      for try await page in try server.client().pages(asked) { #expect(try page.quotes().rowCount == 0) }
      let request = try #require(server.requests.first)
      #expect(request.path == "/api/v3/datatables/WIKI/PRICES" && request.method == "GET")
      #expect(request.values("ticker[]") == ["A", "B"] && request.value("ticker") == "C")
      #expect(request.value("date.gte") == "2005-01-03" && request.value("date.lt") == "2006-01-01")
      #expect(request.value("close.gt") == "1" && request.value("close.lte") == "2")
      #expect(request.values("qopts.columns[]") == ["ticker", "date", "ex-dividend"])
      #expect(request.value("qopts.per_page") == "7" && !request.target.contains("["))
    }
  }

  @Test func a_question_too_long_for_an_address_is_posted() async throws {
    let tickers = (0..<2000).map { "T\($0)" }
    let query = DatatableQuery().filtered("ticker", in: tickers).filtered("date", .greater, "2005\"\\\n")
    try await ScriptedServer { _, index in
      index == 0 ? .error(503, "QEXx01", "busy") : Self.page("", next: index == 1 ? #""x""# : "null")
    }.run { server in
      for try await _ in try server.client().pages(query) {}
      #expect(server.requests.allSatisfy { $0.method == "POST" && $0.target == "/api/v3/datatables/WIKI/PRICES" })
      #expect(server.requests.count == 3 && server.requests[0].body == server.requests[1].body)
      let last = try #require(server.requests.last)
      let body = try #require(try JSONSerialization.jsonObject(with: Data(last.body.utf8)) as? [String: Any])
      #expect(body["ticker"] as? [String] == tickers && body["date.gt"] as? String == "2005\"\\\n")
      #expect(body["qopts.cursor_id"] as? String == "x" && last.header("content-type") == "application/json")
    }
  }

  @Test func a_cursor_that_comes_again_is_an_error() async throws {
    for cursors in [["1", "1"], ["1", "2", "1"]] {
      try await ScriptedServer { _, index in
        Self.page(#"["A","2017-01-0\#(index + 1)",1]"#, next: #""\#(cursors[index % cursors.count])""#)
      }.run { server in
        let error = try await clientError {
          for try await _ in try server.client().pages() {}
        }
        #expect(error.kind == .malformed && error.message.contains("circle"))
        #expect(server.requests.count == cursors.count)
      }
    }
  }

  @Test(arguments: [
    #"{"datatable":{"data":[],"columns":[]}}"#, #"{"datatable":{"data":[],"columns":[]},"meta":{}}"#,
    #"{"datatable":{"data":[],"columns":[]},"meta":{"next_cursor_id":""}}"#,
    #"{"datatable":{"data":[],"columns":[]},"meta":{"next_cursor_id":7}}"#, "[]", "",
  ])
  func a_page_that_does_not_say_whether_it_is_the_last_is_an_error(_ text: String) async throws {
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let error = try await clientError {
        for try await _ in try server.client().pages() {}
      }
      #expect(error.kind == .malformed)
    }
  }

  @Test func after_an_error_there_are_no_more_pages() async throws {
    try await ScriptedServer { _, _ in .error(404, "QECx02", "no") }.run { server in
      var pages = try server.client().pages().makeAsyncIterator()
      _ = try await clientError { try await pages.next() }
      #expect(try await pages.next() == nil && server.requests.count == 1)
    }
  }
}
