import Foundation
import Testing

@testable import DataFetcher
@testable import QuandlClient

/// The tutorials' client, and a program of theirs.
@Suite struct QuandlAPIClientTests {
  private let key = "s3cr3t-Key_of.mine"
  private let folder: TestFolder
  private let store: QuoteStore
  private let client: QuandlAPIClient

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
    client = QuandlAPIClient(withCoreDataStack: CoreDataStack(store: store))
  }

  private func moment(_ day: String) throws -> Date {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd"
    return try #require(formatter.date(from: day))
  }

  private struct Answer: Sendable {
    let companyName: String
    let keys: [String]?
    let error: NSError?
  }

  /// Asks for FedEx, and waits until the handler of the client has returned.
  private func persist() async throws -> Answer {
    let save = client.persistDataCompletionHandler
    let (start, end) = (try moment("2005-01-01"), try moment("2005-12-31"))
    let client = client
    return await withCheckedContinuation { continuation in
      client.persistDataCompletionHandler = { name, data, error in
        save(name, data, error)
        continuation.resume(returning: Answer(companyName: name, keys: data.map { Array($0.keys) }, error: error))
      }
      client.performDataPersistAPIRequest(with: .Fedex_Corp, startDate: start, endDate: end)
      client.persistDataCompletionHandler = save
    }
  }

  @Test(arguments: [
    fedExDataset,
    #"{"dataset":{"id":1,"dataset_code":"FDX","database_code":"WIKI","column_names":["Date","Close","Volume"],"#
      + #""start_date":"2005-10-14","end_date":"2005-10-14","data":[["2005-10-14",87.6,1373400.0]]}}"#,
  ])
  func an_answer_is_saved_before_the_handler_returns(_ text: String) async throws {
    let key = key
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      try client.connect(to: server.base, apiKey: key)
      let answer = try await persist()
      #expect(answer.companyName == "FDX" && answer.error == nil && answer.keys?.count == 1)
      let request = try #require(server.requests.first)
      #expect(request.path == "/api/v3/datasets/WIKI/FDX/data" && server.requests.count == 1)
      #expect(request.value("start_date") == "2005-01-01" && request.value("end_date") == "2005-12-31")
      #expect(request.header("x-api-token") == key && !request.target.contains(key))
    }
    let quotes = try await store.quotes(for: .fedEx).fetch()
    #expect(quotes.map(\.close) == [87.6] && quotes.map(\.volume) == [1_373_400] && store.generation == 1)
  }

  @Test func what_is_no_answer_is_an_error_without_the_key_and_saves_nothing() async throws {
    let key = key
    let replies: [(Reply, Int?, String)] = [
      (.error(404, "QECx02", "no such code, \(key)"), 404, "QECx02"), (.ok("[1,2]"), nil, "isn't a JSON object"),
      (.ok("<html>"), nil, "is a web page"), (.error(401, "QEAx01", "who are you?"), 401, "QEAx01"),
      (.redirect(302, to: "ftp://x/\(key)"), 302, "redirection"),
    ]
    for (reply, status, words) in replies {
      try await ScriptedServer { _, _ in reply }.run { server in
        try client.connect(to: server.base, apiKey: key)
        let answer = try await persist()
        let error = try #require(answer.error)
        #expect(answer.companyName == "FDX" && answer.keys == nil && error.domain == "APIRequestError")
        #expect(error.userInfo[client.kHttpStatusCode] as? Int == status)
        let sentence = try #require(error.userInfo[client.kReasonForFailure] as? String)
        #expect(sentence.contains(words) && sentence == error.localizedDescription, "\(sentence)")
        #expect(!"\(error) \(error.userInfo)".contains(key))
      }
    }
    // An object that is no document is the reader's business.
    try await ScriptedServer { _, _ in .ok(#"{"dataset_data":{"data":[]}}"#) }.run { server in
      try client.connect(to: server.base, apiKey: key)
      #expect(try await persist().error == nil)
    }
    #expect(store.generation == 0 && folder.files.isEmpty)
  }

  @Test func a_client_with_a_bad_address_keeps_the_one_that_it_has() async throws {
    let key = key
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { server in
      try client.connect(to: server.base, apiKey: key)
      for (address, key) in [("ftp://x", key), ("http://x/?api_key=\(key)", key), (server.base, "two\nlines\(key)")] {
        let error = try #require(throws: QuandlClientError.self) { try client.connect(to: address, apiKey: key) }
        #expect(!"\(error)".contains(key))
      }
      #expect(try await persist().error == nil)
      var dumped = ""
      dump(client, to: &dumped)
      #expect(!dumped.contains(key) && !"\(client)".contains(key))
      #expect(client.withoutKey("your key is \(key), isn't it?") == "your key is ***, isn't it?")
    }
  }

  @Test func requests_at_the_same_time_are_all_saved() async throws {
    let tickers: [TickerSymbol] = [.Fedex_Corp, .Microsoft, .Oracle, .Avnet, .AutoZone]
    let (start, end) = (try moment("2005-01-01"), try moment("2005-12-31"))
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { server in
      try client.connect(to: server.base, apiKey: nil)
      let save = client.persistDataCompletionHandler
      let names = AsyncStream<String> { names in
        client.persistDataCompletionHandler = { name, data, error in
          save(name, data, error)
          names.yield(name)
        }
      }
      for ticker in tickers { client.performDataPersistAPIRequest(with: ticker, startDate: start, endDate: end) }
      var done: Set<String> = []
      for await name in names where done.insert(name).inserted && done.count == tickers.count { break }
    }
    #expect(store.tickers == tickers.sorted() && store.generation == 5)
  }
}
