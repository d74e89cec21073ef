import Foundation
import Testing

/// Short questions don't wait for long ones, whoever asks these.
struct LoadTests {
  /// Some seconds of work for each thread.
  private static let slow = (1...40).map { "wmean(close,\($0 * 100))" }.joined(separator: "%2B")

  @Test func sixteen_expensive_clients_keep_no_short_question_waiting() throws {
    let server = try ServerProcess(TestFolder(rowCount: 280_000))
    let ticker = try #require(server.get("/api/v1/tickers?format=csv").text.split(separator: "\n").dropFirst().first)
    let short = ["/api/v1/count?tickers=\(ticker.prefix { $0 != "," })", "/healthz"]
    let before = try short.map { try Self.times(server, $0) }
    let wires = try (0..<16).map { _ in try server.connect() }
    for wire in wires { wire.send(server.head("GET /api/v1/count?where=\(Self.slow)%3E0")) }
    while try !server.get("/metrics").text.contains("quoin_questions_running 2\n") {
      Thread.sleep(forTimeInterval: 0.01)
    }
    let meanwhile = try short.map { try Self.times(server, $0) }
    #expect(try server.get("/metrics").text.contains("quoin_questions_running 2\n"), "the load was over too soon")
    for (index, what) in ["a count of one ticker", "/healthz"].enumerated() {
      let (rest, load) = (before[index], meanwhile[index])
      print(
        "promise 25: under 16 expensive clients \(what) takes \(load[50]) (median), \(load[98]) (99 %); without them "
          + "\(rest[50]) and \(rest[98])")
      // Other processes may delay some; a question that waits for a long one is delayed by seconds.
      #expect(load[50] < .milliseconds(250) && load[90] < .seconds(1), "\(what): \(load)")
    }
    // Who leaves with an answer has canceled nothing.
    #expect(try server.get("/metrics").text.contains("quoin_questions_canceled_total 0\n"))
    for wire in wires { wire.leave() }
  }

  /// How long 100 answers take, the shortest first.
  private static func times(_ server: ServerProcess, _ path: String) throws -> [Duration] {
    try (0..<100).map { _ in
      let start = ContinuousClock.now
      let status = try server.get(path).status
      #expect(status == 200)
      return ContinuousClock.now - start
    }.sorted()
  }
}
