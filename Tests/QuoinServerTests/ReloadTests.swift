import Foundation
import Testing

@testable import QuoinServer

/// A server as a service: it reads its secrets again when it is told to, and tells its manager how it is.
struct ReloadTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let tokens = ["the-first-of-the-tokens", "the-second-of-the-tokens"]

  private func waitForLine(_ server: ServerProcess, _ text: String, _ count: Int) throws {
    for _ in 0..<2000 where server.log.split(separator: "\n").count(where: { $0.contains(text) }) < count {
      Thread.sleep(forTimeInterval: 0.01)
    }
    try #require(server.log.split(separator: "\n").count { $0.contains(text) } == count, "\(server.log)")
  }

  @Test func another_token_counts_from_the_next_request_on() throws {
    let file = try folder.write(Self.tokens[0], to: "token")
    let server = try ServerProcess(folder, ["--token-file", file])
    let wire = try server.connect()
    func status(_ token: String) -> Int? {
      wire.send(server.head("GET /api/v1/tickers", ["x-api-token: \(token)"]))
      return wire.answer()?.status
    }
    #expect(status(Self.tokens[0]) == 200 && status(Self.tokens[1]) == 401)
    _ = try folder.write(Self.tokens[1], to: "token")
    server.signal(SIGHUP)
    try waitForLine(server, "were read again", 1)
    // On the same connection.
    #expect(status(Self.tokens[0]) == 401 && status(Self.tokens[1]) == 200)
    for bad in ["short", ""] {
      _ = try folder.write(bad, to: "token")
      server.signal(SIGHUP)
      try waitForLine(server, "stay as they were", bad == "short" ? 1 : 2)
      #expect(status(Self.tokens[1]) == 200)
    }
  }

  @Test func another_certificate_is_shown_to_the_next_connection() throws {
    guard TestCertificate.canBeMade else { return print("SKIPPED: there is no openssl to make a certificate") }
    let (first, second) = (try TestCertificate(in: folder), try TestCertificate(in: folder, name: "second"))
    let server = try ServerProcess(folder, ["--tls-cert", first.chain, "--tls-key", first.key])
    let request = server.head("GET /healthz", ["connection: close"])
    let trusted = TestCertificate(chain: folder.path + "/trusted.pem", key: first.key)
    func copy(_ from: String, _ to: String) throws {
      try Data(contentsOf: URL(fileURLWithPath: from)).write(to: URL(fileURLWithPath: to))
    }
    try copy(second.chain, trusted.chain)
    #expect(try first.ask(request, server.port).contains("200 OK"))
    #expect(try !trusted.ask(request, server.port).contains("200 OK"))
    // The key alone isn't the certificate's.
    try copy(second.key, first.key)
    server.signal(SIGHUP)
    try waitForLine(server, "stay as they were", 1)
    #expect(try first.ask(request, server.port).contains("200 OK"))
    try copy(second.chain, first.chain)
    server.signal(SIGHUP)
    try waitForLine(server, "were read again", 1)
    #expect(try trusted.ask(request, server.port).contains("200 OK"))
  }

  @Test func mistakes_with_certificates_are_told_in_sentences() throws {
    let key = try folder.write(
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nx\n-----END ENCRYPTED PRIVATE KEY-----\n", to: "key.pem")
    let none = try folder.write("nothing", to: "none.pem")
    for (chain, reason) in [
      (folder.path + "/absent.pem", "can't be read"), (none, "none.pem' holds no certificate in PEM"),
    ] {
      let error = #expect(throws: ServerError.self) { try Certificate(CertificateFiles(chain: chain, key: key)) }
      #expect(error?.description.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
    }
    guard TestCertificate.canBeMade else { return }
    let chain = try TestCertificate(in: folder).chain
    for (key, reason) in [(key, "key.pem' is encrypted"), (none, "none.pem' holds no private key in PEM")] {
      let error = #expect(throws: ServerError.self) { try Certificate(CertificateFiles(chain: chain, key: key)) }
      #expect(error?.description.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test func the_manager_of_the_service_learns_that_it_is_ready() throws {
    // A path of a socket has some hundred bytes.
    let path = "/tmp/quoin-\(UInt64.random(in: 0 ... .max))"
    let socket = try MessageSocket(path: path, seconds: 60)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try ServerProcess(folder, environment: ["NOTIFY_SOCKET": path])
    #expect(socket.message() == "READY=1")
    #expect(try server.get("/healthz").status == 200)
  }
}
