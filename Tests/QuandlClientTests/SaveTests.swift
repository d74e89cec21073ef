import Quoin
import Testing

@testable import QuandlClient

/// Answers on their way into columns and into a store.
@Suite struct SaveTests {
  /// The answer to the time-series call that has these rows.
  static func dataset(_ columns: QuoteColumns) throws -> String {
    var text = ""
    try DatasetFormatter.write(columns) { bytes in
      text += unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return text
  }

  private static let nasty: QuoteColumns = {
    let doubles: [Double?] = [
      nil, 0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3, (0.1).nextUp, 1e22, 1e23, -37.63,
      80.950577512303,
    ]
    let volumes: [Int64?] = [
      nil, 0, 1, 20_694_101, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, 9_007_199_254_740_995, .max - 1, .max, 1_373_400,
    ]
    var columns = QuoteColumns()
    for (index, (double, volume)) in zip(doubles, volumes).enumerated() {
      guard let day = TradingDay(daysSince1970: 10_000 + index) else { continue }
      columns.append(
        DailyQuoteSummary(
          ticker: "FDX", date: day, open: double, close: index == 0 ? 1 : nil, volume: volume, adjustedLow: double,
          adjustedVolume: volume.map { Double($0) / 2 }))
    }
    return columns
  }()

  @Test func every_value_comes_as_it_was() async throws {
    let text = try Self.dataset(Self.nasty)
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let fetched = try await server.client().fetch("WIKI/FDX")
      #expect(fetched.days == Self.nasty.days)
      for attribute in TypedAttribute<Double>.all {
        for (a, b) in zip(fetched[attribute], Self.nasty[attribute]) {
          #expect(a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN))
        }
      }
      #expect(fetched[.volume] == Self.nasty[.volume])
    }
  }

  @Test func an_answer_is_one_commit_and_one_period_with_the_address_as_its_source() async throws {
    let folder = try TestFolder()
    let store = try folder.store()
    let text = try Self.dataset(Self.nasty)
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let client = try server.client(apiKey: "s3cr3t")
      let counts = try await client.save("WIKI/FDX", into: store, from: "1997-01-01", to: "1998-01-01")
      #expect(counts == UpsertCounts(inserted: 11) && store.generation == 1)
      let period = try #require(try await store.importRecords().first)
      #expect(try await store.importRecords().count == 1 && period.rowCount == 11 && period.ticker == "FDX")
      #expect(
        period.source
          == "\(server.base)/datasets/WIKI/FDX/data?order=asc&start_date=1997-01-01&end_date=1998-01-01")
      #expect(try await client.save(.fedEx, into: store) == UpsertCounts(unchanged: 11))
      #expect(store.generation == 1)
    }
  }

  @Test func an_answer_without_rows_changes_nothing() async throws {
    let folder = try TestFolder()
    let store = try folder.store()
    let text = try Self.dataset(QuoteColumns())
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let counts = try await server.client().save("WIKI/FDX", into: store)
      #expect(counts == UpsertCounts())
      #expect(store.generation == 0 && folder.files == [])
    }
  }

  @Test(arguments: [
    (#"["Date","Close"]"#, #"["2005-10-14",1],["2005-10-14",2]"#, "twice"),
    (#"["Date","Close"]"#, #"["2005-10-14","x"]"#, "not a number"),
    (#"["Date","Close"]"#, #"["2005-10-14"]"#, "1 cell where there are 2 columns"),
    (#"["Date","Close"]"#, #"["2005-13-14",1]"#, "no such day"), (#"["Date","Volume"]"#, #"["2005-10-14",-1]"#, "zero"),
    (#"["Date","Volume"]"#, #"["2005-10-14",1e400]"#, "column Volume"), (#"["Close","Volume"]"#, "[1,2]", "date"),
    (#"["Date","Close","Close"]"#, #"["2005-10-14",1,1]"#, "two columns"),
    (#"["Date","Value"]"#, #"["2005-10-14",1]"#, "quotes; their columns"),
    (#"["Date","Ticker","Close"]"#, #"["2005-10-14","MSFT",1]"#, "of MSFT, not of FDX"),
  ])
  func a_bad_answer_leaves_the_store_as_it_was(_ names: String, _ rows: String, _ reason: String) async throws {
    let folder = try TestFolder()
    let store = try folder.store()
    let text = #"{"dataset_data":{"column_names":\#(names),"data":[\#(rows)]}}"#
    let good = #"{"dataset_data":{"column_names":["Date","Close"],"data":[["2005-10-13",5]]}}"#
    try await ScriptedServer { _, index in .ok(index == 0 ? good : text) }.run { server in
      let client = try server.client()
      try await client.save("WIKI/FDX", into: store)
      let before = try store.csv()
      let error = try await clientError { try await client.save("WIKI/FDX", into: store) }
      #expect(error.kind == .malformed && error.url?.contains("/datasets/WIKI/FDX/data") == true)
      #expect("\(error)".contains(reason), "\(error)")
      #expect(try await store.refresh() == false && store.generation == 1)
      #expect(try store.csv() == before)
    }
  }

  @Test func a_code_that_is_no_ticker_is_wrong_usage() async throws {
    try await ScriptedServer { _, _ in .close }.run { server in
      let error = try await clientError { try await server.client().fetch("FRED/A_CODE_OF_MORE_THAN_32_CHARACTERS") }
      #expect(error.kind == .usage && server.requests.isEmpty)
    }
  }
}
