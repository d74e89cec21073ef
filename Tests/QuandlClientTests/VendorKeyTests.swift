import Foundation
import Quoin
import Testing

@testable import QuandlClient

/// The key goes to the vendor and nowhere else, and is shown nowhere: not if it is a part of the address, nor if the vendor says it.
@Suite struct VendorKeyTests {
  private static let key = "S3cr3t/Key+of=mine"
  private static let spellings = [
    key, ServiceBase.encoded(key), key.lowercased(), ServiceBase.encoded(key).lowercased(),
  ]

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func fetch(_ service: VendorService, _ server: ScriptedServer, _ tickers: [String]) throws -> ProgramRun {
    let variable = service.keyVariable ?? "NO_API_KEY"
    return try ProgramRun(
      ProgramRun.built("quoin-fetch"),
      ["--vendor", service.name, "--api-base", "http://127.0.0.1:\(server.port)"] + tickers,
      environment: ["QUOIN_STORE": folder.path + "/store", variable: Self.key])
  }

  private static func says(_ text: String) -> Bool {
    spellings.contains { text.lowercased().contains($0.lowercased()) } || text.lowercased().contains("s3cr3t")
  }

  /// Everything that a vendor may say with the key in it.
  private static let replies: [Reply] = spellings.flatMap { key -> [Reply] in
    [
      .ok(#"{"Information":"your key \#(key) is at its limit"}"#), .ok("your key is \(key)"),
      .ok("<html>\(key)</html>"), .status(401, #"{"detail":"no such key: \#(key)"}"#), .status(403, "key \(key)?"),
      .ok("date,close,\(key)\n2024-01-02,1,2\n"), .ok("date,close\n\(key),1\n"), .ok("date,close\n2024-01-02,\(key)\n"),
      .ok("date,ticker,close\n2024-01-02,\(key),1\n"), .ok("\(key),close\n2024-01-02,1\n"),
      .redirect(302, to: "/elsewhere?api_token=\(key)"), .redirect(302, to: "/\(key)/path"),
      .redirect(302, to: "ftp://x/\(key)"), .redirect(302, to: "http://127.0.0.1:1/?api_token=\(key)"),
    ]
  }

  @Test(arguments: [VendorService.tiingo, .alphaVantage, .eodhd])
  func nothing_that_the_program_prints_or_stores_has_the_key(_ service: VendorService) async throws {
    let replies = Self.replies
    try await ScriptedServer { request, index in
      request.target.hasPrefix("/elsewhere") || request.target.contains("path")
        ? .ok("date,close\n2024-01-02,1\n") : replies[(index / 2) % replies.count]
    }.run { server in
      for index in replies.indices {
        let result = try fetch(service, server, ["AAPL", "MSFT"])
        #expect(!Self.says(result.out + result.err), "\(index): \(result)")
        #expect(!result.out.isEmpty || !result.err.isEmpty)
      }
      // It was sent each time, or this test would prove nothing.
      #expect(
        server.requests.allSatisfy { request in Self.says(request.target + request.headers.map(\.value).joined()) })
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/store")) ?? [] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/store/\(name)"))
      #expect(!Self.says(String(decoding: bytes, as: UTF8.self)))
    }
  }

  /// Errors show the beginning of a cell or a header, which may end within the key.
  @Test func what_is_cut_off_shows_no_part_of_the_key() async throws {
    for length in 0...300 {
      let text = String(repeating: "x", count: length) + Self.key
      let answers = [
        "date,close\n2024-01-02,\(text)\n", "\(text),close\n2024-01-02,1\n", "date,\(text)\n2024-01-02,1\n",
      ]
      try await ScriptedServer { _, index in .ok(answers[index]) }.run { server in
        let client = try VendorClient(.eodhd, apiKey: Self.key, baseURL: "http://127.0.0.1:\(server.port)")
        for _ in answers {
          let error = try await clientError { try await client.fetch("AAPL") }
          #expect(!"\(error)".contains("S3c"), "\(length): \(error)")
        }
      }
    }
  }

  @Test(arguments: [VendorService.tiingo, .alphaVantage, .eodhd])
  func another_host_does_not_get_the_key(_ service: VendorService) async throws {
    try await ScriptedServer { _, _ in .ok("date,close\n2024-01-02,1\n") }.run { other in
      try await ScriptedServer { request, index in
        // Some services repeat the whole query in a redirection.
        let query = index == 0 ? "" : request.target.drop { $0 != "?" }
        return .redirect(302, to: "http://127.0.0.1:\(other.port)/elsewhere\(query)")
      }.run { server in
        #expect(try fetch(service, server, ["AAPL"]).status == 0)
        let second = try fetch(service, server, ["MSFT"])
        #expect(second.status == (service == .tiingo ? 0 : 2) && !Self.says(second.out + second.err), "\(second)")
        #expect(service == .tiingo || second.err.contains("would take the key there"))
      }
      #expect(other.requests.count == (service == .tiingo ? 2 : 1))
      #expect(other.requests.allSatisfy { !Self.says($0.target + $0.headers.map(\.value).joined()) })
    }
  }

  @Test func a_record_and_an_error_have_the_address_without_the_key() async throws {
    let folder = folder
    try await ScriptedServer { _, index in
      index == 0 ? .ok("date,close\n2024-01-02,1\n") : .status(404, "Ticker Not Found.")
    }.run { server in
      #expect(try fetch(.eodhd, server, ["AAPL"]).status == 0)
      let sources = try await folder.store().importRecords().map(\.source)
      #expect(sources == ["http://127.0.0.1:\(server.port)/api/eod/AAPL.US?fmt=csv"])
      let result = try fetch(.eodhd, server, ["NOPE"])
      #expect(
        result.err == "quoin: http://127.0.0.1:\(server.port)/api/eod/NOPE.US?fmt=csv: Ticker Not Found. "
          + "(HTTP status 404)\n", "\(result)")
    }
  }

  @Test(arguments: [
    ("a", "a a%20b A", "*** ***%20b ***"), ("k+%2", "x k+%2 k%2B%252 K%2b%2525", "x *** *** ***5"), ("zz", "z", "z"),
  ])
  func the_key_is_found_in_every_spelling(_ key: String, _ text: String, _ expected: String) throws {
    #expect(try APIKey(key).redacted(text) == expected)
  }

  @Test func a_short_key_is_sent_although_the_address_has_its_letters() async throws {
    try await ScriptedServer { _, _ in .ok("date,close\n2024-01-02,1\n") }.run { other in
      try await ScriptedServer { request, _ in
        request.target.contains("MSFT")
          ? .redirect(302, to: "http://127.0.0.1:\(other.port)/US?x=USA")
          : .redirect(302, to: "http://127.0.0.1:\(other.port)/?token=us")
      }.run { server in
        let client = try VendorClient(.eodhd, apiKey: "US", baseURL: "http://127.0.0.1:\(server.port)")
        #expect(try await client.fetch("MSFT").rowCount == 1)
        let error = try await clientError { try await client.fetch("AAPL") }
        #expect(error.kind == .redirect && other.requests.count == 1)
        #expect(server.requests.allSatisfy { $0.value("api_token") == "US" })
      }
    }
  }

  @Test func a_short_key_does_not_change_what_is_read() async throws {
    try await ScriptedServer { _, _ in .ok("date,close,1\n2024-01-02,11.5,1\n") }.run { server in
      let client = try VendorClient(.eodhd, apiKey: "1", baseURL: "http://127.0.0.1:\(server.port)")
      #expect(try await client.fetch("AAPL").doubles(.close) == [11.5])
    }
  }
}
