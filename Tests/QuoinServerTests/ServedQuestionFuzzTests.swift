import Foundation
import Quoin
import Testing

@testable import QuoteGenerator

/// Questions that the grammar makes, asked of a server: each has an answer, is refused, or is given up within its time and memory, and
/// meanwhile the server is there for others. `QUOIN_FUZZ_REQUESTS` is how many.
struct ServedQuestionFuzzTests {
  private static let count = TestSettings.count("QUOIN_FUZZ_REQUESTS", debug: 60, release: 400)

  @Test func a_question_ends_within_its_budget() throws {
    let server = try ServerProcess(
      TestFolder(rowCount: 30_000),
      ["--question-seconds", "1", "--question-megabytes", "48", "--log-level", "warning"])
    _ = try server.get("/healthz")
    let before = server.residentByteCount
    var dice = TestSettings.dice("questions to a server")
    var (statuses, longest) = ([Int: Int](), Duration.zero)
    for _ in 0..<Self.count {
      var writer = QuestionWriter(dice)
      let texts = writer.question()
      dice = writer.dice
      let route = texts.kind == 4 ? "aggregate" : texts.kind == 0 ? "count" : "scan"
      let fields = texts.fields.filter { route == "scan" || !["columns", "limit"].contains($0.name) }
      let start = ContinuousClock.now
      let status = try Self.post(Dictionary(uniqueKeysWithValues: fields), to: route, of: server)
      let time = ContinuousClock.now - start
      statuses[status, default: 0] += 1
      longest = max(longest, time)
      #expect([200, 404, 422].contains(status), "\(route) \(fields)")
      #expect(time < .seconds(TestSettings.isDebug ? 20 : 5), "\(route) \(fields)")
    }
    let growth = server.residentByteCount - before
    print(
      "promise 26: \(Self.count) random questions to a server, by status \(statuses); the longest took \(longest), "
        + "memory has grown by \(growth >> 20) MiB")
    #expect(statuses[200, default: 0] > Self.count / 10)
    #expect(growth < 256 << 20)
    #expect(try server.get("/healthz").status == 200)
  }

  private static func post(_ fields: [String: String], to route: String, of server: ServerProcess) throws -> Int {
    let body = try JSONSerialization.data(withJSONObject: fields)
    let wire = try server.connect(seconds: 60)
    wire.send(
      server.head(
        "POST /api/v1/\(route)", ["content-type: application/json", "content-length: \(body.count)"]))
    wire.send(Array(body))
    return try #require(wire.answer()).status
  }
}
