import Foundation
import Quoin
import Testing

/// Counts, statistics and aggregates over the network, and questions that are posted.
struct TotalTests {
  private let server: ServerProcess
  private let store: QuoteStore

  init() throws {
    server = try ServerProcess.shared.get()
    store = try QuoteStore(at: server.folder.store)
  }

  private func post(_ path: String, _ body: String) throws -> WireAnswer {
    let wire = try server.connect()
    wire.send(server.head("POST \(path)", ["content-length: \(body.utf8.count)"]) + body)
    return try #require(wire.answer())
  }

  private func objects(_ answer: WireAnswer) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
  }

  @Test func rows_are_counted() throws {
    let query = try store.quotes(for: "FDX").where(Predicate(parsing: "high > 80")).dates(from: "2004-01-01")
    let count = try query.count()
    let answer = try server.get("/api/v1/count?where=high+%3E+80&tickers=FDX&from=2004-01-01")
    #expect(try count > 100 && objects(answer)[0]["rows"] as? Int == count)
    #expect(try server.get("/api/v1/count?where=high+%3E+1e9&format=csv").text == "rows\n0\n")
    #expect(try server.get("/api/v1/count").text.contains("\(store.summary.rowCount)"))
  }

  @Test func columns_have_statistics() throws {
    let rows = try objects(server.get("/api/v1/stats?tickers=FDX&columns=date,close,volume"))
    let query = store.quotes(for: "FDX")
    let total = try query.aggregate([.count(.close), .min(.close), .max(.close), .mean(.close)])
    #expect(rows.map { $0["column"] as? String } == ["close", "volume"])
    #expect(rows[0]["count"] as? Int == total.integers(.count(.close))[0].map { Int($0) })
    #expect(rows[0]["min"] as? Double == total.doubles(.min(.close))[0])
    #expect(rows[0]["max"] as? Double == total.doubles(.max(.close))[0])
    #expect(rows[0]["mean"] as? Double == total.doubles(.mean(.close))[0])
    #expect(try server.get("/api/v1/stats?columns=date").status == 422)
  }

  @Test func groups_have_aggregates() throws {
    let query = store.quotes(for: "FDX", "KO").dates(from: "2005-01-01")
    let expected = try query.aggregate([.mean(.close), .sum(.volume)], by: .year)
    let path = "/api/v1/aggregate?tickers=FDX,KO&from=2005-01-01&aggregates=mean(close),sum(volume)&by=year"
    let rows = try objects(server.get(path))
    #expect(rows.count == expected.rowCount && rows.count > 3)
    for (row, mean) in zip(rows, expected.doubles(.mean(.close))) {
      #expect(try abs(#require(row["mean(close)"] as? Double) - #require(mean)) < 1e-12)
    }
    #expect(rows.map { $0["ticker"] as? String } == expected.tickers.map { $0.description })
    #expect(rows[0]["year"] as? String == "2005-01-01")
    #expect(try server.get(path + "&format=csv").text.hasPrefix("ticker,year,mean(close),sum(volume)\nFDX,2005-01-01,"))
    // One row for all, even if there are none.
    let none = try objects(server.get("/api/v1/aggregate?where=high+%3E+1e9&aggregates=max(high)"))
    #expect(none.count == 1 && none[0]["max(high)"] is NSNull)
    let months = try objects(server.get("/api/v1/aggregate?by=month"))
    #expect(months.compactMap { $0["count"] as? Int }.reduce(0, +) == store.summary.rowCount)
  }

  @Test(arguments: [
    ("aggregate?aggregates=mean(hihg)", "did you mean"), ("aggregate?aggregates=", nil),
    ("aggregate?by=decade", "week"),
    ("count?columns=close", "columns"), ("stats?limit=1", "limit"), ("count?tickers=NOBODY", "NOBODY"),
  ]) func a_mistake_is_told(_ query: String, _ hint: String?) throws {
    let answer = try server.get("/api/v1/\(query)")
    guard let hint else { return #expect(answer.status == 200) }
    #expect([404, 422].contains(answer.status) && answer.text.contains(hint), "\(answer.text)")
  }

  @Test func a_question_may_be_posted() throws {
    let get = try server.get(
      "/api/v1/scan?where=high+%3E+40&where=volume+%3E+1000&tickers=FDX,KO&columns=date,high&limit=7&order=desc&format=csv"
    )
    let body = """
      {"where": ["high > 40", "volume > 1000"], "tickers": ["FDX", "KO"], "columns": "date,high", "limit": 7, "order": "desc",
       "format": "csv", "from": null}
      """
    let answer = try post("/api/v1/scan", body)
    #expect(answer.status == 200 && answer.body == get.body && get.text.split(separator: "\n").count == 8)
    // More than fits in a URL.
    let condition = (0..<2000).map { "close = \($0).25" }.joined(separator: " or ")
    let many = try post("/api/v1/count", #"{"where": "\#(condition)"}"#)
    #expect(try objects(many)[0]["rows"] as? Int == store.allQuotes.where(Predicate(parsing: condition)).count())
    for (body, hint) in [
      (#"{"whre": "high > 1"}"#, "did you mean 'where'?"), ("[1]", "JSON object"), ("{", "JSON object"),
      (#"{"limit": -1}"#, "from 0 on"), (#"{"limit": [1, 2]}"#, "give it once"),
    ] {
      let answer = try post("/api/v1/scan", body)
      #expect(answer.status == 422 && answer.text.contains(hint), "\(body): \(answer.text)")
    }
  }

  /// There was a limit of a million rows.
  @Test func a_scan_has_as_many_rows_as_there_are() throws {
    let server = try ServerProcess(TestFolder(rowCount: 60_000))
    let answer = try server.get("/api/v1/scan?format=csv&columns=ticker,date,close")
    #expect(answer.headers["content-length"] == "\(answer.body.count)")
    #expect(answer.body.count(where: { $0 == 10 }) == 60_001)
  }
}
