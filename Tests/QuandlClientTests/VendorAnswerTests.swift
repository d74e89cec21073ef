import Quoin
import Testing

@testable import QuandlClient

/// What vendors say in place of rows.
@Suite struct VendorAnswerTests {
  private static let key = VendorTests.key

  private let folder: TestFolder
  private let store: QuoteStore

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  @Test(arguments: ["", "\n", "No data", "[]", "Date,Open,High,Low,Close,Volume\n"])
  func an_answer_without_rows_is_none(_ text: String) async throws {
    let store = store
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let counts = try await VendorTests.client(server, .stooq).save("AAPL", into: store)
      #expect(counts == UpsertCounts())
    }
    #expect(store.generation == 0)
  }

  @Test(arguments: [
    (#"{"Error Message": "Invalid API call for AAPL."}"#, "Invalid API call for AAPL.", false),
    (#"{"Information": "We have detected your API key as \#(key) and your limit is 25 a day."}"#, "as *** and", true),
    (#"{"Note": "Our standard rate limit is 5 a minute."}"#, "5 a minute", true),
    (#"{"x": 1}"#, "JSON where lines of CSV are expected", false),
    ("Exceeded the daily hits limit", "Exceeded the daily hits limit", true), ("Ticker Not Found.", "Not Found", false),
  ])
  func a_refusal_with_success_is_the_vendors_sentence(_ text: String, _ words: String, _ isLasting: Bool) async throws {
    let store = store
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let client = try VendorTests.client(server, .alphaVantage)
      let error = try await clientError { try await client.save("AAPL", into: store) }
      #expect(error.kind == .service && error.message.contains(words) && error.isLasting == isLasting, "\(error)")
      #expect(server.requests.count == 1 && store.generation == 0)
    }
  }

  @Test(arguments: [
    (401, #"{"detail":"Invalid token."}"#, "Invalid token."), (403, "Unauthenticated", "Unauthenticated"),
    (404, "<html>no</html>", "the service answers 'Not Found'"),
  ])
  func a_refusal_says_what_the_vendor_says(_ status: Int, _ text: String, _ words: String) async throws {
    try await ScriptedServer { _, _ in .status(status, text) }.run { server in
      let client = try VendorTests.client(server, .tiingo)
      let error = try await clientError { try await client.fetch("AAPL") }
      #expect(error.status == status && error.message == words, "\(error)")
      #expect("\(error)".contains("TIINGO_API_KEY") == (status != 404))
    }
  }

  @Test func a_bad_row_refuses_the_whole_answer_and_says_where() async throws {
    let store = store
    try await ScriptedServer { _, _ in .ok("Date,Close\n2024-01-02,1\n2024-01-03,1\n" + "2024-01-04,x\n") }.run {
      server in
      let client = try VendorTests.client(server, .eodhd)
      let error = try await clientError { try await client.save("AAPL", into: store) }
      #expect(error.kind == .malformed && error.message.contains("line 4") && store.generation == 0, "\(error)")
    }
  }
}
