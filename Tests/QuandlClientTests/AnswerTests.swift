import Foundation
import Testing

@testable import QuandlClient

/// Answers that are not what they should be.
@Suite struct AnswerTests {
  @Test(arguments: [
    ("", "answer"), ("<html>", "answer"), ("{", "answer"), ("[]", "answer"), ("{}", "'dataset_data' is missing"),
    (#"{"dataset_data":{}}"#, "'column_names' is missing"),
    (#"{"dataset_data":{"column_names":["Date","Close"],"data":[["2005-02-30",1]]}}"#, "'2005-02-30' is not a date"),
    (#"{"dataset_data":{"column_names":["Date","Close"],"data":[["2005-02-01",1,2]]}}"#, "row 1 has more cells"),
    (#"{"dataset_data":{"column_names":["Date","A"],"data":[["2005-02-01"]]}}"#, "answer"),
    (#"{"dataset_data":{"column_names":["Date","A"],"data":[["2005-02-01","x"]]}}"#, "answer"),
    (String(fedExDataset.dropLast(40)), "answer"),
  ])
  func nonsense_is_an_error_and_not_asked_for_again(_ text: String, _ detail: String) async throws {
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let error = try await clientError { try await server.client().data("WIKI/FDX") }
      #expect(error.kind == .malformed && error.message.contains(detail), "\(error)")
      #expect(error.url == "\(server.base)/datasets/WIKI/FDX/data" && server.requests.count == 1)
    }
  }

  @Test func a_refusal_with_status_200_is_a_refusal() async throws {
    try await ScriptedServer { _, _ in .ok(#"{"quandl_error":{"code":"QEPx04","message":"Not yours."}}"#) }.run {
      server in
      for error in [
        try await clientError { try await server.client().data("WIKI/FDX") },
        try await clientError { try await server.client().fetch("WIKI/FDX") },
      ] { #expect(error.kind == .service && error.code == "QEPx04" && error.message == "Not yours.") }
    }
  }

  @Test func a_refusal_in_html_says_its_status() async throws {
    try await ScriptedServer { _, _ in .status(403, "<html>go away</html>") }.run { server in
      let error = try await clientError { try await server.client().data("WIKI/FDX") }
      #expect(error.status == 403 && error.code == nil && !"\(error)".contains("html"))
      #expect("\(error)".contains("NASDAQ_DATA_LINK_API_KEY"))
    }
  }

  @Test func an_answer_may_be_packed() async throws {
    let packed = try gzip(Array(fedExDataset.utf8))
    try await ScriptedServer { _, _ in .bytes(200, packed, headers: ["content-encoding: gzip"]) }.run { server in
      let series = try await server.client().data("WIKI/FDX")
      #expect(series.rowCount == 1)
      #expect(server.requests.first?.header("accept-encoding") == "gzip")
    }
  }

  /// Unpacked by the transport, this took many seconds and hundreds of megabytes.
  @Test func a_small_packed_answer_that_stands_for_hundreds_of_megabytes_is_refused() async throws {
    let folder = try TestFolder()
    let file = folder.path + "/bomb.gz"
    let result = try ProgramRun("/bin/sh", ["-c", "head -c 300000000 /dev/zero | gzip -9 > '\(file)'"])
    #expect(result.status == 0)
    let bomb = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(bomb.count < 300_000)
    try await ScriptedServer { _, _ in .bytes(200, bomb, headers: ["content-encoding: gzip"]) }.run { server in
      let client = try server.client { $0.answerByteLimit = 1 << 20 }
      let start = ContinuousClock.now
      let error = try await clientError { try await client.data("WIKI/FDX") }
      #expect(error.kind == .tooLarge && server.requests.count == 1, "\(error)")
      // No limit: beside the other tests this waits for a thread.
      print("a packed answer of \(bomb.count) bytes is refused after \(ContinuousClock.now - start)")
    }
  }

  @Test func an_answer_that_is_packed_in_another_way_is_refused() async throws {
    try await ScriptedServer { _, _ in .ok("x", headers: ["content-encoding: br"]) }.run { server in
      let error = try await clientError { try await server.client().data("WIKI/FDX") }
      #expect(error.kind == .malformed && error.message.hasSuffix("not asked for: 'br'"), "\(error)")
    }
  }

  @Test func a_damaged_packed_answer_is_a_broken_connection() async throws {
    let packed = try gzip(Array(fedExDataset.utf8))
    var damaged = packed
    damaged[packed.count / 2] ^= 0xff
    for bytes in [Array(packed.dropLast(12)), damaged] {
      try await ScriptedServer { _, _ in .bytes(200, bytes, headers: ["content-encoding: gzip"]) }.run { server in
        let error = try await clientError { try await server.client { $0.retries.count = 1 }.data("WIKI/FDX") }
        #expect(error.kind == .connection || error.kind == .malformed, "\(error)")
      }
    }
  }

  @Test func a_longer_answer_than_allowed_is_refused_packed_or_not() async throws {
    let long = Array(repeating: UInt8(ascii: " "), count: 1 << 20)
    let replies: [Reply] = [
      .bytes(200, long), .bytes(200, try gzip(long), headers: ["content-encoding: gzip"]),
      Reply(steps: [.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + long), .close]),
    ]
    for reply in replies {
      try await ScriptedServer { _, _ in reply }.run { server in
        let client = try server.client { $0.answerByteLimit = 100_000 }
        let error = try await clientError { try await client.data("WIKI/FDX") }
        #expect(error.kind == .tooLarge && server.requests.count == 1, "\(error), \(server.requests.count) requests")
      }
    }
  }

  @Test func silence_is_not_waited_for_for_ever() async throws {
    let halves: [Reply] = [
      .silence, Reply(steps: [.send(Array("HTTP/1.1 200 OK\r\ncontent-le".utf8))] + Reply.silence.steps),
    ]
    for reply in halves + [Reply(steps: Reply.ok(fedExDataset).cut(after: 200).steps.dropLast() + Reply.silence.steps)]
    {
      try await ScriptedServer { _, _ in reply }.run { server in
        let client = try server.client {
          $0.timeLimits.silence = .milliseconds(50)
          $0.retries.count = 1
        }
        let error = try await clientError { try await client.data("WIKI/FDX") }
        #expect(error.kind == .timeLimit && error.attemptCount == 2, "\(error)")
      }
    }
  }

  @Test func an_answer_that_trickles_is_not_waited_for_for_ever() async throws {
    let head: [Reply.Step] = [.send(Array("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n".utf8))]
    let drops = (0..<200).flatMap { _ in [Reply.Step.send([32]), .wait(.milliseconds(10))] }
    try await ScriptedServer { _, _ in Reply(steps: head + drops) }.run { server in
      let client = try server.client {
        $0.timeLimits.answer = .milliseconds(100)
        $0.retries.count = 0
      }
      let error = try await clientError { try await client.data("WIKI/FDX") }
      #expect(error.kind == .timeLimit && error.message == "the answer takes too long", "\(error)")
    }
  }

  /// JSON has no NaN, but services write it.
  @Test func not_a_number_is_a_missing_value() async throws {
    let dataset = #"{"dataset_data":{"column_names":["Date","Close"],"data":[["2024-01-02",NaN],["2024-01-03",2]]}}"#
    try await ScriptedServer { _, _ in .ok(dataset) }.run { server in
      let series = try await server.client().data("WIKI/FDX")
      #expect(series.columns == [[nil, 2]])
    }
    let table = #"{"datatable":{"data":[[NaN]],"columns":[{"name":"x"}]},"meta":{"next_cursor_id":null}}"#
    try await ScriptedServer { _, _ in .ok(table) }.run { server in
      var rows: [[Datatable.Cell]] = []
      for try await page in try server.client().pages() { rows += try page.table().rows }
      #expect(rows == [[.missing]])
    }
  }

  @Test func redirections_are_followed_within_reason() async throws {
    try await ScriptedServer { request, index in
      request.path == "/there" ? .ok(fedExDataset) : .redirect(302, to: "/there")
    }.run { server in
      let series = try await server.client().data("WIKI/FDX")
      #expect(series.rowCount == 1)
    }
    try await ScriptedServer { request, _ in .redirect(301, to: request.target) }.run { server in
      let error = try await clientError { try await server.client().data("WIKI/FDX") }
      #expect(error.kind == .redirect && server.requests.count == 6)
    }
    for location in ["file:///etc/passwd", "gopher://x/", "http://user@127.0.0.1/"] {
      try await ScriptedServer { _, _ in .redirect(302, to: location) }.run { server in
        let error = try await clientError { try await server.client().data("WIKI/FDX") }
        #expect(error.kind == .redirect)
      }
    }
  }

  @Test func nobody_leads_from_a_secure_connection_to_an_insecure_one() throws {
    let url = try ServiceBase("https://example.com").url("datasets")
    #expect(url.following("http://example.com/x") == nil)
    #expect(url.following("https://elsewhere.example/x?signature=1")?.shown == "https://elsewhere.example/x")
    #expect(url.following("/x")?.origin == url.origin)
  }
}
