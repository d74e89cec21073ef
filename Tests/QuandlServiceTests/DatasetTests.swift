import Quoin
import Testing

@testable import QuandlService

/// The time-series call, word for word.
@Suite struct DatasetTests {
  /// Three days, one of them with missing cells.
  private static let service = try! TestService([
    DailyQuoteSummary(
      ticker: "FB", date: "2018-03-23", open: 165.44, high: 167.1, low: 159.02, close: 159.39, volume: 52_306_891,
      exDividend: 0, splitRatio: 1, adjustedOpen: 165.44, adjustedHigh: 167.1, adjustedLow: 159.02,
      adjustedClose: 159.39, adjustedVolume: 52_306_891),
    DailyQuoteSummary(
      ticker: "FB", date: "2018-03-26", open: 160.82, low: -.infinity, close: 160.06, volume: 125_438_294,
      exDividend: 0.04875, splitRatio: 1),
    DailyQuoteSummary(
      ticker: "FB", date: "2018-03-27", open: 156.31, high: 162.85, low: 150.75, close: 152.19, volume: 76_787_884,
      exDividend: 0, splitRatio: 1.3333333333333333, adjustedOpen: 156.31, adjustedHigh: 162.85,
      adjustedLow: 150.75, adjustedClose: 152.19, adjustedVolume: 76_787_884),
  ]).unlinked

  private static let names =
    #"["Date","Open","High","Low","Close","Volume","Ex-Dividend","Split Ratio","Adj. Open","Adj. High","Adj. Low","#
    + #""Adj. Close","Adj. Volume"]"#
  private static let newest =
    #"["2018-03-27",156.31,162.85,150.75,152.19,76787884.0,0.0,1.3333333333333333,156.31,162.85,150.75,152.19,"#
    + "76787884.0]"
  private static let middle =
    #"["2018-03-26",160.82,null,null,160.06,125438294.0,0.04875,1.0,null,null,null,null,null]"#
  private static let oldest =
    #"["2018-03-23",165.44,167.1,159.02,159.39,52306891.0,0.0,1.0,165.44,167.1,159.02,159.39,52306891.0]"#

  @Test func data_are_as_quandl_sends_them() {
    let answer = Self.service.get("datasets/WIKI/FB/data")
    #expect(answer.status == 200)
    #expect(answer.headers == ["content-type": "application/json; charset=utf-8"])
    #expect(
      answer.text
        == #"{"dataset_data":{"limit":null,"transform":null,"column_index":null,"column_names":\#(Self.names),"#
        + #""start_date":"2018-03-23","end_date":"2018-03-27","frequency":"daily","#
        + #""data":[\#(Self.newest),\#(Self.middle),\#(Self.oldest)],"collapse":null,"order":null}}"#)
    #expect(answer.byteCount == answer.bytes.count)
    _ = answer.json()
  }

  /// After a split of 3 for 2. The type of the column is `double`.
  @Test func adjusted_volumes_have_fractions() throws {
    let service = try TestService(
      ([(5_853_067, 8_779_600.5), (823_000, 1_234_500), (1, 1.0 / 3)] as [(Int64, Double)]).enumerated().map {
        index, row in
        DailyQuoteSummary(
          ticker: "MCD", date: TradingDay(daysSince1970: 11_120 + index) ?? .earliest, volume: row.0,
          adjustedVolume: row.1)
      })
    let columns = "column_index=12&order=asc"
    #expect(
      service.get("datasets/WIKI/MCD/data?\(columns)").text.contains(
        #""data":[["2000-06-12",8779600.5],["2000-06-13",1234500.0],["2000-06-14",0.3333333333333333]]"#))
    #expect(
      service.get("datasets/WIKI/MCD/data?\(columns)&collapse=weekly").text.contains(
        #""data":[["2000-06-18",0.3333333333333333]]"#))
    #expect(
      service.get("datasets/WIKI/MCD/data?\(columns)&transform=diff").text.contains(
        #"["2000-06-13",-7545100.5]"#))
    let page = service.get("datatables/WIKI/PRICES?ticker=MCD&adj_volume=8779600.5&qopts.columns=date,adj_volume").text
    #expect(page.contains(#""data":[["2000-06-12",8779600.5]]"#), "\(page)")
    #expect(service.get("datatables/WIKI/PRICES.csv?qopts.columns=adj_volume").text.contains("8779600.5\n1234500.0\n"))
  }

  @Test(arguments: ["datasets/WIKI/FB/data.json", "datasets/wiki/fb/data", "datasets/WIKI/FB/data/"])
  func other_spellings_of_the_path_bring_the_same(_ path: String) {
    #expect(Self.service.get(path).bytes == Self.service.get("datasets/WIKI/FB/data").bytes)
  }

  @Test func the_whole_dataset_has_its_description_around_the_data() {
    let answer = Self.service.get("datasets/WIKI/FB.json?limit=1&transform=&order=")
    let dataset = answer.object("dataset")
    #expect(
      Set(dataset.keys) == [
        "id", "dataset_code", "database_code", "name", "description", "refreshed_at", "newest_available_date",
        "oldest_available_date", "column_names", "frequency", "type", "premium", "limit", "transform", "column_index",
        "start_date", "end_date", "data", "collapse", "order", "database_id",
      ])
    #expect(dataset["dataset_code"] as? String == "FB" && dataset["database_code"] as? String == "WIKI")
    #expect(dataset["type"] as? String == "Time Series" && dataset["premium"] as? Bool == false)
    #expect(dataset["limit"] as? Int == 1 && dataset["database_id"] as? Int == 4922)
    #expect(dataset["newest_available_date"] as? String == "2018-03-27")
    #expect(dataset["oldest_available_date"] as? String == "2018-03-23")
    #expect((dataset["refreshed_at"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    #expect(answer.text.contains(#""data":[\#(Self.newest)],"collapse":null,"order":null,"database_id":4922}}"#))
  }

  @Test func metadata_are_the_description_without_the_data() {
    let metadata = Self.service.get("datasets/WIKI/FB/metadata").object("dataset")
    let whole = Self.service.get("datasets/WIKI/FB").object("dataset")
    let data: Set = ["limit", "transform", "column_index", "start_date", "end_date", "data", "collapse", "order"]
    #expect(Set(metadata.keys) == Set(whole.keys).subtracting(data))
    for (name, value) in metadata { #expect("\(value)" == whole[name].map { "\($0)" }) }
  }

  @Test func metadata_come_as_csv_too() {
    let lines = Self.service.get("datasets/WIKI/FB/metadata.csv").lines
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("id,dataset_code,database_code,name,") == true)
    #expect(lines.last?.contains(#"FB,WIKI,"FB Prices, Dividends, Splits and Trading Volume","#) == true)
  }

  @Test(arguments: [
    ("", [newest, middle, oldest]), ("order=asc", [oldest, middle, newest]), ("order=desc", [newest, middle, oldest]),
    ("limit=2", [newest, middle]), ("rows=1&order=asc", [oldest]), ("limit=0", []),
    ("limit=99", [newest, middle, oldest]),
    ("start_date=2018-03-26", [newest, middle]), ("end_date=2018-03-26", [middle, oldest]),
    ("start_date=2018-03-24&end_date=2018-03-26", [middle]), ("start_date=2018-03-24&end_date=2018-03-25", []),
    ("start_date=2018-03-26%2000:00:00", [newest, middle]), ("trim_start=2018-03-27", [newest]),
    ("start_date=&end_date=&limit=&order=&collapse=&transform=", [newest, middle, oldest]),
    ("collapse=none&transform=none&api_key=x&returns=numpy", [newest, middle, oldest]),
  ])
  func ranges_limits_and_orders_choose_rows(_ query: String, _ rows: [String]) {
    let text = Self.service.get("datasets/WIKI/FB/data?" + query).text
    #expect(text.contains(#""data":[\#(rows.joined(separator: ","))]"#), "\(query): \(text)")
  }

  @Test func what_was_asked_for_is_repeated() {
    let query =
      "order=desc&start_date=2018-03-01&end_date=2018-04-30&collapse=monthly&transform=rdiff&rows=5&column_index=11"
    let text = Self.service.get("datasets/WIKI/FB/data?" + query).text
    #expect(
      text == #"{"dataset_data":{"limit":5,"transform":"rdiff","column_index":11,"column_names":["Date","Adj. Close"],"#
        + #""start_date":"2018-03-01","end_date":"2018-03-27","frequency":"daily","data":[],"collapse":"monthly","#
        + #""order":"desc"}}"#)
  }

  @Test func a_range_behind_the_data_is_empty_and_its_end_the_newest_day() {
    let data = Self.service.get("datasets/WIKI/FB/data?start_date=2020-01-01&end_date=2021-01-01").object(
      "dataset_data")
    #expect(data["start_date"] as? String == "2020-01-01" && data["end_date"] as? String == "2018-03-27")
    #expect((data["data"] as? [Any])?.isEmpty == true)
  }

  @Test func a_column_index_brings_the_day_and_that_column() {
    let text = Self.service.get("datasets/WIKI/FB/data?column_index=5&limit=1").text
    #expect(text.contains(#""column_index":5,"column_names":["Date","Volume"],"#))
    #expect(text.contains(#""data":[["2018-03-27",76787884.0]]"#))
    #expect(Self.service.get("datasets/WIKI/FB/data?column_index=0&limit=1").text.contains(#""data":[["2018-03-27"]]"#))
  }

  @Test(arguments: ["13", "99", "-1", "9223372036854775807", "-9223372036854775808"])
  func an_unknown_column_is_answered_with_nulls(_ index: String) {
    let answer = Self.service.get("datasets/WIKI/FB/data?column_index=\(index)")
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""column_index":\#(index),"column_names":["Date",null],"#))
    #expect(answer.text.contains(#""data":[]"#))
  }

  @Test(arguments: ["datasets/WIKI/FB.csv", "datasets/WIKI/FB/data.csv"])
  func csv_is_newest_first_with_the_title_case_header(_ path: String) {
    let answer = Self.service.get(path)
    #expect(answer.headers["content-type"] == "text/csv")
    #expect(
      answer.text == """
        Date,Open,High,Low,Close,Volume,Ex-Dividend,Split Ratio,Adj. Open,Adj. High,Adj. Low,Adj. Close,Adj. Volume
        2018-03-27,156.31,162.85,150.75,152.19,76787884.0,0.0,1.3333333333333333,156.31,162.85,150.75,152.19,76787884.0
        2018-03-26,160.82,,-inf,160.06,125438294.0,0.04875,1.0,,,,,
        2018-03-23,165.44,167.1,159.02,159.39,52306891.0,0.0,1.0,165.44,167.1,159.02,159.39,52306891.0

        """)
    let ascending = Self.service.get(path + "?order=asc&column_index=4&limit=2").text
    #expect(ascending == "Date,Close\n2018-03-23,159.39\n2018-03-26,160.06\n")
  }

  @Test func an_accept_header_chooses_where_the_path_says_nothing() {
    func isCSV(_ path: String, _ accept: String?) -> Bool {
      Self.service.get(path, accept: accept).headers["content-type"]?.hasPrefix("text/csv") == true
    }
    #expect(isCSV("datasets/WIKI/FB/data", "text/csv"))
    #expect(!isCSV("datasets/WIKI/FB/data.json", "text/csv"))
    let json = "application/json, application/vnd.data.nasdaq+json;version=2015-04-09"
    for accept in [nil, "*/*", json, "text/html"] { #expect(!isCSV("datasets/WIKI/FB/data", accept)) }
  }

  @Test func untouched_values_are_those_of_the_store_bit_for_bit() throws {
    let service = try TestService.fedEx()
    let stored = try service.store.quotes(for: "FDX").fetchColumns().columns
    let data = service.get("datasets/WIKI/FDX/data?order=asc").object("dataset_data")["data"] as? [[Any]] ?? []
    #expect(data.count == 1200)
    for (row, cells) in data.enumerated() {
      #expect(cells.first as? String == stored.days[row].description)
      for (name, cell) in zip(Attribute.allCases, cells.dropFirst()) {
        let value = (cell as? Double)?.bitPattern
        let expected = TypedAttribute<Double>(name: name).map { stored[$0][row] } ?? Double(stored.volume(name, row))
        #expect(value == expected.bitPattern, "row \(row), \(name)")
      }
    }
  }

  @Test func a_long_answer_comes_in_pieces_of_some_64_KiB() throws {
    let service = try TestService.fedEx()
    let answer = service.get("datasets/WIKI/FDX/data")
    #expect(answer.byteCount == nil && answer.pieces.count >= 2)
    #expect(answer.pieces.allSatisfy { $0.count <= 1 << 16 })
    #expect((answer.object("dataset_data")["data"] as? [Any])?.count == 1200)
  }
}

extension QuoteColumns {
  fileprivate func volume(_ name: Attribute, _ row: Int) -> Int64 {
    TypedAttribute<Int64>(name: name).map { self[$0][row] } ?? .missing
  }
}
