import Foundation
import Testing

@testable import QuoinServer

/// HTTP as it goes over the wire.
struct ProtocolTests {
  private let server: ServerProcess

  init() throws { server = try ServerProcess.shared.get() }

  @Test func a_connection_is_kept_for_the_next_request() throws {
    let wire = try server.connect()
    for path in ["/healthz", "/api/v1/tickers", "/nothing", "/healthz"] {
      wire.send(server.head("GET \(path)"))
      #expect(wire.answer()?.status == (path == "/nothing" ? 404 : 200))
    }
  }

  @Test func requests_that_come_together_are_answered_in_their_order() throws {
    let wire = try server.connect()
    wire.send(server.head("GET /healthz") + server.head("GET /nothing") + server.head("HEAD /healthz"))
    #expect(wire.answer()?.status == 200)
    #expect(wire.answer()?.status == 404)
    #expect(wire.answer(toHead: true)?.status == 200)
  }

  @Test(arguments: ["connection: close", "Connection: Close", "connection: close, te"])
  func a_connection_ends_when_the_client_wants_it(_ header: String) throws {
    let wire = try server.connect(seconds: 5)
    wire.send(server.head("GET /healthz", [header]))
    let answer = try #require(wire.answer())
    #expect(answer.status == 200 && answer.headers["connection"] == "close")
    #expect(wire.isClosedByServer)
  }

  @Test func an_old_client_gets_its_answer_without_chunks_and_an_end() throws {
    let wire = try server.connect(seconds: 5)
    wire.send("GET /api/v1/scan HTTP/1.0\r\nhost: 127.0.0.1:\(server.port)\r\n\r\n")
    let answer = try #require(wire.answer())
    #expect(answer.line.hasPrefix("HTTP/1.0 200"))
    #expect(answer.headers["transfer-encoding"] == nil)
    #expect(answer.text.hasSuffix("\n]\n"))
  }

  @Test func head_has_the_headers_of_get_and_no_body() throws {
    let wire = try server.connect()
    let paths = ["/healthz", "/api/v1/tickers", "/api/v1/scan", "/api/v1/scan?limit=3", "/nothing", "/openapi.json"]
    for path in paths {
      wire.send(server.head("GET \(path)"))
      let get = try #require(wire.answer())
      wire.send(server.head("HEAD \(path)"))
      let head = try #require(wire.answer(toHead: true))
      #expect(head.status == get.status)
      for name in ["content-type", "content-length", "etag", "vary"] {
        #expect(head.headers[name] == get.headers[name], "\(path)")
      }
    }
  }

  @Test func an_answer_is_compressed_for_who_takes_that() throws {
    let plain = try server.get("/api/v1/tickers")
    #expect(plain.headers["content-encoding"] == nil)
    for header in ["gzip, deflate", "deflate;q=0.5, GZIP;q=0.9", "*"] {
      let packed = try server.get("/api/v1/tickers", ["accept-encoding: \(header)"])
      #expect(packed.headers["content-encoding"] == "gzip")
      #expect(packed.headers["vary"] == "accept, accept-encoding")
      #expect(packed.body.count < plain.body.count)
      #expect(try unpacked(packed.body) == plain.body)
    }
    for header in ["identity", "gzip;q=0", "deflate, gzip; q=0.0", "gzipped"] {
      #expect(try server.get("/api/v1/tickers", ["accept-encoding: \(header)"]).headers["content-encoding"] == nil)
    }
    #expect(try server.get("/healthz", ["accept-encoding: gzip"]).headers["content-encoding"] == nil)
  }

  @Test func a_long_answer_is_compressed_and_has_its_length() throws {
    let plain = try server.get("/api/v1/scan")
    let packed = try server.get("/api/v1/scan", ["accept-encoding: gzip"])
    #expect(plain.body.count > ServerLimits.bufferedByteCount && packed.body.count > 1000)
    for answer in [plain, packed] {
      #expect(answer.headers["content-length"] == "\(answer.body.count)" && answer.headers["transfer-encoding"] == nil)
    }
    #expect(plain.headers["etag"] != packed.headers["etag"])
    #expect(try unpacked(packed.body) == plain.body)
  }

  @Test func a_client_that_has_the_answer_is_told_so() throws {
    let path = "/api/v3/datasets/WIKI/FDX/data"
    let first = try server.get("/api/v1/tickers")
    let tag = try #require(first.headers["etag"])
    let wire = try server.connect()
    for header in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
      wire.send(server.head("GET /api/v1/tickers", ["if-none-match: \(header)"]))
      let answer = try #require(wire.answer())
      #expect(answer.status == 304 && answer.headers["etag"] == tag)
      #expect(answer.headers["content-length"] == nil && answer.headers["transfer-encoding"] == nil)
    }
    #expect(try server.get("/api/v1/tickers", ["if-none-match: \"x\""]).status == 200)
    // Asked for in another form, it is another answer.
    #expect(try server.get("/api/v1/tickers", ["accept: text/csv", "if-none-match: \(tag)"]).status == 200)
    for header in [tag, "*"] {
      #expect(try server.get("/nothing", ["if-none-match: \(header)"]).status == 404)
      #expect(try server.get("/api/v1/scan?tickers=NOBODY", ["if-none-match: *"]).status == 404)
    }
    let dataset = try server.get(path)
    if dataset.status == 200 {
      let tag = try #require(dataset.headers["etag"])
      #expect(try server.get(path, ["if-none-match: \(tag)"]).status == 304)
    }
  }

  @Test func limits_are_told_apart() throws {
    func status(_ path: String, _ headers: [String] = []) throws -> Int { try server.get(path, headers).status }
    let name = "/nothing?"
    #expect(try status(name + String(repeating: "a", count: 6300)) == 404)
    #expect(try status(name + String(repeating: "a", count: 12_288 - name.count)) == 404)
    #expect(try status(name + String(repeating: "a", count: 12_289 - name.count)) == 414)
    #expect(try status("/nothing", ["x: " + String(repeating: "a", count: 15_000)]) == 404)
    #expect(try status("/nothing", ["x: " + String(repeating: "a", count: 17_000)]) == 431)
    #expect(try status("/nothing", (0..<90).map { "x-\($0): 1" }) == 404)
    #expect(try status("/nothing", (0..<101).map { "x-\($0): 1" }) == 431)
  }

  @Test func a_body_that_is_too_long_is_refused() throws {
    let path = "POST /api/v3/datatables/WIKI/PRICES"
    let known = try server.connect()
    known.send(server.head(path, ["content-length: 1048577"]))
    #expect(known.answer()?.status == 413)
    let chunked = try server.connect()
    chunked.send(server.head(path, ["transfer-encoding: chunked"]))
    let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
    for _ in 0..<17 { chunked.send(chunk) }
    let answer = try #require(chunked.answer())
    #expect(answer.status == 413 && answer.text.contains("QELx08"))
    #expect(chunked.isClosedByServer)
  }

  /// curl waits for the answer when it sends much.
  @Test func a_client_that_asks_whether_to_send_is_told() throws {
    let head = server.head(
      "POST /api/v3/datatables/WIKI/PRICES", ["expect: 100-continue", "content-length: 17"])
    let wire = try server.connect(seconds: 5)
    wire.send(head)
    #expect(wire.answer(toHead: true)?.status == 100)
    wire.send(#"{"ticker": "FDX"}"#)
    #expect(wire.answer()?.text.contains(#"["FDX","#) == true)
    // Without a word about the body when it isn't wanted.
    let refused = try server.connect(seconds: 5)
    refused.send(head.replacing("length: 17", with: "length: 1048577"))
    #expect(refused.answer()?.status == 413)
    let old = try server.connect(seconds: 5)
    old.send(head.replacing("HTTP/1.1", with: "HTTP/1.0") + #"{"ticker": "FDX"}"#)
    #expect(old.answer()?.status == 200)
  }

  @Test func a_body_in_another_coding_is_refused() throws {
    for (header, status) in [
      ("content-encoding: gzip", 415), ("transfer-encoding: gzip, chunked", 501), ("content-encoding: identity", 200),
    ] {
      let wire = try server.connect()
      let isChunked = header.hasPrefix("transfer")
      let head = server.head(
        "POST /api/v3/datatables/WIKI/PRICES", [header] + (isChunked ? [] : ["content-length: 2"]))
      wire.send(head + (isChunked ? "2\r\n{}\r\n0\r\n\r\n" : "{}"))
      let answer = try #require(wire.answer())
      #expect(answer.status == status && (status == 200 || answer.text.contains("quandl_error")), "\(header)")
    }
  }

  @Test(arguments: [
    "GET /a b HTTP/1.1\r\n\r\n", "GET /\r\n\r\n\r\n", "\u{1}\r\n\r\n", "GET / HTTP/1.1\r\na b: c\r\n\r\n",
  ])
  func what_is_no_request_is_told_so(_ text: String) throws {
    let wire = try server.connect(seconds: 5)
    wire.send(text)
    let answer = try #require(wire.answer())
    #expect(answer.status == 400 && answer.text.contains(#"{"quandl_error":{"code":"QESx09","message":"the request"#))
    #expect(wire.isClosedByServer)
  }

  /// As load balancers ask whether a server is well.
  @Test func an_old_client_needs_no_host() throws {
    for (line, status) in [("GET /healthz HTTP/1.0", 200), ("GET /healthz HTTP/1.1", 400)] {
      let wire = try server.connect(seconds: 5)
      wire.send(line + "\r\n\r\n")
      #expect(wire.answer()?.status == status, "\(line)")
    }
    let foreign = try server.connect(seconds: 5)
    foreign.send("GET /healthz HTTP/1.0\r\nhost: evil.example\r\n\r\n")
    #expect(foreign.answer()?.status == 403)
  }

  @Test func a_request_in_pieces_is_one_request() throws {
    let wire = try server.connect()
    for byte in server.head("GET /healthz").utf8 { wire.send([byte]) }
    #expect(wire.answer()?.status == 200)
  }

  @Test func a_client_that_is_done_with_sending_gets_its_answer() throws {
    let wire = try server.connect()
    wire.send(server.head("GET /healthz"))
    wire.finishSending()
    #expect(wire.answer()?.status == 200)
    #expect(wire.isClosedByServer)
  }
}

/// What `gzip` makes of it.
func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
  let process = Process()
  let (input, output) = (Pipe(), Pipe())
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["gzip", "-dc"]
  (process.standardInput, process.standardOutput) = (input, output)
  try process.run()
  Thread.detachNewThread {
    input.fileHandleForWriting.write(Data(bytes))
    input.fileHandleForWriting.closeFile()
  }
  let unpacked = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return Array(unpacked)
}
