import Foundation
import QuandlService
import Testing

@testable import QuoinServer

/// The token is seen by nobody but the client that sends it, wherever it sends it.
struct SecretTests {
  /// With the characters that addresses escape.
  private static let token = "pLanted+s3cret/with%25=&odd~bits"

  private static func encoded(_ text: String, times: Int) -> String {
    (0..<times).reduce(text) { text, _ in text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
  }

  /// The places of a request where a token has been seen.
  private static let targets: [String] = (0...3).flatMap { times in
    let token = encoded(token, times: times)
    return [
      "/ticker/FDX?api_key=\(token)", "/api/v1/count?api_key=\(token)", "/api/v1/count?x=1\(token)2",
      "/api/v1/count?\(token)", "/ticker/\(token)", "/\(token)", "/sign-in?to=%2Fticker%2FFDX%3Fapi_key%3D\(token)",
      "/sign-in?to=\(token)", "/questions?where=\(token)", "/?q=\(token)", "/api/v3/datasets/WIKI/\(token).json",
      "/api/v3/datatables/WIKI/PRICES?ticker=FDX&qopts.export=true&api_key=\(token)", "/healthz?\(token)=1",
      "/api/v1/scan?where=ticker%3D'\(token)'",
    ]
  }

  @Test func a_whole_session_leaves_it_nowhere() throws {
    let folder = try TestFolder()
    let file = try folder.write(Self.token, to: "token")
    let spool = folder.path + "/spool"
    try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
    let server = try ServerProcess(
      folder, ["--token-file", file, "--spool-directory", spool, "--behind-proxy", "--log-level", "debug"])
    let form =
      "token=\(Self.encoded(Self.token, times: 1))&to=%2Fticker%2FFDX%3Fapi_key%3D\(Self.encoded(Self.token, times: 2))"
    let signedIn = try Self.post(server, "/sign-in", form)
    let cookie = "cookie: " + String(try #require(signedIn.headers["set-cookie"]).prefix { $0 != ";" })
    var seen = [signedIn]
    for credentials in [
      [], [cookie], ["x-api-token: \(Self.token)"], ["authorization: Bearer \(Self.token)"],
      ["cookie: quoin_session=\(Self.token)"],
    ] {
      let others = [
        "referer: http://127.0.0.1/\(Self.token)", "user-agent: \(Self.token)",
        "x-request-id: \(Self.encoded(Self.token, times: 1))",
        "x-forwarded-proto: \(Self.token)", "accept: \(Self.token)",
      ]
      for (index, target) in Self.targets.enumerated() {
        // Who asks without the token is slowed, each address by itself.
        let client = ["x-forwarded-for: \(Self.token)", "x-forwarded-for: \(Self.token), 192.0.2.\(index)"]
        let answer = try server.get(target, credentials + others + [client[index % 8 == 0 ? 0 : 1]])
        // The link to an export has the key that its client sent, because clients follow it without their headers.
        if !answer.text.contains("datatable_bulk_download") { seen.append(answer) }
      }
      seen.append(try Self.post(server, "/api/v1/count", #"{"where": "\#(Self.token)"}"#, credentials))
    }
    seen.append(try server.get("/metrics", [cookie]))
    seen.append(try server.get("/bad \(Self.token)"))
    #expect(
      seen.contains { $0.status == 200 } && seen.contains { $0.status == 303 } && seen.contains { $0.status == 400 })
    let token = try AccessToken(Self.token)
    for answer in seen {
      #expect(!token.occurs(in: answer.text), "\(answer.line) \(answer.text.prefix(300))")
      for (name, value) in answer.headers { #expect(!token.occurs(in: value), "\(name): \(value)") }
    }
    for line in server.log.split(separator: "\n") { #expect(!token.occurs(in: line), "\(line)") }
    for directory in [folder.store, spool] {
      for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
        let bytes = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
        #expect(bytes.range(of: Data(Self.token.utf8)) == nil, "\(name)")
      }
    }
  }

  @Test func an_address_with_the_token_signs_a_browser_in_and_leads_to_itself_without_it() throws {
    let folder = try TestFolder()
    let server = try ServerProcess(folder, ["--token-file", try folder.write(Self.token, to: "token")])
    let answer = try server.get("/ticker/FDX?range=max&api_key=\(Self.encoded(Self.token, times: 1))&kind=line")
    #expect(answer.status == 303 && answer.headers["location"] == "/ticker/FDX?range=max&kind=line")
    let cookie = String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
    #expect(try server.get("/ticker/FDX?range=max&kind=line", ["cookie: \(cookie)"]).status == 200)
    let wrong = try server.get("/ticker/FDX?range=max&api_key=another-token-of-letters")
    #expect(
      wrong.headers["location"] == "/sign-in?to=%2Fticker%2FFDX%3Frange%3Dmax" && wrong.headers["set-cookie"] == nil)
  }

  @Test func the_log_has_what_is_no_secret() throws {
    let token = try AccessToken(Self.token)
    func logged(_ target: String) -> String { RequestTarget(target).logged(without: token) }
    #expect(logged("/a/b%20c?x=1&y=%41&z") == "/a/b%20c?x=1&y=%41&z=")
    let once = Self.encoded(Self.token, times: 1)
    #expect(logged("/a?x=1&y=q\(once)q&z=2") == "/a?x=1&y=REDACTED&z=2")
    #expect(logged("/a?\(once)=1") == "/a?REDACTED=1" && logged("/a/\(once)?x=1") == "/REDACTED?x=1")
    #expect(logged("/a?x=\(Self.token)") == "/REDACTED")
    #expect(logged("/a?my_Password=1").hasSuffix("=REDACTED"))
  }

  @Test func wrong_tokens_are_slowed_and_nobody_else_is() throws {
    let folder = try TestFolder()
    let server = try ServerProcess(
      folder, ["--token-file", try folder.write("a-token-of-many-letters", to: "token"), "--behind-proxy"])
    func time(_ token: String, _ client: String) throws -> Duration {
      let start = ContinuousClock.now
      let answer = try server.get("/api/v1/count", ["x-api-token: \(token)", "x-forwarded-for: \(client)"])
      #expect(answer.status == (token == "wrong" ? 401 : 200))
      return ContinuousClock.now - start
    }
    let wrong = try (0..<11).map { _ in try time("wrong", "192.0.2.1") }
    #expect(wrong[10] > .milliseconds(900) && wrong[7] > .milliseconds(190))
    let (right, other) = (try time("a-token-of-many-letters", "192.0.2.1"), try time("wrong", "192.0.2.2"))
    #expect(min(right, other) < .milliseconds(900), "\(right) \(other)")
  }

  private static func post(
    _ server: ServerProcess, _ path: String, _ body: String, _ headers: [String] = []
  ) throws -> WireAnswer {
    let wire = try server.connect()
    wire.send(server.head("POST \(path)", headers + ["content-length: \(body.utf8.count)"]) + body)
    return try #require(wire.answer())
  }
}
