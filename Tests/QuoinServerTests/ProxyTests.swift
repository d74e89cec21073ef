import Foundation
import HTTPTypes
import Testing

@testable import QuoinServer

/// A server behind a proxy, and one that pages of another site may ask.
struct ProxyTests {
  private static let export = "/api/v3/datatables/WIKI/PRICES.csv?qopts.export=true"

  /// The beginning of the link that an export gives.
  private func link(_ server: ServerProcess, _ headers: [String] = []) throws -> String {
    let text = try server.get(Self.export, headers).text
    return String(text.split(separator: "\n").last?.split(separator: "/api").first ?? "")
  }

  private static let forwarded = ["x-forwarded-proto: https", "x-forwarded-host: quotes.example"]

  @Test func only_a_trusted_proxy_says_how_the_client_asked() throws {
    let folder = try TestFolder()
    let plain = try ServerProcess(folder)
    #expect(try link(plain, Self.forwarded) == plain.url)
    let trusting = try ServerProcess(folder, ["--behind-proxy"])
    #expect(try link(trusting) == trusting.url)
    #expect(try link(trusting, Self.forwarded) == "https://quotes.example")
    #expect(try link(trusting, ["x-forwarded-proto: https"]) == trusting.url.replacing("http:", with: "https:"))
    #expect(
      try link(trusting, [#"forwarded: for=1.2.3.4, for=5.6.7.8;proto=https;host="quotes.example:8443""#])
        == "https://quotes.example:8443")
    for bad in [
      ["x-forwarded-proto: gopher"], ["x-forwarded-host: a/b"], ["forwarded: nonsense"], ["x-forwarded-proto:"],
    ] {
      #expect(try link(trusting, bad) == trusting.url, "\(bad)")
    }
    // A page of the site behind the proxy is no stranger.
    let own = "host: 127.0.0.1:\(trusting.port)"
    let origin = "origin: https://127.0.0.1:\(trusting.port)"
    for (server, status) in [(trusting, 200), (plain, 403)] {
      let origin = origin.replacing("\(trusting.port)", with: "\(server.port)")
      #expect(try server.get("/api/v1/tickers", [origin]).status == status, "\(own)")
    }
  }

  @Test func links_begin_with_the_public_url() throws {
    let server = try ServerProcess(TestFolder(), ["--public-url", "https://quotes.example", "--behind-proxy"])
    #expect(try link(server) == "https://quotes.example")
    #expect(try link(server, ["x-forwarded-host: other.example"]) == "https://quotes.example")
    for url in ["quotes.example", "https://quotes.example/path", "ftp://a", "https://"] {
      let ended = try ServerProcess.run(["--store", server.folder.store, "--port", "0", "--public-url", url])
      #expect(ended.status == 2 && ended.error.contains("isn't the address of a site"), "\(url): \(ended)")
    }
  }

  @Test func the_last_element_is_the_nearest_proxys() {
    let headers = ProxyHeaders(publicURL: nil, isTrusted: true)
    var request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
    #expect(headers.client(of: request) == nil)
    request.headerFields[HTTPField.Name("x-forwarded-for")!] = "6.6.6.6, 10.0.0.7"
    #expect(headers.client(of: request) == "10.0.0.7")
    #expect(ProxyHeaders().client(of: request) == nil)
  }

  @Test func pages_of_a_site_that_is_named_may_ask() throws {
    let site = "https://charts.example"
    let server = try ServerProcess(TestFolder(), ["--allow-origin", site])
    let page = ["origin: \(site)", "sec-fetch-site: cross-site", "sec-fetch-mode: cors"]
    let answer = try server.get("/api/v1/tickers", page)
    #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == site)
    #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
    #expect(answer.headers["vary"] == "accept, accept-encoding, origin")
    let wire = try server.connect()
    wire.send(server.head("OPTIONS /api/v1/scan", page + ["access-control-request-method: POST"]))
    let preflight = try #require(wire.answer())
    #expect(preflight.status == 204 && preflight.headers["access-control-allow-origin"] == site)
    #expect(preflight.headers["access-control-allow-methods"] == "GET, HEAD, POST")
    for origin in ["https://charts.example.evil", "http://charts.example", "https://charts.example:8443", "null"] {
      let answer = try server.get("/api/v1/tickers", ["origin: \(origin)"])
      #expect(answer.status == 403 && answer.headers["access-control-allow-origin"] == nil, "\(origin)")
    }
    #expect(try server.get("/api/v1/tickers").headers["access-control-allow-origin"] == nil)
  }
}
