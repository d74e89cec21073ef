import Foundation
import Quoin
import Testing

@testable import QuandlService
@testable import QuoteGenerator

/// A service over a store in a directory that is removed with it.
final class TestService: Sendable {
  let path: String
  let store: QuoteStore
  let service: QuandlService

  /// - Parameter quotes: what the store holds.
  init(_ quotes: [TickerSymbol: QuoteColumns]) throws {
    path = FileManager.default.temporaryDirectory.path + "/quoin-service-\(UUID().uuidString)"
    store = try QuoteStore(at: path)
    if !quotes.isEmpty { try store.upsertUnchecked(quotes) }
    service = QuandlService(store: store)
  }

  convenience init(_ quotes: [DailyQuoteSummary]) throws {
    var columns: [TickerSymbol: QuoteColumns] = [:]
    for quote in quotes { columns[quote.ticker, default: QuoteColumns()].append(quote) }
    try self.init(columns)
  }

  /// The same, its directory removed at once: for one that lives until the process ends. What the store has mapped, it
  /// keeps.
  var unlinked: TestService {
    try? FileManager.default.removeItem(atPath: path)
    return self
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A made-up market.
  static func market(_ tickerCount: Int, rowCount: Int, seed: UInt64 = 7) throws -> TestService {
    let generator = try QuoteGenerator(tickerCount: tickerCount, rowCount: rowCount, seed: seed)
    var quotes: [TickerSymbol: QuoteColumns] = [:]
    for (index, ticker) in generator.tickers.enumerated() { quotes[ticker] = generator.quotes(at: index) }
    return try TestService(quotes)
  }

  /// FedEx as in the sample: 1,200 days from 2001-01-05 to 2005-10-14.
  static func fedEx() throws -> TestService { try TestService(["FDX": QuoteGenerator.fedExSample()]) }

  /// The answer to what stands behind `/api/v3/`, its query decoded as a server does.
  func get(_ target: String, accept: String? = nil) -> ReadAnswer {
    answer(to: ServiceRequest(target, accept: accept))
  }

  func post(_ path: String, _ body: String) -> ReadAnswer {
    answer(to: ServiceRequest(.post, path: "/api/v3/" + path, body: Array(body.utf8)))
  }

  func answer(to request: ServiceRequest) -> ReadAnswer { ReadAnswer(service.answer(to: request)) }
}

extension ServiceRequest {
  init(_ target: String, accept: String? = nil) {
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String($0).removingPercentEncoding ?? String($0)
      }
      return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
    }
    let path = String(parts.first ?? "").removingPercentEncoding ?? ""
    self.init(path: "/api/v3/" + path, query: query, accept: accept)
  }
}

/// An answer whose body was read to its end.
struct ReadAnswer {
  let status: Int
  let headers: [String: String]
  let generation: UInt64?
  let failure: (any Error)?
  /// What the answer said that its length would be.
  let byteCount: Int?
  private(set) var pieces: [[UInt8]] = []
  /// What ended the body before its end.
  private(set) var error: (any Error)?

  init(_ answer: ServiceAnswer) {
    (status, generation, failure, byteCount) = (
      answer.status, answer.generation, answer.failure, answer.body.byteCount
    )
    headers = Dictionary(uniqueKeysWithValues: answer.headers.map { ($0.name, $0.value) })
    var body = answer.body
    do {
      while let piece = try body.next() { pieces.append(piece) }
    } catch { self.error = error }
  }

  var bytes: [UInt8] { Array(pieces.joined()) }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var lines: [Substring] { text.split(separator: "\n") }

  /// The body as Foundation reads it; anything but JSON is an issue.
  func json(_ location: SourceLocation = #_sourceLocation) -> [String: Any] {
    do {
      let value = try JSONSerialization.jsonObject(with: Data(bytes))
      return try #require(value as? [String: Any], sourceLocation: location)
    } catch {
      Issue.record("\(error): \(text.prefix(200))", sourceLocation: location)
      return [:]
    }
  }

  func object(_ name: String, _ location: SourceLocation = #_sourceLocation) -> [String: Any] {
    json(location)[name] as? [String: Any] ?? [:]
  }

  /// The rows of a table's page.
  func rows(_ location: SourceLocation = #_sourceLocation) -> [[Any]] {
    object("datatable", location)["data"] as? [[Any]] ?? []
  }

  var cursor: String? { object("meta")["next_cursor_id"] as? String }

  var errorCode: String? { object("quandl_error")["code"] as? String }
  var errorMessage: String { object("quandl_error")["message"] as? String ?? "" }
}

/// What a test run is asked for through the environment.
enum TestSettings {
  /// The seed of every random test: `QUOIN_SEED`, else always the same, so that a failure comes again.
  static let seed = ProcessInfo.processInfo.environment["QUOIN_SEED"].flatMap(UInt64.init) ?? 1

  /// A generator for one random test, whose seed is printed so that the run can be repeated.
  static func dice(_ test: String) -> SeededRandom {
    print("\(test): QUOIN_SEED=\(seed)")
    return SeededRandom(seed: seed)
  }
}

extension SeededRandom {
  mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
