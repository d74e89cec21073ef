import Foundation
import Testing

/// Work ends when nobody waits for it any more, and only then.
struct LeavingClientTests {
  /// Seconds of work, in release too. No row meets it, so an answer that ends with a number of rows reads all of them.
  private static let slow = (1...40).map { "wmean(close,\(5000 + $0)%20min%201)" }.joined(separator: "%2B") + "%3C0"

  /// A question of each kind that asks the whole store.
  private static let paths = [
    "/api/v1/count?where=\(slow)", "/api/v1/scan?where=\(slow)", "/api/v1/aggregate?where=\(slow)",
    "/api/v1/stats?where=\(slow)", "/questions?where=\(slow)", "/check", "/api/v3/databases/WIKI/data",
  ]

  private static let shared = Result { try ServerProcess(TestFolder(rowCount: 200_000)) }
  /// So many rows that no answer is made before its client has left.
  private static let large = Result { try TestFolder(rowCount: TestSettings.isDebug ? 200_000 : 2_000_000) }

  @Test(arguments: paths) func every_kind_of_work_ends_when_its_client_leaves(_ path: String) throws {
    let server = try ServerProcess(Self.large.get())
    let wire = try server.connect()
    wire.send(server.head("GET \(path)"))
    try Self.wait(server) { $0["quoin_questions_running"] == 1 }
    wire.leave()
    let start = ContinuousClock.now
    let line = try #require(server.logLine { $0.contains("target=\(path.prefix(30))") })
    try Self.wait(server) { $0["quoin_questions_running"] == 0 && $0["quoin_questions_waiting"] == 0 }
    print("promise 23: work on \(path.prefix(30)) ends \(ContinuousClock.now - start) after its client has left")
    #expect(line.contains("status=499"), "\(line)")
    #expect(try Self.figures(server)["quoin_questions_canceled_total"] == 1)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func sixteen_that_leave_at_once_leave_nothing_behind() throws {
    let server = try ServerProcess(TestFolder(rowCount: 200_000))
    let wires = try (0..<16).map { _ in try server.connect() }
    for wire in wires { wire.send(server.head("GET \(Self.paths[0])")) }
    try Self.wait(server) { $0["quoin_http_requests_in_flight"] == 17 }
    for wire in wires { wire.leave() }
    let start = ContinuousClock.now
    try Self.wait(server) { $0["quoin_http_requests_in_flight"] == 1 && $0["quoin_questions_running"] == 0 }
    print("promise 23: a server is idle \(ContinuousClock.now - start) after 16 expensive clients have left")
    #expect(ContinuousClock.now - start < .seconds(5))
    // The lines come a moment later.
    var lineCount = 0
    for _ in 0..<500 where lineCount < 16 {
      lineCount = server.log.components(separatedBy: "status=499").count - 1
      if lineCount < 16 { Thread.sleep(forTimeInterval: 0.01) }
    }
    #expect(lineCount == 16)
  }

  /// `printf ... | nc -N` closes its side after its request, and reads.
  @Test(arguments: ["1.0", "1.1"], ["/", "/api/v1/count", "/healthz", "/api/v3/datasets/WIKI/FDX", "/check"])
  func who_has_nothing_more_to_send_gets_the_answer(_ version: String, _ path: String) throws {
    let server = try ServerProcess.shared.get()
    let answers = try [false, true].map { isClosing in
      let wire = try server.connect()
      wire.send("GET \(path) HTTP/\(version)\r\nhost: 127.0.0.1:\(server.port)\r\nconnection: close\r\n\r\n")
      if isClosing { wire.finishSending() }
      return wire.answer()
    }
    // An answer that takes long has chunks or ends with the connection: its first bytes tell whether the client is there.
    #expect(answers.allSatisfy { $0?.status == 200 && $0?.body.isEmpty == false }, "\(answers)")
    #expect(answers[0]?.text == answers[1]?.text)
  }

  /// The first bytes of its answer go ahead, to see whether it is still there.
  @Test(arguments: ["1.0", "1.1"]) func and_also_when_the_answer_takes_long(_ version: String) throws {
    let server = try Self.shared.get()
    let wire = try server.connect(seconds: 60)
    let head = "GET \(Self.paths[0]) HTTP/\(version)\r\nhost: 127.0.0.1:\(server.port)\r\nconnection: close\r\n\r\n"
    wire.send(head)
    wire.finishSending()
    let start = wire.read(upTo: 1)
    let answer = wire.rest(from: start)
    #expect(answer?.status == 200 && answer?.text.contains("\"rows\"") == true, "\(start) \(answer?.text ?? "")")
  }

  @Test func pipelined_requests_are_all_answered_after_the_last_one() throws {
    let server = try Self.shared.get()
    let wire = try server.connect(seconds: 60)
    for path in ["/api/v1/count", Self.paths[0], "/healthz"] { wire.send(server.head("GET \(path)")) }
    wire.finishSending()
    for _ in 0..<3 { #expect(wire.answer()?.status == 200) }
    #expect(wire.readToEnd().isEmpty)
  }

  @Test func a_check_is_whole_for_who_stays() throws {
    #expect(try Self.shared.get().get("/check").text.contains("200,000 rows checked"))
  }

  /// The metrics without labels.
  private static func figures(_ server: ServerProcess) throws -> [Substring: Int] {
    let pairs = try server.get("/metrics").text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? Int(words[1]).map { (words[0], $0) } : nil
    }
    return Dictionary(pairs) { $1 }
  }

  private static func wait(_ server: ServerProcess, until isRight: ([Substring: Int]) -> Bool) throws {
    for _ in 0..<2000 {
      if try isRight(figures(server)) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("the server never became so")
  }
}
