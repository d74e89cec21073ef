import Foundation
import Quoin
import Testing

@testable import QuoinServer

/// Answers in parts, as downloads are resumed and as Polars and DuckDB read.
struct RangeTests {
  private let server: ServerProcess

  init() throws { server = try ServerProcess.shared.get() }

  /// A short answer and a long one, which lies in a file.
  private static let targets = ["/api/v1/scan?format=csv&limit=3", "/api/v1/scan?format=csv"]

  @Test(arguments: targets, ["", "0-0", "5-20", "100-", "-7", "0-99999999", "-99999999", "7-99999999999999999999"])
  func a_part_is_that_of_the_whole(_ target: String, _ range: String) throws {
    let whole = try server.get(target)
    #expect(whole.status == 200 && whole.headers["accept-ranges"] == "bytes")
    guard !range.isEmpty else { return }
    let part = try server.get(target, ["range: bytes=\(range)", "accept-encoding: gzip"])
    let wanted = try #require(ByteRange("bytes=\(range)")?.bytes(of: whole.body.count))
    #expect(part.status == 206 && part.body == Array(whole.body[wanted]))
    #expect(part.headers["content-encoding"] == nil && part.headers["etag"] == whole.headers["etag"])
    #expect(
      part.headers["content-range"] == "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(whole.body.count)")
  }

  @Test(arguments: targets)
  func a_part_that_there_is_not_is_refused(_ target: String) throws {
    let count = try server.get(target).body.count
    for range in ["\(count)-", "\(count)-\(count + 5)", "-0"] {
      let answer = try server.get(target, ["range: bytes=\(range)"])
      #expect(answer.status == 416 && answer.headers["content-range"] == "bytes */\(count)", "\(range)")
      #expect(answer.text.contains("quandl_error"))
    }
  }

  /// HTTP allows to answer such ranges with the whole.
  @Test(arguments: [
    "bytes=5-2", "bytes=a-b", "bytes=", "bytes=-", "lines=1-2", "bytes=1-2,5-6", "bytes 1-2", "bytes=+1-2",
  ])
  func other_ranges_mean_the_whole(_ range: String) throws {
    #expect(ByteRange(range) == nil)
    #expect(try server.get(Self.targets[0], ["range: \(range)"]).status == 200)
  }

  @Test func parts_of_random_places_are_those_of_the_whole() throws {
    let whole = try server.get(Self.targets[1]).body
    let wire = try server.connect()
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let start = Int.random(in: 0..<whole.count, using: &generator)
      let end = Int.random(in: start..<whole.count, using: &generator)
      wire.send(server.head("GET \(Self.targets[1])", ["range: bytes=\(start)-\(end)"]))
      let part = try #require(wire.answer())
      #expect(part.body == Array(whole[start...end]), "\(start)-\(end) of \(whole.count)")
    }
  }

  @Test func an_error_has_no_parts() throws {
    let answer = try server.get("/api/v1/scan?limit=x", ["range: bytes=0-3"])
    #expect(answer.status == 422 && answer.headers["content-range"] == nil)
    #expect(try server.get("/healthz", ["range: bytes=0-3"]).body.count == 4)
    let wire = try server.connect()
    wire.send(server.head("HEAD \(Self.targets[0])", ["range: bytes=0-3"]))
    #expect(wire.answer(toHead: true)?.status == 200)
  }

  @Test func a_part_is_of_the_answer_that_the_client_has() throws {
    let target = Self.targets[1]
    let whole = try server.get(target)
    let tag = try #require(whole.headers["etag"])
    func answer(_ headers: String...) throws -> WireAnswer { try server.get(target, headers + ["range: bytes=10-19"]) }
    #expect(try answer("if-range: \(tag)").status == 206)
    #expect(try answer("if-match: \(tag)").body == Array(whole.body[10..<20]))
    #expect(try answer("if-match: *").status == 206)
    for other in ["\"other\"", "W/\(tag)", "Sun, 06 Nov 1994 08:49:37 GMT"] {
      let answer = try answer("if-range: \(other)")
      #expect(answer.status == 200 && answer.body == whole.body, "\(other)")
    }
    for other in ["\"other\"", "W/\(tag)"] {
      #expect(try answer("if-match: \(other)").status == 412, "\(other)")
    }
    // A client that accepts gzip with every request holds a part of a compressed answer.
    let packed = try server.get(target, ["accept-encoding: gzip"])
    let rest = try server.get(
      target, ["accept-encoding: gzip", "if-range: \(packed.headers["etag"] ?? "")", "range: bytes=100-"])
    #expect(rest.status == 206 && rest.headers["content-encoding"] == "gzip")
    #expect(rest.body == Array(packed.body[100...]))
  }

  /// curl -C - and wget -c after a commit would put the end of one answer behind the beginning of another. Whoever says
  /// what he holds gets the rest of that.
  @Test func a_download_is_resumed_after_a_commit() throws {
    let server = try ServerProcess(TestFolder(rowCount: 5000))
    let target = "/api/v1/scan?format=csv"
    let before = try server.get(target)
    try QuoteStore(at: server.folder.store).upsert([DailyQuoteSummary(ticker: "AAA", date: "2020-01-02", close: 1)])
    let after = try server.get(target)
    #expect(before.body != after.body && before.headers["etag"] != after.headers["etag"])
    let tag = before.headers["etag"] ?? ""
    for header in ["if-range: \(tag)", "if-match: \(tag)"] {
      let rest = try server.get(target, [header, "range: bytes=1000-"])
      #expect(rest.status == 206 && rest.body == Array(before.body[1000...]) && rest.headers["etag"] == tag)
    }
    #expect(try server.get(target, ["if-none-match: \(tag)"]).body == after.body)
  }

  @Test func the_time_of_the_commit_is_that_of_the_answer() throws {
    let server = try ServerProcess(TestFolder())
    var time: String?
    for _ in 0..<100 {
      time = try server.get("/api/v1/tickers").headers["last-modified"]
      if time != nil { break }
      // Another commit could follow in the same second.
      Thread.sleep(forTimeInterval: 0.1)
    }
    let modified = try #require(time)
    #expect(modified.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
    #expect(try server.get("/api/v1/tickers", ["if-modified-since: \(modified)"]).status == 304)
    #expect(try server.get("/api/v1/tickers", ["if-modified-since: Sun, 06 Nov 1994 08:49:37 GMT"]).status == 200)
    #expect(try server.get("/api/v1/tickers", ["if-range: \(modified)", "range: bytes=0-1"]).status == 206)
  }

  @Test func a_moment_is_written_as_http_writes_it() {
    for (seconds, text) in [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ] { #expect(CommitTime(secondsSince1970: Int64(seconds)).httpDate == text) }
  }
}
