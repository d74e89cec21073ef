import Testing

@testable import QuandlClient

/// Proxies: which requests go through which one, and what the proxy gets to see.
@Suite struct ProxyTests {
  private func settings(_ environment: [String: String]) throws -> ProxySettings {
    try ProxySettings(environment: environment)
  }

  private func proxy(_ environment: [String: String], for address: String) throws -> String? {
    try settings(environment).proxy(for: ServiceBase(address).origin)?.description
  }

  @Test(arguments: [
    ("http://proxy.example:3128", "http://proxy.example:3128"), ("proxy.example:3128", "http://proxy.example:3128"),
    ("http://proxy.example", "http://proxy.example:1080"), ("http://u:p%40ss@proxy:1/", "http://proxy:1"),
    ("http://[::1]:3128", "http://[::1]:3128"), ("socks5://127.0.0.1", "socks5://127.0.0.1:1080"),
    ("socks5h://127.0.0.1:9050", "socks5://127.0.0.1:9050"),
  ])
  func an_address_is_read_as_curl_reads_it(_ text: String, _ expected: String) throws {
    #expect(try Proxy(text).description == expected)
  }

  @Test(arguments: [
    "", "http://", "https://user:s3cr3t@proxy", "socks4://s3cr3t", "socks5://user:s3cr3t@proxy", "http://s3cr3t:x:y/",
  ])
  func what_is_no_proxy_is_refused_and_not_shown(_ text: String) throws {
    let error = try #require(throws: QuandlClientError.self) { try Proxy(text) }
    #expect(error.kind == .usage && !error.description.contains("s3cr3t"), "\(error)")
  }

  @Test func variables_in_lower_case_go_first_and_each_scheme_has_its_own() throws {
    let both = ["http_proxy": "a:1", "HTTP_PROXY": "b:1", "HTTPS_PROXY": "c:1", "ALL_PROXY": "d:1"]
    #expect(try proxy(both, for: "http://x.example") == "http://a:1")
    #expect(try proxy(both, for: "https://x.example") == "http://c:1")
    #expect(try proxy(["all_proxy": "d:1"], for: "https://x.example") == "http://d:1")
    #expect(try proxy(["HTTP_PROXY": "b:1", "http_proxy": ""], for: "http://x.example") == "http://b:1")
    #expect(try proxy(["HTTP_PROXY": "b:1", "REQUEST_METHOD": "GET"], for: "http://x.example") == nil)
    #expect(try proxy([:], for: "https://x.example") == nil)
    let error = try #require(throws: QuandlClientError.self) { try settings(["HTTPS_PROXY": "ftp://s3cr3t/"]) }
    #expect(error.description.hasPrefix("HTTPS_PROXY: the address of the proxy") && !"\(error)".contains("s3cr3t"))
  }

  @Test(arguments: [
    ("*", "http://x.example", true), ("x.example", "http://x.example:80", true), ("example", "http://x.example", true),
    (".example", "http://X.Example", true), ("ple", "http://x.example", false),
    ("y.x.example", "http://x.example", false), ("a, x.example", "http://x.example", true),
    ("a x.example", "http://x.example", true), (".", "http://x.", false),
    ("127.0.0.1", "http://127.0.0.1:8977", true), ("127.0.0.0/8", "http://127.1.2.3", true),
    ("10.0.0.0/8", "http://127.1.2.3", false), ("192.168.0.0/15", "http://192.169.0.1", true),
    ("192.168.0.0/33", "http://192.168.0.1", false), ("0.0.0.0/0", "http://1.2.3.4", true),
    ("0.1", "http://127.0.0.1", false), ("::1", "http://[::1]:8977", true), ("[::1]", "http://[::1]", true),
    ("127.0.0.1", "http://localhost", false),
  ])
  func no_proxy_names_hosts_domains_and_networks(_ list: String, _ address: String, _ isExcepted: Bool) throws {
    for name in ["no_proxy", "NO_PROXY"] {
      #expect(try (proxy(["http_proxy": "p:1", name: list], for: address) == nil) == isExcepted)
    }
  }

  private func client(_ base: String, through proxy: String, apiKey: String? = nil) throws -> QuandlClient {
    var configuration = QuandlClient.Configuration()
    configuration.proxies = try settings(["all_proxy": proxy])
    configuration.retries.count = 0
    return try QuandlClient(apiKey: apiKey, baseURL: base, configuration: configuration)
  }

  @Test func an_http_proxy_gets_the_whole_address_and_the_password() async throws {
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { proxy in
      let client = try client("http://quotes.invalid:8977", through: "http://me:s3cr%3At@127.0.0.1:\(proxy.port)")
      #expect(try await client.data("WIKI/FDX", TimeSeriesQuery(limit: 1)).rowCount == 1)
      let request = try #require(proxy.requests.first)
      #expect(request.target == "http://quotes.invalid:8977/api/v3/datasets/WIKI/FDX/data?limit=1")
      #expect(request.header("host") == "quotes.invalid:8977")
      #expect(request.header("proxy-authorization") == "Basic bWU6czNjcjp0")
    }
  }

  @Test func for_https_the_proxy_is_asked_for_a_tunnel() async throws {
    try await ScriptedServer { _, _ in .status(403, "no") }.run { proxy in
      let client = try client("https://quotes.invalid", through: "http://me:s3cr3t@127.0.0.1:\(proxy.port)")
      let error = try await clientError { try await client.data("WIKI/FDX") }
      #expect(
        error.message == "the proxy http://127.0.0.1:\(proxy.port) doesn't connect to quotes.invalid, port 443",
        "\(error)")
      let request = try #require(proxy.requests.first)
      #expect(request.method == "CONNECT" && request.target == "quotes.invalid:443")
      #expect(request.header("proxy-authorization") == "Basic bWU6czNjcjN0")
    }
  }

  @Test(arguments: ["http", "https"])
  func a_proxy_that_refuses_its_user_is_told_at_once_and_without_the_password(_ scheme: String) async throws {
    try await ScriptedServer { _, _ in .status(407, "who?") }.run { proxy in
      for (user, sentence) in [("me:s3cr3t@", "refuses the user or the password"), ("", "wants a user and a password")]
      {
        let client = try client("\(scheme)://quotes.invalid", through: "http://\(user)127.0.0.1:\(proxy.port)")
        let error = try await clientError { try await client.data("WIKI/FDX") }
        #expect(error.message.contains("the proxy http://127.0.0.1:\(proxy.port) \(sentence)"), "\(error)")
        #expect(!error.isTransient)
        var dumped = "\(client) \(error) \(String(reflecting: client.configuration))"
        dump(client, to: &dumped)
        #expect(!dumped.contains("s3cr3t") && !dumped.contains("bWU6"))
      }
    }
  }

  @Test func where_no_proxy_listens_the_error_names_it() async throws {
    for base in ["http://quotes.invalid", "https://quotes.invalid"] {
      let error = try await clientError { try await client(base, through: "127.0.0.1:1").data("WIKI/FDX") }
      #expect(
        error.message == "cannot connect to the proxy http://127.0.0.1:1: Connection refused", "\(error)")
    }
  }

  @Test func a_redirection_to_an_excepted_host_goes_there_straight() async throws {
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { service in
      let target = "http://127.0.0.1:\(service.port)/there"
      try await ScriptedServer { _, _ in .redirect(302, to: target) }.run { proxy in
        var configuration = QuandlClient.Configuration()
        configuration.proxies = try settings(["http_proxy": "127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1"])
        let client = try QuandlClient(apiKey: nil, baseURL: "http://quotes.invalid", configuration: configuration)
        #expect(try await client.data("WIKI/FDX").rowCount == 1)
        #expect(proxy.requests.count == 1 && service.requests.map(\.target) == ["/there"])
      }
    }
  }

  @Test func a_socks_proxy_is_told_the_name_of_the_service() async throws {
    let proxy = try await SOCKSProxy(answering: .ok(fedExDataset))
    let client = try client("http://quotes.invalid:81", through: "socks5h://127.0.0.1:\(proxy.port)")
    #expect(try await client.data("WIKI/FDX").rowCount == 1)
    let name = Array("quotes.invalid".utf8)
    #expect(proxy.received.starts(with: [5, 1, 0, 5, 1, 0, 3, UInt8(name.count)] + name + [0, 81]))
    #expect(String(decoding: proxy.received, as: UTF8.self).contains("GET /api/v3/datasets/WIKI/FDX/data HTTP/1.1"))
    proxy.close()
  }
}
