import Foundation
import Quoin
import Testing

@testable import QuandlService
@testable import QuoteGenerator

@Suite struct TableTests {
  private static let market = try! TestService.market(12, rowCount: 3000).unlinked

  @Test func a_page_is_as_quandl_sent_it() throws {
    let service = try TestService([
      DailyQuoteSummary(
        ticker: "AAPL", date: "2017-11-22", open: 173.36, high: 175, low: 173.05, close: 174.96, volume: 24_997_274,
        exDividend: 0, splitRatio: 1, adjustedOpen: 173.36, adjustedHigh: 175, adjustedLow: 173.05,
        adjustedClose: 174.96, adjustedVolume: 24_997_274)
    ])
    let answer = service.get("datatables/WIKI/PRICES.json?ticker=AAPL&date=2017-11-22")
    #expect(
      answer.text == #"{"datatable":{"data":[["AAPL","2017-11-22",173.36,175.0,173.05,174.96,24997274.0,0.0,1.0,"#
        + #"173.36,175.0,173.05,174.96,24997274.0]],"columns":[{"name":"ticker","type":"String"},"#
        + #"{"name":"date","type":"Date"},{"name":"open","type":"BigDecimal(34,12)"},"#
        + #"{"name":"high","type":"BigDecimal(34,12)"},{"name":"low","type":"BigDecimal(34,12)"},"#
        + #"{"name":"close","type":"BigDecimal(34,12)"},{"name":"volume","type":"BigDecimal(37,15)"},"#
        + #"{"name":"ex-dividend","type":"BigDecimal(42,20)"},{"name":"split_ratio","type":"double"},"#
        + #"{"name":"adj_open","type":"BigDecimal(50,28)"},{"name":"adj_high","type":"BigDecimal(50,28)"},"#
        + #"{"name":"adj_low","type":"BigDecimal(50,28)"},{"name":"adj_close","type":"BigDecimal(50,28)"},"#
        + #"{"name":"adj_volume","type":"double"}]},"meta":{"next_cursor_id":null}}"#)
  }

  /// The first two cells of each row, as they are for every row of the store that `isWanted`.
  private func keys(_ isWanted: (DailyQuoteSummary) -> Bool) throws -> [String] {
    try Self.market.store.allQuotes.fetch().filter(isWanted).map { "\($0.ticker) \($0.date)" }
  }

  private func keys(_ query: String) -> [String] {
    let answer = Self.market.get("datatables/WIKI/PRICES?" + query)
    #expect(answer.status == 200, "\(query): \(answer.errorMessage)")
    return answer.rows().map { "\($0[0]) \($0[1])" }
  }

  @Test func filters_of_every_kind_keep_the_rows_that_pass() throws {
    let (a, b) = (Self.market.store.tickers[3], Self.market.store.tickers[7])
    let isListed = { (quote: DailyQuoteSummary) in quote.ticker == a || quote.ticker == b }
    #expect(try keys("ticker=\(a),\(b)") == keys(isListed))
    #expect(try keys("ticker%5B%5D=\(b)&ticker%5B%5D=\(a)") == keys(isListed))
    #expect(try keys("ticker=\(a.description.lowercased())&ticker=\(b)&api_key=k") == keys(isListed))
    #expect(try keys("ticker.gte=\(a)&ticker.lt=\(b)") == keys { $0.ticker >= a && $0.ticker < b })
    #expect(try keys("ticker.gt=\(a)&ticker.lte=\(b)") == keys { $0.ticker > a && $0.ticker <= b })
    #expect(keys("ticker=NOBODY,../..,%00") == [])
    #expect(keys("ticker=\(a)&ticker.gt=\(a)") == [])
    let day: TradingDay = "2017-06-15"
    #expect(try keys("date=2017-06-15") == keys { $0.date == day })
    #expect(
      try keys("date%5B%5D=2017-06-15&date%5B%5D=2017-06-16") == keys { $0.date == day || $0.date == "2017-06-16" })
    #expect(try keys("date.gt=2017-06-15&date.lte=2017-12-29") == keys { $0.date > day && $0.date <= "2017-12-29" })
    #expect(try keys("date.gte=2017-06-15T00:00:00Z") == keys { $0.date >= day })
    for text in ["2017-6-15", "20170615", "2017/06/15", "2017/6/15", "2017-6-15%2000:00:00", "20170615T093000"] {
      #expect(try keys("date.gte=\(text)") == keys { $0.date >= day }, "\(text)")
    }
    #expect(try keys("close.gt=20.5&volume.lt=1e6") == keys { $0.close ?? 0 > 20.5 && $0.volume ?? .max < 1_000_000 })
    #expect(try keys("volume.gte=1000000.5") == keys { $0.volume ?? 0 >= 1_000_001 })
    #expect(try keys("ex-dividend.gt=0") == keys { $0.exDividend ?? 0 > 0 })
    #expect(try keys("adj_volume.lt=99999999999999999999") == keys { $0.adjustedVolume != nil })
    #expect(try keys("ticker.eq=\(a),\(b)&close.eq=1e9,20.5") == keys { isListed($0) && $0.close == 20.5 })
    #expect(try keys("date.eq=2017-06-15") == keys { $0.date == day })
    #expect(try keys("api_key=&qopts.columns=&auth_token=") == keys { _ in true })
  }

  @Test(arguments: [
    "2017-6-31", "2017-13-1", "20171301", "2017061", "17-6-15", "15.6.2017", "2017-6-15x", "2017/6-15", "2017--15",
    "2017-6-1-5", "2017-+6-15",
  ])
  func what_names_no_day_is_refused(_ text: String) {
    let answer = Self.market.get("datatables/WIKI/PRICES?date.gte=\(text)")
    #expect(answer.status == 422 && answer.errorMessage.contains("it is a day of the calendar"), "\(text)")
  }

  /// A script whose variable is empty would get the whole table.
  @Test(arguments: [
    ("ticker=", "eq"), ("ticker%5B%5D=", "eq"), ("ticker=%2C", "eq"), ("date=&ticker=A", "eq"), ("close.gt=", "gt"),
    ("ticker.eq=", "eq"), ("date.lte", "lte"),
  ])
  func a_filter_without_a_value_is_refused(_ query: String, _ comparison: String) {
    let answer = Self.market.get("datatables/WIKI/PRICES?" + query)
    #expect(answer.status == 422 && answer.errorCode == "QESx02")
    #expect(answer.errorMessage.hasPrefix("You are missing a value after operator '\(comparison)'. "))
    #expect(Self.market.post("datatables/WIKI/PRICES", #"{"ticker": ""}"#).errorCode == "QESx02")
    #expect(Self.market.post("datatables/WIKI/PRICES", #"{"close": {"between": 1}}"#).errorCode == "QESx08")
  }

  @Test func a_listed_value_is_met_bit_for_bit() throws {
    let quote = try #require(try Self.market.store.allQuotes.fetch().last { $0.adjustedClose ?? 0 > 0 })
    let (close, volume) = (try #require(quote.adjustedClose), try #require(quote.volume))
    #expect(try keys("adj_close=\(close)") == keys { $0.adjustedClose == close })
    #expect(try keys("volume=\(volume).0,-1,0.5") == keys { $0.volume == volume })
    #expect(keys("volume=\(volume).5") == [])
  }

  @Test func columns_come_as_they_are_asked_for() {
    let answer = Self.market.get(
      "datatables/WIKI/PRICES?qopts.columns%5B%5D=close&qopts.columns%5B%5D=ticker&qopts.per_page=1")
    let columns = answer.object("datatable")["columns"] as? [[String: String]] ?? []
    #expect(columns.compactMap { $0["name"] } == ["close", "ticker"])
    #expect(answer.rows().first?.count == 2 && answer.rows().first?.last is String)
    let list = Self.market.get("datatables/WIKI/PRICES?qopts.columns=close,ticker,close&qopts.per_page=1")
    #expect(list.bytes == answer.bytes)
    #expect(Self.market.get("datatables/WIKI/PRICES?qopts.columns=date&qopts.per_page=2").rows().count == 2)
  }

  @Test func a_post_asks_the_same_as_a_get() {
    let ticker = Self.market.store.tickers[3]
    let get = Self.market.get(
      "datatables/WIKI/PRICES?ticker=\(ticker)&date.gte=2017-01-03&volume.gt=5&qopts.columns=ticker,date&qopts.per_page=3"
    )
    let body = """
      {"ticker": ["\(ticker)"], "date.gte": "2017-01-03", "volume.gt": 5.0, "qopts.columns": ["ticker", "date"],
       "qopts.per_page": 3, "close": null, "high": []}
      """
    // As a Python dictionary of dictionaries becomes it.
    let nested = """
      {"ticker": {"eq": "\(ticker)", "gte": null}, "date": {"gte": "2017-01-03"}, "volume": {"gt": 5, "lt": [1e15]},
       "qopts": {"columns": ["ticker", "date"], "per_page": 3}}
      """
    #expect(get.rows().count == 3)
    #expect(Self.market.post("datatables/WIKI/PRICES", body).bytes == get.bytes)
    #expect(Self.market.post("datatables/WIKI/PRICES.json", body).bytes == get.bytes)
    #expect(Self.market.post("datatables/WIKI/PRICES", nested).bytes == get.bytes)
  }

  @Test(arguments: [
    "[1]", "{", "{\"ticker\": {\"eq\": {\"eq\": 1}}}", "{\"ticker\": [[\"A\"]]}", "\"x\"", "\u{0}",
    "{\"close\": 1e999}",
  ])
  func a_body_that_is_no_flat_object_is_refused(_ body: String) {
    let answer = Self.market.post("datatables/WIKI/PRICES", body)
    #expect(answer.status == 422 && answer.errorCode == "QESx04", "\(answer.text)")
  }

  @Test(arguments: [1, 23, 100, 999]) func pages_together_are_the_table(_ rowsPerPage: Int) throws {
    for filter in ["", "&volume.gt=1500000", "&date.gte=2017-12-01", "&close.lt=0"] {
      if rowsPerPage == 1, filter.isEmpty { continue }
      var (cursor, found): (String?, [String]) = (nil, [])
      repeat {
        let next = cursor.map { "&qopts.cursor_id=\($0)" } ?? ""
        let answer = Self.market.get("datatables/WIKI/PRICES?qopts.per_page=\(rowsPerPage)\(filter)\(next)")
        let rows = answer.rows()
        found += rows.map { "\($0[0]) \($0[1])" }
        // Else the walk would never end.
        try #require(answer.cursor == nil || answer.cursor != cursor)
        cursor = answer.cursor
        #expect(rows.count == rowsPerPage || cursor == nil)
        #expect(!rows.isEmpty || cursor == nil)
      } while cursor != nil
      #expect(found.elementsEqual(keys("qopts.per_page=10000\(filter)")))
    }
  }

  @Test func a_cursor_stays_right_when_rows_come_and_go() throws {
    let days: [TradingDay] = ["2018-01-02", "2018-01-03", "2018-01-04", "2018-01-05"]
    let quotes = ["A", "B", "C"].flatMap { ticker in
      days.map { DailyQuoteSummary(ticker: TickerSymbol(stringLiteral: ticker), date: $0, close: 1) }
    }
    let service = try TestService(quotes)
    let first = service.get("datatables/WIKI/PRICES?qopts.per_page=5")
    #expect(first.rows().count == 5)
    // The row that the cursor names goes, another comes before the cursor, and one behind it.
    try service.store.delete("B", dates: "2018-01-03"..."2018-01-03")
    try service.store.upsert([
      DailyQuoteSummary(ticker: "A", date: "2018-02-01", close: 1),
      DailyQuoteSummary(ticker: "D", date: "2018-01-02", close: 1),
    ])
    let cursor = try #require(first.cursor)
    let rest = service.get("datatables/WIKI/PRICES?qopts.cursor_id=\(cursor)").rows().map { "\($0[0]) \($0[1])" }
    #expect(
      rest == [
        "B 2018-01-04", "B 2018-01-05", "C 2018-01-02", "C 2018-01-03", "C 2018-01-04", "C 2018-01-05", "D 2018-01-02",
      ])
    try service.store.delete(["B", "C", "D"])
    #expect(service.get("datatables/WIKI/PRICES?qopts.cursor_id=\(cursor)").rows().isEmpty)
  }

  @Test(arguments: [
    "x", "v1_2018-01-02_A", "djFfMjAxOC0wMS0wMl9", "djFfMjAxOC0wMi0zMF9B", "djFfMjAxOC0wMS0wMl9B=", "%00", "AAAA",
    "djJfMjAxOC0wMS0wMl9B", "djFfMjAxOC0wMS0wMl9h", String(repeating: "A", count: 100_000),
  ])
  func a_cursor_that_the_service_never_gave_is_refused(_ cursor: String) {
    let answer = Self.market.get("datatables/WIKI/PRICES?qopts.cursor_id=\(cursor)")
    #expect(answer.status == 400 && answer.errorCode == "QESx06", "\(answer.text.prefix(200))")
  }

  @Test func cursors_are_made_of_the_letters_of_urls_and_read_back() throws {
    var random = TestSettings.dice("cursors_are_made_of_the_letters_of_urls_and_read_back")
    for _ in 0..<2000 {
      let letters = "ABCXYZ0189_".map { String($0) }
      let name =
        random.element(of: letters.dropLast())
        + (0..<random.below(16)).map { _ in random.element(of: letters) }.joined()
      let day = try #require(TradingDay(daysSince1970: random.below(3_000_000) - 700_000))
      let key = TableKey(ticker: try TickerSymbol(name), day: day)
      #expect(key.cursor.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
      #expect(TableKey(cursor: key.cursor) == key)
    }
  }

  @Test func more_rows_than_a_page_may_have_are_cut_off_with_a_cursor() throws {
    let service = try TestService.market(3, rowCount: 10_500)
    for query in ["", "?qopts.per_page=1000000000"] {
      let answer = service.get("datatables/WIKI/PRICES" + query)
      #expect(answer.rows().count == 10_000 && answer.cursor != nil)
      #expect(answer.pieces.count > 10 && answer.pieces.allSatisfy { $0.count <= 1 << 16 })
    }
  }

  @Test func csv_has_its_cursor_in_a_header() {
    let page = Self.market.get("datatables/WIKI/PRICES.csv?qopts.per_page=2&qopts.columns=ticker,date,volume")
    #expect(page.headers["content-type"] == "text/csv")
    #expect(
      page.lines.count == 3 && page.lines.first == "ticker,date,volume" && page.lines.last?.hasSuffix(".0") == true)
    #expect(page.headers["cursor_id"].flatMap { TableKey(cursor: $0) } != nil)
    #expect(Self.market.get("datatables/WIKI/PRICES.csv?date=1900-01-01").headers["cursor_id"] == nil)
  }

  @Test func metadata_name_columns_and_filters() {
    let table = Self.market.get("datatables/WIKI/PRICES/metadata").object("datatable")
    #expect(table["vendor_code"] as? String == "WIKI" && table["datatable_code"] as? String == "PRICES")
    #expect((table["filters"] as? [String])?.prefix(3) == ["ticker", "date", "open"])
    #expect((table["columns"] as? [[String: String]])?.count == 14)
    #expect(table["primary_key"] as? [String] == ["ticker", "date"])
  }
}
