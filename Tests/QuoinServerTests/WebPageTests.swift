import Testing

/// What a web page, or a program, can make its user's machine send, and what becomes of it: row by row.
struct WebPageTests {
  struct Case: CustomTestStringConvertible {
    let status: Int
    let lines: [String]

    init(_ status: Int, _ lines: String...) { (self.status, self.lines) = (status, lines) }

    var testDescription: String { "\(status): " + lines.joined(separator: " | ") }
  }

  static let ours = "host: 127.0.0.1:PORT"
  static let path = "GET /api/v1/tickers HTTP/1.1"

  static let hosts = [
    Case(200, path, "host: 127.0.0.1:PORT"),
    Case(200, path, "host: localhost:PORT"),
    Case(200, path, "Host: LOCALHOST:PORT"),
    Case(200, path, "host: [::1]:PORT"),
    Case(200, path, "host: proxy.example"),
    Case(200, path, "host: proxy.example:443"),
    Case(200, path, "host: exact.example:7000"),
    Case(403, path, "host: exact.example"),
    Case(403, path, "host: exact.example:PORT"),
    Case(403, path, "host: evil.example"),
    Case(403, path, "host: evil.example:PORT"),
    Case(403, path, "host: localhost.evil.example:PORT"),
    Case(403, path, "host: 127.0.0.1.evil.example:PORT"),
    Case(403, path, "host: localhost.:PORT"),
    // Through a tunnel or a mapped port: no name of another site leads there.
    Case(200, path, "host: localhost"),
    Case(200, path, "host: localhost:1"),
    Case(200, path, "host: localhost:8080", "origin: http://localhost:8080", "sec-fetch-site: same-origin"),
    Case(403, path, "host: localhost:8080", "origin: http://localhost:3000"),
    Case(403, path, "host: localhost:8080", "sec-fetch-site: same-site"),
    Case(403, path, "host: 127.0.0.2:PORT"),
    Case(403, path, "host: 127.1:PORT"),
    Case(403, path, "host: 2130706433:PORT"),
    Case(403, path, "host: 0.0.0.0:PORT"),
    Case(403, path, "host: [::ffff:127.0.0.1]:PORT"),
    Case(400, path),
    Case(400, path, "host:"),
    Case(400, path, "host: localhost:PORT@evil.example"),
    Case(400, path, "host: evil.example@localhost:PORT"),
    Case(400, path, "host: localhost:PORT/evil.example"),
    Case(400, path, "host: localhost:PORT, evil.example"),
    Case(400, path, "host: localhost:99999"),
    Case(400, path, "host: localhost:PORT", "host: localhost:PORT"),
    Case(400, path, "host: localhost:PORT", "host: evil.example"),
    Case(400, path, "host: evil.example", "host: localhost:PORT"),
    // No browser asks like that, but load balancers do.
    Case(200, "GET /api/v1/tickers HTTP/1.0"),
    Case(200, "GET /api/v1/tickers HTTP/1.0", ours),
  ]

  static let origins = [
    Case(200, path, ours, "origin: http://127.0.0.1:PORT"),
    Case(200, path, ours, "origin: http://localhost:PORT"),
    Case(403, path, ours, "origin: https://localhost:PORT"),
    Case(403, path, ours, "origin: http://localhost"),
    Case(403, path, ours, "origin: http://localhost:3000"),
    Case(403, path, ours, "origin: http://evil.example"),
    Case(403, path, ours, "origin: http://evil.example:PORT"),
    Case(403, path, ours, "origin: null"),
    Case(403, path, ours, "origin:"),
    Case(403, path, ours, "origin: file://"),
    Case(403, path, ours, "origin: chrome-extension://abcdef"),
    Case(403, path, ours, "origin: http://localhost:PORT", "origin: http://evil.example"),
    Case(200, path, ours, "sec-fetch-site: none", "sec-fetch-mode: navigate"),
    Case(200, path, ours, "sec-fetch-site: same-origin"),
    Case(403, path, ours, "sec-fetch-site: cross-site", "sec-fetch-mode: no-cors", "sec-fetch-dest: image"),
    Case(403, path, ours, "sec-fetch-site: cross-site", "sec-fetch-mode: navigate"),
    Case(403, path, ours, "sec-fetch-site: same-site"),
    Case(403, "POST /api/v3/datatables/WIKI/PRICES HTTP/1.1", ours, "origin: http://evil.example", "content-length: 0"),
  ]

  static let targets = [
    Case(200, "GET http://127.0.0.1:PORT/api/v1/tickers HTTP/1.1", ours),
    Case(200, "GET HTTP://127.0.0.1:PORT/api/v1/tickers HTTP/1.1", ours),
    Case(200, "GET http://127.0.0.1:PORT/healthz HTTP/1.1"),
    Case(400, "GET http://evil.example/api/v1/tickers HTTP/1.1", ours),
    Case(400, "GET http://localhost:PORT/api/v1/tickers HTTP/1.1", ours),
    Case(400, "GET http://127.0.0.1:PORT/api/v1/tickers HTTP/1.1", "host: evil.example"),
    Case(403, "GET http://evil.example/api/v1/tickers HTTP/1.1", "host: evil.example"),
    Case(400, "GET http://evil.example@127.0.0.1:PORT/api/v1/tickers HTTP/1.1", ours),
    Case(400, "GET file:///etc/passwd HTTP/1.1", ours),
    Case(400, "GET ftp://127.0.0.1:PORT/api/v1/tickers HTTP/1.1", ours),
    Case(404, "GET //evil.example/api/v1/tickers HTTP/1.1", ours),
    Case(404, "GET /../../etc/passwd HTTP/1.1", ours),
    Case(404, "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", ours),
    Case(404, "GET /api/v1/tickers/../../../etc/passwd HTTP/1.1", ours),
    Case(404, "GET /%00 HTTP/1.1", ours),
    Case(200, "GET /store/MANIFEST HTTP/1.1", ours),
    Case(403, "GET /store/MANIFEST HTTP/1.1", "host: evil.example"),
    Case(404, "GET /store/LOCK HTTP/1.1", ours),
    Case(404, "GET /store/../MANIFEST HTTP/1.1", ours),
    Case(404, "GET /store/%2e%2e/MANIFEST HTTP/1.1", ours),
    Case(404, "GET /store/%2e%2e%2fMANIFEST HTTP/1.1", ours),
    Case(404, "GET /store//etc/passwd HTTP/1.1", ours),
    Case(200, "GET / HTTP/1.1", ours),
    Case(400, "GET * HTTP/1.1", ours),
    Case(400, "GET", ours),
    Case(400, "GET /healthz", ours),
    Case(400, "GET /healthz HTTP/2.0", ours),
    Case(400, "GET /health z HTTP/1.1", ours),
  ]

  static let methods = [
    Case(405, "OPTIONS /api/v1/tickers HTTP/1.1", ours),
    Case(405, "OPTIONS /api/v1/tickers HTTP/1.1", ours, "access-control-request-method: POST"),
    Case(405, "POST /api/v1/tickers HTTP/1.1", ours, "content-length: 0"),
    Case(405, "PUT /api/v1/tickers HTTP/1.1", ours, "content-length: 0"),
    Case(405, "DELETE /api/v3/datasets/WIKI/FDX HTTP/1.1", ours),
    Case(405, "PATCH / HTTP/1.1", ours, "content-length: 0"),
    Case(405, "TRACE / HTTP/1.1", ours),
    Case(400, "CONNECT 127.0.0.1:PORT HTTP/1.1", ours),
    Case(400, "BREW /pot HTTP/1.1", ours),
    Case(400, "get /healthz HTTP/1.1", ours),
  ]

  static let smuggling = [
    Case(400, path, ours, "content-length: 4", "transfer-encoding: chunked"),
    Case(400, path, ours, "transfer-encoding: chunked", "content-length: 4"),
    Case(400, path, ours, "content-length: 4", "content-length: 5"),
    Case(400, path, ours, "content-length: -1"),
    Case(400, path, ours, "content-length: 1 1"),
    Case(400, path, ours, "content-length: 99999999999999999999999"),
    Case(400, path, ours, "transfer-encoding: chunked, identity"),
    Case(400, path, ours, "transfer-encoding: chunked"),
    Case(400, path, ours, "content-length: 10"),
    Case(400, path, ours, "bad name: 1"),
    Case(400, path, ours, ": 1"),
    Case(400, path, ours, "x: 1\r\n folded"),
    Case(400, path, ours, "no colon"),
  ]

  static let all = hosts + origins + targets + methods + smuggling

  static let server = Result {
    try ServerProcess(TestFolder(), ["--allow-host", "proxy.example", "--allow-host", "exact.example:7000"])
  }

  @Test(arguments: all) func a_request_is_answered_with_its_status(_ row: Case) throws {
    let server = try Self.server.get()
    let wire = try server.connect()
    wire.send(
      (row.lines + ["connection: close", "", ""]).joined(separator: "\r\n").replacing("PORT", with: "\(server.port)"))
    let answer = try #require(wire.answer())
    #expect(answer.status == row.status, "\(answer.text)")
    #expect(answer.headers.keys.allSatisfy { !$0.hasPrefix("access-control") })
  }

  @Test func there_are_many_cases() {
    #expect(Self.all.count >= 90)
    print("promise 16: \(Self.all.count) requests, each with its expected status")
  }

  @Test func a_refusal_tells_how_to_go_on() throws {
    let server = try Self.server.get()
    let wire = try server.connect()
    wire.send("GET /api/v1/tickers HTTP/1.1\r\nhost: quotes.example\r\n\r\n")
    let answer = try #require(wire.answer())
    #expect(answer.text.contains(#"{"quandl_error":{"code":"QEPx01","message":"#))
    #expect(answer.text.contains("'quotes.example' is not a name of this server"))
    #expect(answer.text.contains("--allow-host quotes.example"))
    #expect(wire.isClosedByServer)
    // The name is right, and the port isn't.
    let other = try server.connect()
    other.send("GET /api/v1/tickers HTTP/1.1\r\nhost: exact.example:80\r\n\r\n")
    let text = try #require(other.answer()).text
    #expect(
      text.contains("isn't reached at 'exact.example:80', by the port")
        && text.contains("--allow-host exact.example:80"))
  }

  @Test func browsers_are_told_to_take_answers_for_what_they_are() throws {
    let answer = try Self.server.get().get("/api/v1/tickers")
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
  }
}
