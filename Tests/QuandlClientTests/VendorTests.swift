import Quoin
import Testing

@testable import QuandlClient

/// Vendors that answer with CSV, each in its own words.
@Suite struct VendorTests {
  private static let tiingo = """
    date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor
    2024-01-02,100.0,101.0,99.0,99.5,40,50.0,50.5,49.5,49.75,80,0.0,1.0
    2024-01-03,51.0,52.0,50.0,50.5,90,51.0,52.0,50.0,50.5,90,0.5,2.0

    """
  private static let alphaVantage = """
    timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient
    2024-01-03,50.5,52.0,50.0,51.0,51.0,90,0.5,2.0
    2024-01-02,99.5,101.0,99.0,100.0,50.0,40,0.0,1.0

    """
  private static let eodhd = """
    Date,Open,High,Low,Close,Adjusted_close,Volume
    2024-01-02,99.5,101,99,100,50,40
    2024-01-03,50.5,52,50,51,51,90

    """
  private static let stooq =
    "Date,Open,High,Low,Close,Volume\r\n2024-01-02,49.75,50.5,49.5,50,80\r\n2024-01-03,50.5,52,50,51,90\r\n"

  static let key = "s3cr3t/Key+of=mine"
  private static let encodedKey = "s3cr3t%2FKey%2Bof%3Dmine"

  private let folder: TestFolder
  private let store: QuoteStore

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  private struct Case: Sendable {
    let service: VendorService
    let answer: String
    /// What is asked for the whole history, and for some days, without the key.
    let whole: String
    let part: String
    var suffix = ""
    let closes: [Double]
  }

  private static let cases = [
    Case(
      service: .tiingo, answer: tiingo, whole: "/tiingo/daily/AAPL/prices?startDate=1900-01-01&format=csv",
      part: "/tiingo/daily/AAPL/prices?startDate=2024-01-02&endDate=2024-01-03&format=csv", closes: [100, 51]),
    Case(
      service: .alphaVantage, answer: alphaVantage,
      whole: "/query?function=TIME_SERIES_DAILY_ADJUSTED&symbol=AAPL&outputsize=full&datatype=csv",
      part: "/query?function=TIME_SERIES_DAILY_ADJUSTED&symbol=AAPL&outputsize=compact&datatype=csv",
      suffix: "&apikey=\(encodedKey)", closes: [100, 51]),
    Case(
      service: .eodhd, answer: eodhd, whole: "/api/eod/AAPL.US?fmt=csv",
      part: "/api/eod/AAPL.US?from=2024-01-02&to=2024-01-03&fmt=csv", suffix: "&api_token=\(encodedKey)",
      closes: [100, 51]),
    Case(
      service: .stooq, answer: stooq, whole: "/q/d/l/?s=aapl.us&i=d",
      part: "/q/d/l/?s=aapl.us&i=d&d1=20240102&d2=20240103", closes: [50, 51]),
  ]

  /// A client whose clock says 2024-02-01.
  static func client(_ server: ScriptedServer, _ service: VendorService) throws -> VendorClient {
    try VendorClient(
      service, key, "http://127.0.0.1:\(server.port)", QuandlClient.Configuration(),
      RecordingClock(secondsSince1970: 19_754 * 86_400).timing)
  }

  @Test(arguments: cases.indices) func a_vendor_is_asked_in_its_own_words(_ index: Int) async throws {
    let this = Self.cases[index]
    try await ScriptedServer { _, _ in .ok(this.answer) }.run { server in
      let client = try Self.client(server, this.service)
      #expect(try await client.fetch("AAPL").doubles(.close) == this.closes)
      let part = try await client.fetch("AAPL", from: "2024-01-02", to: "2024-01-03")
      #expect(part.days == ["2024-01-02", "2024-01-03"])
      #expect(server.requests.map(\.target) == [this.whole + this.suffix, this.part + this.suffix])
      let header = this.service == .tiingo ? "Token \(Self.key)" : nil
      #expect(server.requests.allSatisfy { $0.header("authorization") == header && $0.header("x-api-token") == nil })
    }
  }

  @Test(arguments: cases.indices) func what_a_vendor_gives_more_than_was_asked_is_left_out(_ index: Int) async throws {
    let this = Self.cases[index]
    try await ScriptedServer { _, _ in .ok(this.answer) }.run { server in
      let client = try Self.client(server, this.service)
      #expect(try await client.fetch("AAPL", from: "2024-01-03").days == ["2024-01-03"])
      #expect(try await client.fetch("AAPL", to: "2024-01-02").days == ["2024-01-02"])
      #expect(try await client.fetch("AAPL", from: "2024-01-08").isEmpty)
    }
  }

  @Test(arguments: [
    ("BRK-B", "brk-b.us", "BRK-B.US"), ("VOD.UK", "vod.uk", "VOD.UK"), ("^SPX", "^spx", "^SPX"),
    ("A#B", "a#b.us", "A#B.US"),
  ])
  func a_ticker_names_its_market_or_gets_the_usual_one(_ ticker: TickerSymbol, _ stooq: String, _ eodhd: String) {
    #expect(VendorService.stooq.symbol(ticker) == stooq && VendorService.eodhd.symbol(ticker) == eodhd)
    #expect(VendorService.tiingo.symbol(ticker) == "\(ticker)")
  }

  @Test func a_ticker_cannot_lead_an_address_elsewhere() throws {
    let (path, query) = VendorService.tiingo.route(["ticker": "A/../#?B", "from": "1&2"])
    #expect(path == "tiingo/daily/A%2F..%2F%23%3FB/prices" && query.map(\.value) == ["1&2", nil, "csv"])
    #expect(VendorService.tiingo.origin == "https://api.tiingo.com")
  }

  @Test(arguments: cases.indices) func later_days_come_with_the_last_one_and_are_stored_by_name(_ index: Int)
    async throws
  {
    let this = Self.cases[index]
    let store = store
    try await ScriptedServer { _, _ in .ok(this.answer) }.run { server in
      let client = try Self.client(server, this.service)
      #expect(try await client.save("AAPL", into: store, to: "2024-01-02").inserted == 1)
      let second = try await client.save("AAPL", into: store)
      #expect(second.inserted == 1 && second.replaced == 0)
      #expect(try await store.quotes(for: "AAPL").fetch().map(\.close) == this.closes)
      // The split of the second day changes what Tiingo and Alpha Vantage adjust.
      let isRenewed = [VendorService.tiingo, .alphaVantage].contains(this.service)
      #expect(server.requests.count == (isRenewed ? 3 : 2))
      #expect(try await client.save("AAPL", into: store) == UpsertCounts() && store.generation == 2)
      let records = try await store.importRecords()
      #expect(records.allSatisfy { $0.source.hasPrefix("http://127.0.0.1:\(server.port)/") && $0.ticker == "AAPL" })
      #expect(records.allSatisfy { !$0.source.contains("s3cr3t") })
    }
  }

  @Test func newest_rows_that_do_not_reach_back_are_asked_for_again_with_all() async throws {
    try await ScriptedServer { request, _ in
      let isWhole = request.value("outputsize") == "full"
      return .ok(
        isWhole ? Self.alphaVantage : Self.alphaVantage.split(separator: "\n").prefix(2).joined(separator: "\n"))
    }.run { server in
      let client = try Self.client(server, .alphaVantage)
      #expect(try await client.fetch("AAPL", from: "2024-01-02").rowCount == 2)
      #expect(server.requests.map { $0.value("outputsize") } == ["compact", "full"])
      // A year is longer than a hundred rows.
      #expect(try await client.fetch("AAPL", from: "2023-01-02").rowCount == 2)
      #expect(server.requests.last?.value("outputsize") == "full" && server.requests.count == 3)
    }
  }

  @Test func a_vendor_of_ones_own_is_a_value() async throws {
    let service = VendorService(
      name: "own", title: "Own", address: "https://quotes.example/{ticker}.csv?from={from}&to={to}",
      key: .parameter("token"), keyVariable: "OWN_API_KEY")
    try await ScriptedServer { _, _ in .ok(Self.eodhd) }.run { server in
      let client = try VendorClient(service, apiKey: "abc", baseURL: "http://127.0.0.1:\(server.port)")
      #expect(try await client.fetch("A.B", from: "2024-01-01").rowCount == 2)
      #expect(server.requests.map(\.target) == ["/A.B.csv?from=2024-01-01&token=abc"])
    }
    let error = try #require(throws: QuandlClientError.self) { try VendorClient(service) }
    #expect(error.kind == .usage && error.message.contains("OWN_API_KEY"))
  }

  @Test func nasdaq_data_link_is_one_of_them() async throws {
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { server in
      let client = try VendorClient(.nasdaqDataLink, apiKey: "abc", baseURL: "http://127.0.0.1:\(server.port)")
      #expect(try await client.fetch("FDX").rowCount == 1)
      #expect(server.requests.map(\.path) == ["/api/v3/datasets/WIKI/FDX/data"])
      #expect(server.requests.map { $0.header("x-api-token") } == ["abc"])
    }
  }

  @Test func names_are_different() {
    #expect(Set(VendorService.all.map(\.name)).count == VendorService.all.count)
  }
}
