import Foundation
import Quoin
import Testing

/// Questions of Quoin's own.
struct ScanTests {
  private let server: ServerProcess
  private let store: QuoteStore

  init() throws {
    server = try ServerProcess.shared.get()
    store = try QuoteStore(at: server.folder.store)
  }

  /// What the engine writes.
  private func bytes(
    _ query: QuoteQuery, _ format: OutputFormat, _ columns: [QuoteFormatter.Column] = QuoteFormatter.Column.all
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let formatter = QuoteFormatter(format, columns: columns) { span in
      unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    try query.forEachBatch { try formatter.append($0) }
    try formatter.finish()
    return bytes
  }

  private func text(
    _ query: QuoteQuery, _ format: OutputFormat, _ columns: [QuoteFormatter.Column] = QuoteFormatter.Column.all
  ) throws -> String { String(decoding: try bytes(query, format, columns), as: UTF8.self) }

  @Test(arguments: [OutputFormat.json, .csv, .ndjson]) func all_rows_come_as_the_engine_writes_them(
    _ format: OutputFormat
  ) throws {
    let answer = try server.get("/api/v1/scan?format=\(format.rawValue)")
    #expect(answer.status == 200)
    #expect(answer.text == (try text(store.allQuotes, format)))
  }

  @Test func a_stream_of_arrow_comes_for_the_parameter_or_the_header() throws {
    let type = "application/vnd.apache.arrow.stream"
    for (query, path) in [
      (store.allQuotes, "/api/v1/scan"),
      (try store.allQuotes.where(Predicate(parsing: "high > 1e9")), "/api/v1/scan?where=high+%3E+1e9"),
    ] {
      let stream = try bytes(query, .arrows)
      for answer in [
        try server.get(path + (path.contains("?") ? "&" : "?") + "format=arrow"),
        try server.get(path, ["accept: \(type)"]),
      ] {
        #expect(answer.status == 200 && answer.headers["content-type"] == type && answer.body == stream, "\(path)")
      }
    }
  }

  /// What comes after a `&` that was meant for the condition would be lost.
  @Test(arguments: [
    ("count?where=close%3E50&&open%3C60", "open<60"), ("count?where=close%3E50&open%3C60", "open<60"),
    ("count?FDX", "FDX"), ("count?FDX=", "FDX"), ("scan?latest", "'latest' has no value"),
    ("count?where", "'where' has no value"),
  ]) func a_name_without_a_value_is_refused(address: String, name: String) throws {
    let answer = try server.get("/api/v1/\(address)")
    #expect(answer.status >= 400 && answer.text.contains(name), "\(answer.text)")
    #expect(try server.get("/api/v1/count?where=&latest=").text == server.get("/api/v1/count").text)
    #expect(try server.get("/questions?where=close%3E50&&open%3C60").status == 422)
  }

  @Test func every_parameter_narrows_the_answer() throws {
    let query = try store.quotes(for: "FDX", "KO").where(Predicate(parsing: "high > 40"))
      .where(Predicate(parsing: "volume >= 1000")).dates(from: "2005-01-01", to: "2017-06-30")
      .ordered(.descending).limited(to: 300).selecting(.high)
    let answer = try server.get(
      "/api/v1/scan?where=high+%3E+40&where=volume%20%3E%3D%201000&tickers=FDX,ko&from=2005-01-01&to=2017-06-30"
        + "&order=desc&limit=300&columns=date,high&format=csv&api_key=anything")
    #expect(answer.text == (try text(query, .csv, [.date, .attribute(.high)])))
    #expect(answer.text.split(separator: "\n").count == 301)
  }

  @Test func columns_are_computed() throws {
    let ratio = QuoteExpression.close / .prev(.close)
    let query = try store.quotes(for: "FDX", "KO").where(Predicate(parsing: "rank(close by day) = 1"))
      .computing("r", ratio).computing("rank(close by day)", .rankByDay(.close)).selecting([])
    let answer = try server.get(
      "/api/v1/scan?tickers=FDX,KO&where=rank(close+by+day)+%3D+1&columns=ticker,date,close+%2F+prev(close)+as+r,rank(close+by+day)&format=csv"
    )
    #expect(answer.text == (try text(query, .csv, [.ticker, .date, .computed("r"), .computed("rank(close by day)")])))
  }

  /// A market of one ticker is told in a header.
  @Test(arguments: ["scan?limit=1&", "count?", "aggregate?"])
  func a_ticker_that_is_compared_with_itself_alone_is_told(_ route: String) throws {
    func remark(_ question: String) throws -> String? {
      try server.get("/api/v1/\(route)\(question)").headers["quoin-remark"]
    }
    #expect(
      try remark("tickers=KO&where=rank(close+by+day)+%3D+1")
        == "KO is alone among the quotes of each day, because no other ticker is asked for; to compare it with all, ask for all, with "
        + "where \"ticker = 'KO'\"")
    #expect(try remark("where=rank(close+by+day)+%3D+1+and+ticker+%3D+'KO'") == nil && remark("tickers=KO") == nil)
  }

  @Test func the_page_tells_it_too() throws {
    let page = try server.get("/questions?tickers=KO&where=rank(close+by+day)+%3D+1").text
    #expect(page.contains("<p>KO is alone among the quotes of each day"))
  }

  @Test(arguments: ["asc", "desc"], ["", "&tickers=KO,FDX,AAPL"])
  func pages_that_begin_after_the_last_row_are_the_whole_answer(_ order: String, _ tickers: String) throws {
    let path =
      "/api/v1/scan?where=close+%3E+prev(close)&columns=ticker,date,close,rank(close+by+day)&format=csv&order=\(order)\(tickers)"
    let whole = try server.get(path).text.split(separator: "\n")
    var rows = Array(whole.prefix(1))
    while true {
      let last =
        rows.count > 1 ? "&after=" + rows[rows.count - 1].split(separator: ",").prefix(2).joined(separator: ",") : ""
      let page = try server.get(path + "&limit=317" + last).text.split(separator: "\n").dropFirst()
      rows += page
      if page.count < 317 { break }
    }
    #expect(rows == whole && whole.count > 317 * 2)
  }

  @Test(arguments: ["csv", "json"], [0, 1, 5000]) func rows_come_in_the_order_of_their_values(
    _ format: String, _ limit: Int
  ) throws {
    let ratio = QuoteExpression.close / .open
    var bytes: [UInt8] = []
    let form = try #require(OutputFormat(rawValue: format))
    let formatter = QuoteFormatter(form, columns: [.ticker, .attribute(.close), .computed("r")]) { span in
      unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    try formatter.append(store.allQuotes.computing("r", ratio).limited(to: limit).sorted(by: ratio, .descending))
    try formatter.finish()
    let answer = try server.get(
      "/api/v1/scan?order=close+/+open+desc&columns=ticker,close,close/open+as+r&limit=\(limit)&format=\(format)")
    #expect(answer.status == 200 && answer.text == String(decoding: bytes, as: UTF8.self))
  }

  @Test func a_page_begins_after_a_row_that_is_asked_for() throws {
    for (after, message) in [
      ("FDX", "write its ticker and day: FDX,2005-10-14"), ("FDX,yesterday", "write its ticker and day"),
      ("KO,2005-10-14", "KO isn't one of the tickers that are asked for"),
    ] {
      let answer = try server.get("/api/v1/scan?tickers=FDX&after=\(after)")
      #expect(answer.status == 422 && answer.text.contains(message), "\(answer.text)")
    }
  }

  @Test func the_form_follows_parameter_and_header() throws {
    func type(_ path: String, _ headers: [String] = []) throws -> String? {
      try server.get(path, headers).headers["content-type"]
    }
    let path = "/api/v1/scan?limit=1"
    #expect(try type(path) == "application/json; charset=utf-8")
    #expect(try type(path, ["accept: */*"]) == "application/json; charset=utf-8")
    #expect(try type(path, ["accept: text/csv"]) == "text/csv")
    #expect(try type(path, ["accept: application/x-ndjson"]) == "application/x-ndjson")
    #expect(try type(path + "&format=csv", ["accept: application/json"]) == "text/csv")
    #expect(try type("/api/v1/tickers?format=ndjson") == "application/x-ndjson")
  }

  @Test func json_is_json_even_without_rows() throws {
    for path in ["/api/v1/scan?where=high+%3E+1e9", "/api/v1/scan?limit=0", "/api/v1/scan?limit=2", "/api/v1/tickers"] {
      let answer = try server.get(path)
      #expect(try JSONSerialization.jsonObject(with: Data(answer.body)) is [[String: Any]], "\(path)")
    }
  }

  @Test func tickers_are_what_the_store_has() throws {
    let summaries = try store.tickerSummaries()
    let lines = try server.get("/api/v1/tickers?format=csv").text.split(separator: "\n")
    #expect(lines.count == summaries.count + 1)
    #expect(lines[0] == "ticker,rows,first_day,last_day,bytes")
    #expect(lines[4].hasPrefix("FDX,1200,2001-01-05,2005-10-14,"))
    let json = try JSONSerialization.jsonObject(with: Data(server.get("/api/v1/tickers").body))
    #expect((json as? [[String: Any]])?.compactMap { $0["rows"] as? Int } == summaries.map(\.rowCount))
  }

  @Test(arguments: [
    (422, "where=hihg+%3E+80", "did you mean 'high'?"),
    (422, "where=high+%3E", "where: "),
    (422, "whre=high+%3E+80", "did you mean 'where'?"),
    (422, "tickers=F%20X", "tickers: "),
    (422, "tickers=FDX,,KO", "tickers: "),
    (422, "tickers=FDX,..", "tickers: "),
    (404, "tickers=BRK.A", "did you mean BRK_A?"),
    (404, "tickers=FDX.US", "did you mean FDX?"),
    (404, "tickers=FXD", "did you mean FDX?"),
    (422, "columns=date,hgih", "did you mean 'high'?"),
    (422, "columns=mean(close", "columns: "),
    (422, "columns=close%2B1+as+x,close+as+x", "two columns 'x'"),
    (404, "columns=close+of+NOPE", "no quotes of NOPE"),
    (422, "from=yesterday", "YYYY-MM-DD"),
    (422, "to=2005-02-30", "YYYY-MM-DD"),
    (422, "limit=-1", "from 0 on"),
    (422, "limit=99999999999999999999", "from 0 on"),
    (422, "limit=1&limit=2", "give it once"),
    (422, "order=up", "order: unknown attribute 'up'"),
    (422, "order=volume&after=FDX,2005-10-14", "after applies to rows by ticker and date"),
    (422, "format=xml", "json, csv, ndjson"),
    (422, "as_of=2005-06-01&where=next(close)+%3E+close", "use 'prev', which looks back"),
    (422, "as_of=2005-06-01&columns=next(close)+as+x", "use 'prev', which looks back"),
  ]) func a_mistake_is_answered_with_what_to_write(_ status: Int, _ query: String, _ hint: String) throws {
    let answer = try server.get("/api/v1/scan?\(query)")
    #expect(answer.status == status)
    let json = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: [String: String]]
    let error = try #require(json?["quandl_error"])
    #expect(error["message"]?.contains(hint) == true, "\(error)")
    #expect(error["code"]?.contains(/^QE[A-Z]x\d\d$/) == true)
  }
}
