import Foundation
import Quoin
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The program: how it starts, whom it answers, what it logs, how it ends.
struct ProgramTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let token = "a-token-of-many-letters"

  @Test func it_says_where_it_is_and_how_an_old_script_finds_it() throws {
    let server = try ServerProcess(folder)
    #expect(server.log.contains("quoin: serving '\(folder.store)' on http://127.0.0.1:\(server.port)\n"))
    #expect(server.logLine { $0.contains("api_base") }?.contains("= \"\(server.url)/api/v3\"") == true)
  }

  @Test func what_keeps_it_from_starting_is_a_sentence() throws {
    func run(_ arguments: String...) throws -> (status: Int32, error: String) {
      let result = try ServerProcess.run(["--port", "0"] + arguments)
      #expect(result.error.hasPrefix("quoin: ") && result.error.split(separator: "\n").count == 1, "\(result.error)")
      return result
    }
    let missing = try run("--store", folder.path + "/none")
    #expect(missing.status == 2 && missing.error.contains("there is no store at"))
    let taken = try ServerProcess(folder)
    let second = try run("--store", folder.store, "--port", "\(taken.port)")
    #expect(second.status == 2)
    #expect(second.error.contains("cannot listen on 127.0.0.1:\(taken.port): Address already in use"))
    let open = try run("--store", folder.store, "--host", "0.0.0.0")
    #expect(open.status == 2 && open.error.contains("--token-file"))
    let unknown = try run("--store", folder.store, "--host", "no.such.host.invalid")
    #expect(unknown.status == 2 && unknown.error.contains("has no address"))
    let short = try run("--store", folder.store, "--token-file", folder.write("short\n", to: "short"))
    #expect(short.status == 2 && short.error.contains("16 or more"))
    #expect(try run("--store", folder.store, "--token-file", folder.path + "/none").error.contains("can't be read"))
    let bad = try folder.write("no certificate", to: "bad.pem")
    let certificate = try run("--store", folder.store, "--tls-cert", bad, "--tls-key", bad)
    #expect(certificate.status == 2 && certificate.error.contains("cannot use the certificate"))
    #expect(try run("--store", folder.store, "--allow-host", "a/b").error.contains("isn't a host name"))
  }

  @Test func wrong_usage_ends_with_64() throws {
    for arguments in [["--port", "70000"], ["--tls-cert", "c"], ["--nothing"], ["surplus"]] {
      #expect(try ServerProcess.run(arguments).status == 64)
    }
  }

  @Test func with_a_token_only_who_has_it_is_answered() throws {
    let file = try folder.write("  \(Self.token)\n", to: "token")
    let server = try ServerProcess(folder, ["--host", "0.0.0.0", "--token-file", file])
    let path = "/api/v1/tickers"
    func status(_ path: String, _ headers: String...) throws -> Int { try server.get(path, headers).status }
    #expect(try status(path) == 401)
    #expect(try status(path, "x-api-token: \(Self.token)") == 200)
    #expect(try status(path, "authorization: Bearer \(Self.token)") == 200)
    #expect(try status(path + "?api_key=\(Self.token)") == 200)
    #expect(try status(path, "x-api-token: \(Self.token.dropLast())") == 401)
    #expect(try status(path, "x-api-token: \(Self.token)x") == 401)
    #expect(try status(path, "x-api-token:") == 401)
    #expect(try status(path, "authorization: Basic \(Self.token)") == 401)
    for path in ["/metrics", "/openapi.json", "/nothing", "/api/v3/datasets"] { #expect(try status(path) == 401) }
    #expect(try status("/healthz") == 200)
    #expect(!server.log.contains(Self.token))
    // The address by which the request came is a name of ours, and no other is.
    let wire = try server.connect()
    wire.send("GET /healthz HTTP/1.1\r\nhost: 192.168.77.77:\(server.port)\r\n\r\n")
    #expect(wire.answer()?.status == 403)
  }

  @Test func a_request_is_one_line_of_the_log_without_its_keys() throws {
    // The kernel takes 4 MB of an answer that nobody reads; the scan below has more.
    let server = try ServerProcess(TestFolder(rowCount: 30_000))
    let secret = "sEcReT-0123456789"
    let path = "/api/v1/tickers?format=csv&api_key=\(secret)&%61pi_key=\(secret)&API_KEY=\(secret)&x=%22%0a"
    _ = try server.get(
      path,
      [
        "x-api-token: \(secret)", "authorization: Bearer \(secret)", "cookie: \(secret)", "x-request-id: abc",
        "user-agent: a b\"c", "x-forwarded-for: 9.9.9.9",
      ])
    let line = try #require(server.logLine { $0.contains("target=/api/v1/tickers") })
    #expect(line.contains("method=GET") && line.contains("status=422") && line.contains("bytes="))
    #expect(line.contains("ms=") && line.contains("api_key=REDACTED") && line.contains("x=%22%0a"))
    #expect(line.contains("client=127.0.0.1 ") && line.contains("agent=a%20b%22c ") && line.contains("id=abc "))
    #expect(!server.log.contains(secret))
    #expect(server.log.split(separator: "\n").count { $0.contains("target=") } == 1)
    #expect(try server.get("/bad path").status == 400)
    #expect(server.logLine { $0.contains("malformed request") } != nil)
    // A client that goes in the middle of an answer.
    let wire = try server.connect(takesLittle: true)
    wire.send(server.head("GET /api/v1/scan"))
    _ = wire.read(upTo: 10)
    wire.vanish()
    #expect(server.logLine { $0.contains("cut=true") && $0.contains("target=/api/v1/scan") } != nil)
  }

  @Test func the_log_comes_as_json_too() throws {
    let folder = try TestFolder()
    let token = try folder.write(Self.token, to: "token")
    let server = try ServerProcess(folder, ["--log-format", "json", "--token-file", token, "--behind-proxy"])
    let refused = try server.get(
      "/healthz/x?foo=\(Self.token)x", ["x-request-id: 12e5", "x-forwarded-for: 1.2.3.4, 9.9.9.9"])
    #expect(refused.status == 401 && refused.headers["x-request-id"] == "12e5")
    let named = try server.get("/nothing?foo=\(Self.token)", ["x-api-token: \(Self.token)"])
    let line = try #require(server.logLine { $0.contains(#""id":"12e5""#) })
    let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    #expect(event["level"] as? String == "warning" && event["status"] as? Double == 401)
    #expect(event["client"] as? String == "9.9.9.9" && event["message"] as? String == "request")
    #expect((event["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(line)")
    let id = try #require(named.headers["x-request-id"])
    #expect(server.logLine { $0.contains(#""id":"\#(id)""#) && $0.contains("foo=REDACTED") } != nil)
    let long = try server.get("/healthz", ["x-request-id: \(String(repeating: "a", count: 65))"])
    #expect(long.headers["x-request-id"].map { $0.utf8.count < 15 } == true)
  }

  @Test(arguments: [SIGTERM, SIGINT]) func told_to_end_it_finishes_what_is_under_way(_ number: Int32) throws {
    let server = try ServerProcess(TestFolder(rowCount: 30_000))
    let expected = try server.get("/api/v1/scan").body
    let wire = try server.connect()
    let idle = try server.connect()
    wire.send(server.head("GET /api/v1/scan"))
    let start = wire.read(upTo: 1000)
    server.signal(number)
    #expect(idle.isClosedByServer)
    #expect(throws: WireError.self) {
      for _ in 0..<3000 {
        _ = try server.connect()
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
    #expect(wire.rest(from: start)?.body == expected)
    let ending = ContinuousClock.now
    #expect(server.status == 0)
    #expect(ContinuousClock.now - ending < .seconds(20), "the connection stayed open after its answer")
  }

  @Test func it_speaks_https_with_a_certificate() throws {
    guard TestCertificate.canBeMade else { return print("SKIPPED: there is no openssl to make a certificate") }
    let certificate = try TestCertificate(in: folder)
    let server = try ServerProcess(folder, ["--tls-cert", certificate.chain, "--tls-key", certificate.key])
    #expect(server.url == "https://127.0.0.1:\(server.port)")
    #expect(server.logLine { $0.contains("NASDAQ_DATA_LINK_BASE_DOMAIN=127.0.0.1:\(server.port)") } != nil)
    let answer = try certificate.ask(server.head("GET /api/v1/tickers?format=csv", ["connection: close"]), server.port)
    #expect(answer.contains("HTTP/1.1 200 OK") && answer.contains("\nFDX,1200,2001-01-05,2005-10-14,"))
    let foreign = try certificate.ask(
      server.head("GET /healthz", ["connection: close", "origin: http://127.0.0.1:\(server.port)"]), server.port)
    #expect(foreign.contains("HTTP/1.1 403"))
    // Whoever doesn't speak TLS gets no answer, and is in nobody's way.
    let wire = try server.connect(seconds: 12)
    wire.send(server.head("GET /healthz"))
    #expect(wire.answer() == nil)
    // A key that isn't the certificate's is found out at the start.
    let other = try TestCertificate(in: folder, name: "other")
    let wrong = try ServerProcess.run(
      ["--store", folder.store, "--port", "0", "--tls-cert", certificate.chain, "--tls-key", other.key])
    #expect(wrong.status == 2 && wrong.error.contains("cannot use the certificate"))
    #expect(wrong.error.contains("the key isn't the certificate's"))
  }
}
