import Foundation
import Testing

@testable import Quoin

@Suite struct CodingTests {
  private let quote = DailyQuoteSummary(
    ticker: .fedEx, date: "2018-03-27", open: 238, high: 240.1, volume: 9_007_199_254_740_993, exDividend: 0,
    adjustedClose: 0.1)

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test func a_quote_is_written_with_the_names_of_quandls_files_and_without_what_is_missing() throws {
    #expect(
      try json(quote) == """
        {"adj_close":0.1,"date":"2018-03-27","ex-dividend":0,"high":240.1,"open":238,"ticker":"FDX",\
        "volume":9007199254740993}
        """)
    #expect(
      try json(DailyQuoteSummary(ticker: "A", date: .earliest)) == #"{"date":"0001-01-01","ticker":"A"}"#)
  }

  @Test func null_is_missing_and_unknown_names_are_ignored() throws {
    let text = #"{"date":"2018-03-27","ticker":"fdx","open":null,"high":80.5,"turnover":3}"#
    #expect(
      try decoded(DailyQuoteSummary.self, text) == DailyQuoteSummary(ticker: .fedEx, date: "2018-03-27", high: 80.5))
  }

  @Test func every_value_comes_back_bit_for_bit() throws {
    for quote in QuoteBatch(ticker: .fedEx, columns: .sample(20)).quotes {
      #expect(try decoded(DailyQuoteSummary.self, json(quote)) == quote)
    }
    for value in NastyValues.doubles where value.isFinite {
      let row = DailyQuoteSummary(ticker: .fedEx, date: .latest, adjustedLow: value)
      #expect(try decoded(DailyQuoteSummary.self, json(row)).adjustedLow?.bitPattern == value.bitPattern)
    }
    for value in NastyValues.integers {
      let row = DailyQuoteSummary(ticker: .fedEx, date: .latest, volume: value)
      #expect(try decoded(DailyQuoteSummary.self, json(row)) == row)
    }
  }

  @Test func rows_of_quoins_own_json_are_quotes() throws {
    var columns = QuoteColumns.sample(20)
    (columns[.open][3], columns[.open][4]) = (.infinity, -.infinity)
    var known = columns
    (known[.open][3], known[.open][4]) = (.nan, .nan)
    var bytes: [UInt8] = []
    let formatter = QuoteFormatter(.json) { bytes += collected($0) }
    try formatter.append(QuoteBatch(ticker: .fedEx, columns: columns))
    try formatter.finish()
    let rows = try JSONDecoder().decode([DailyQuoteSummary].self, from: Data(bytes))
    #expect(rows == QuoteBatch(ticker: .fedEx, columns: known).quotes)
  }

  @Test func an_infinite_price_is_left_to_the_encoder() throws {
    let row = DailyQuoteSummary(ticker: .fedEx, date: "2018-03-27", open: .infinity, low: -.infinity)
    #expect(throws: EncodingError.self) { try json(row) }
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "")
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "")
    #expect(try decoder.decode(DailyQuoteSummary.self, from: encoder.encode(row)) == row)
  }

  @Test func tickers_days_and_attributes_are_their_text_as_values_and_as_keys() throws {
    #expect(try json(["fdx", "ko"] as [TickerSymbol]) == #"["FDX","KO"]"#)
    #expect(try json(["2018-03-27"] as [TradingDay]) == #"["2018-03-27"]"#)
    #expect(try json([Attribute.exDividend, .adjustedOpen]) == #"["ex-dividend","adj_open"]"#)
    #expect(try json([.fedEx: 1] as [TickerSymbol: Int]) == #"{"FDX":1}"#)
    #expect(try json(["2018-03-27": 1] as [TradingDay: Int]) == #"{"2018-03-27":1}"#)
    #expect(try json([.adjustedOpen: 1] as [Attribute: Int]) == #"{"adj_open":1}"#)
    #expect(try decoded([TickerSymbol: Int].self, #"{"ko":2}"#) == ["KO": 2])
    #expect(try decoded([TradingDay: Int].self, #"{"2018-03-27":2}"#) == ["2018-03-27": 2])
    #expect(try decoded([Attribute: Int].self, #"{"Adj. Open":2}"#) == [.adjustedOpen: 2])
    for attribute in Attribute.allCases {
      #expect(try decoded([Attribute].self, json([attribute])) == [attribute])
    }
    for day in NastyValues.days { #expect(try decoded([TradingDay].self, json([day])) == [day]) }
  }

  @Test(arguments: [#"[""]"#, #"["A B"]"#, "[3]", "[null]", #"[{}]"#, #"[{"ticker":"FDX"}]"#])
  func what_is_no_value_is_refused(_ text: String) {
    #expect(throws: DecodingError.self) { try decoded([TickerSymbol].self, text) }
    #expect(throws: DecodingError.self) { try decoded([TradingDay].self, text) }
    #expect(throws: DecodingError.self) { try decoded([Attribute].self, text) }
    #expect(throws: DecodingError.self) { try decoded([DailyQuoteSummary].self, text) }
  }

  @Test func a_date_that_there_is_not_is_refused() {
    #expect(throws: DecodingError.self) { try decoded([TradingDay].self, #"["2018-02-30"]"#) }
    #expect(throws: DecodingError.self) { try decoded([TradingDay: Int].self, #"{"2018-02-30":1}"#) }
  }

  @Test func a_refused_ticker_says_why() {
    do {
      _ = try decoded([TickerSymbol].self, #"["A B"]"#)
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription.contains("'A B'"))
    } catch {
      Issue.record(error)
    }
  }

  @Test func a_quote_prints_its_ticker_its_day_and_what_it_has() {
    #expect(
      "\(quote)"
        == "FDX 2018-03-27: open 238.0, high 240.1, volume 9007199254740993, ex-dividend 0.0, adj_close 0.1")
    #expect("\([DailyQuoteSummary(ticker: "A", date: .earliest)])" == "[A 0001-01-01: no values]")
  }

  @Test func a_quote_is_identified_by_ticker_and_day() {
    #expect(quote.id == DailyQuoteSummary.ID(ticker: .fedEx, date: "2018-03-27"))
    #expect(quote.id == DailyQuoteSummary(ticker: .fedEx, date: "2018-03-27").id)
    #expect(quote.id != DailyQuoteSummary(ticker: .fedEx, date: "2018-03-28").id)
  }
}
