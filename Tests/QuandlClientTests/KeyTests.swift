import Testing

@testable import QuandlClient

/// The key goes to the service, in a header, and nowhere else.
@Suite struct KeyTests {
  private let key = "s3cr3t-Key_of.mine"

  @Test func the_key_is_a_header_and_never_in_an_address() async throws {
    let key = key
    try await ScriptedServer { request, _ in
      request.header("x-api-token") == key ? .ok(fedExDataset) : .error(400, "QEAx01", "no key")
    }.run { server in
      _ = try await server.client(apiKey: key).data("WIKI/FDX", TimeSeriesQuery(limit: 3))
      #expect(server.requests.allSatisfy { !$0.target.contains(key) && !$0.body.contains(key) })
      let error = try await clientError { try await server.client().data("WIKI/FDX") }
      #expect(error.code == "QEAx01" && server.requests.last?.header("x-api-token") == nil)
    }
  }

  @Test func a_redirection_takes_the_key_along_to_the_same_host_alone() async throws {
    let key = key
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { other in
      let elsewhere = "http://127.0.0.1:\(other.port)/elsewhere?x=1"
      try await ScriptedServer { request, _ in
        switch request.path {
        case "/api/v3/datasets/WIKI/FDX/data": .redirect(307, to: "/second")
        case "/second": .redirect(302, to: elsewhere)
        default: .close
        }
      }.run { server in
        _ = try await server.client(apiKey: key).data("WIKI/FDX")
        #expect(server.requests.map { $0.header("x-api-token") } == [key, key])
      }
      #expect(other.requests.count == 1 && other.requests[0].headers.allSatisfy { !$0.value.contains(key) })
    }
  }

  @Test func an_export_on_another_host_does_not_get_the_key() async throws {
    let key = key
    try await ScriptedServer { _, _ in .ok("zip") }.run { other in
      let link = "http://127.0.0.1:\(other.port)/file.zip?signature=abc"
      let answer = #"{"datatable_bulk_download":{"file":{"status":"fresh","link":"\#(link)"}}}"#
      try await ScriptedServer { _, _ in .ok(answer) }.run { server in
        let folder = try TestFolder()
        try await server.client(apiKey: key).export(to: folder.path + "/export.zip")
        #expect(server.requests.map { $0.header("x-api-token") } == [key])
      }
      #expect(other.requests.map(\.target) == ["/file.zip?signature=abc"])
      #expect(other.requests.allSatisfy { $0.header("x-api-token") == nil })
    }
  }

  @Test func no_error_and_no_dump_shows_the_key_even_when_the_service_says_it() async throws {
    let key = key
    let texts = Shared<[String]>([])
    let replies: [Reply] = [
      .error(404, "QE\(key)", "your key \(key) is known"), .error(500, "QEMx01", "\(key)"), .ok("\(key)"), .close,
      .ok(#"{"dataset_data":{"column_names":["Date","Close"],"data":[["\#(key)",1]]}}"#),
      .ok(#"{"dataset_data":{"column_names":["\#(key)"],"data":[]}}"#), .redirect(302, to: "ftp://\(key)/"),
      .redirect(302, to: "http://127.0.0.1:1/\(key)"), .ok(#"{"quandl_error":{"code":"\#(key)","message":"\#(key)"}}"#),
      .ok(#"{"datatable":{"data":[],"columns":[{"name":"\#(key)"}]},"meta":{"next_cursor_id":null}}"#),
    ]
    for reply in replies {
      try await ScriptedServer { _, _ in reply }.run { server in
        let client = try server.client(apiKey: key) { configuration in
          configuration.willRetry = { error, _ in texts.withLock { $0.append("\(error)") } }
        }
        var dumped = ""
        dump(client, to: &dumped)
        let calls: [() async throws -> Void] = [
          { _ = try await client.data("WIKI/FDX") }, { _ = try await client.fetch("WIKI/FDX") },
          { for try await page in client.pages() { _ = try page.quotes() } },
          { try await client.export(to: "/tmp/never-\(server.port)") },
        ]
        for call in calls {
          do { try await call() } catch { texts.withLock { $0 += ["\(error)", String(reflecting: error)] } }
        }
        texts.withLock { $0 += [dumped, "\(client)"] }
      }
    }
    let all = texts.withLock { $0 }
    #expect(all.count > 80)
    #expect(all.filter { $0.contains(key) } == [])
  }

  @Test(arguments: ["line\nbreak", "spa ce", "ü", "\u{7f}", "tab\t"])
  func what_no_header_carries_is_no_key_and_is_not_shown(_ key: String) throws {
    let error = try #require(throws: QuandlClientError.self) { try QuandlClient(apiKey: key, baseURL: "http://x") }
    #expect(error.kind == .usage && !error.description.contains(key))
  }

  @Test func an_empty_key_is_none() throws {
    #expect(try APIKey("").text == nil && APIKey(nil).text == nil)
  }

  @Test(arguments: [
    "", "x", "127.0.0.1:80", "localhost:80", "ftp://x/", "http://", "http://x/?api_key=k3y", "http://k3y@x/",
    "http://a:k3y@x/", "http://x/#k3y", "http://x y/",
  ])
  func what_is_no_address_of_a_service_is_refused_and_not_shown(_ text: String) throws {
    let error = try #require(throws: QuandlClientError.self) { try QuandlClient(apiKey: nil, baseURL: text) }
    #expect(error.kind == .usage && !error.description.contains("k3y"))
  }

  @Test(arguments: [
    ("http://127.0.0.1:8977", "http://127.0.0.1:8977/api/v3"), ("http://h/", "http://h/api/v3"),
    ("https://h/api/v3/", "https://h/api/v3"), ("http://[::1]:8977/other", "http://[::1]:8977/other"),
  ])
  func an_address_without_a_path_means_the_usual_one(_ text: String, _ expected: String) throws {
    #expect(try QuandlClient(apiKey: nil, baseURL: text).baseURL == expected)
  }
}
