import Foundation
import Testing

/// Twenty questions that were made to occupy a server: names that double, ranks of the market by the dozen, the longest windows, the
/// deepest expressions and the longest addresses. Each is answered or given up within its time and memory.
struct HostileQuestionTests {
  private static func terms(_ count: Int, _ sign: String = " + ", _ term: (Int) -> String) -> String {
    (1...count).map(term).joined(separator: sign)
  }

  /// Names of which each is used twice in the next one.
  private static func doubling(_ first: String, _ count: Int, _ next: (String) -> String) -> String {
    (1...count).reduce(first) { "\($0); x\($1) = \(next("x\($1 - 1)"))" }
  }

  private static let questions: [(route: String, fields: [String: String])] = [
    (
      "aggregate",
      [
        "aggregates": terms(39, ", ") { "a\($0 - 1) + a\($0 - 1) as a\($0)" }.replacing(
          "a0 + a0", with: "sum(close) + 0")
      ]
    ),
    ("count", ["let": doubling("x0 = close > 1", 60) { "\($0) and not \($0)" }, "where": "x60"]),
    ("count", ["let": doubling("x0 = close", 60) { "\($0) + \($0)" }, "where": "x60 > 0"]),
    ("count", ["let": doubling("x0 = close", 60) { "if(\($0) > 1, \($0), \($0))" }, "where": "x60 > 0"]),
    ("count", ["let": doubling("x0 = close", 60) { "mean(\($0), 3) + rank(\($0) by day)" }, "where": "x60 > 0"]),
    ("count", ["where": terms(7) { "rank(prev(close, \($0)) by day)" } + " > 0"]),
    ("count", ["where": terms(16) { "rank(prev(close, \($0)) by day)" } + " > 0"]),
    ("scan", ["columns": terms(16, ", ") { "rank(prev(close, \($0)) by day) as r\($0)" }, "limit": "5"]),
    ("scan", ["columns": terms(60, ", ") { "pctrank(diff(volume, \($0)) by day) as r\($0)" }, "limit": "5"]),
    ("count", ["where": terms(12) { "wmean(close, \(5000 + $0) min 1)" } + " > 0"]),
    ("count", ["where": terms(300) { "wmean(close, \(5000 + $0) min 1)" } + " > 0"]),
    ("count", ["where": terms(60) { "quantile(close, \(9000 + $0) min 1, 0.5)" } + " > 0"]),
    ("count", ["where": terms(100) { "mad(close, \(1000 * $0) min 1)" } + " > 0"]),
    ("count", ["where": terms(100) { "slope(close, open, \(1000 * $0) min 2)" } + " > 0"]),
    (
      "count",
      ["where": String(repeating: "mean(", count: 95) + "close" + String(repeating: ", 3)", count: 95) + " > 0"]
    ),
    (
      "count",
      ["where": String(repeating: "rank(", count: 95) + "close" + String(repeating: " by day)", count: 95) + " > 0"]
    ),
    ("count", ["where": String(repeating: "not (", count: 95) + "close > 1" + String(repeating: ")", count: 95)]),
    ("count", ["where": terms(4000) { "\($0) * close" } + " > 0"]),
    ("aggregate", ["aggregates": terms(200, ", ") { "median(std(close, \($0 + 1))) as m\($0)" }, "by": "day"]),
    ("scan", ["columns": "ticker, date", "order": terms(40) { "zscore(change(close, \($0)) by day)" }, "limit": "5"]),
  ]

  @Test func each_ends_within_its_budget() throws {
    let (seconds, megabytes) = (1, 96)
    let server = try ServerProcess(
      TestFolder(rowCount: 280_000),
      ["--question-seconds", "\(seconds)", "--question-megabytes", "\(megabytes)", "--log-level", "warning"])
    let count = try server.get("/api/v1/count").text
    let before = server.residentByteCount
    var (statuses, longest, largest) = ([Int: Int](), Duration.zero, 0)
    #expect(Self.questions.count == 20)
    for (route, fields) in Self.questions {
      let body = try JSONSerialization.data(withJSONObject: fields)
      let wire = try server.connect(seconds: 60)
      wire.send(
        server.head("POST /api/v1/\(route)", ["content-type: application/json", "content-length: \(body.count)"]))
      let start = ContinuousClock.now
      wire.send(Array(body))
      let answer = try #require(wire.answer(), "\(fields)")
      let (status, sentence) = (answer.status, answer.status == 200 ? "" : answer.text)
      let time = ContinuousClock.now - start
      statuses[status, default: 0] += 1
      (longest, largest) = (max(longest, time), max(largest, server.residentByteCount - before))
      let reasons = ["(question-", "operations inside"]
      let isRight = status == 200 || status == 422 && reasons.contains { sentence.contains($0) }
      #expect(isRight, "\(status) \(sentence) \(fields)")
      #expect(time < .seconds(TestSettings.isDebug ? 20 : 5), "\(fields)")
    }
    print(
      "promise 26: 20 hostile questions to a server that gives \(seconds) s and \(megabytes) MB to each, by status "
        + "\(statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }); the longest took \(longest), memory has grown by "
        + "\(largest >> 20) MiB")
    #expect(largest < (megabytes + 96) << 20)
    #expect(try server.get("/api/v1/count").text == count)
  }

  @Test func the_longest_address_is_answered_or_refused() throws {
    let server = try ServerProcess(TestFolder(rowCount: 30_000), ["--question-seconds", "2"])
    let condition = Self.terms(300) { "wmean(close,\(5000 + $0)min1)" }.replacing(" ", with: "").replacing(
      "min", with: "%20min%20"
    )
    .replacing("+", with: "%2B")
    for length in [condition.count, 1 << 16] {
      let text = condition + String(repeating: "%2B1", count: max(0, length - condition.count) / 4)
      let start = ContinuousClock.now
      let status = try server.get("/api/v1/count?where=\(text)%3E0").status
      #expect([200, 414, 422, 431].contains(status), "\(status)")
      #expect(ContinuousClock.now - start < .seconds(TestSettings.isDebug ? 20 : 5))
    }
    #expect(try server.get("/healthz").status == 200)
  }
}
