import Testing

@testable import Quoin

/// JSON in the forms of those who give away quotes, found by its shape. All values are made up. Numbers are those of a log of other people's
/// files.
@Suite struct JSONVendorTests {
  struct Form: Sendable {
    let name: String
    var file = "FDX.json"
    let text: String
    /// The forms that lack a price or the volume.
    var hasAll = true
  }

  /// Two days of FDX in each form: 2 and 3 January 2018, `1 4 0.5 2 300` and `2 5 1.5 3 400`.
  static let forms: [Form] = [
    Form(
      name: "52 Tiingo, an array of objects",
      text: #"""
        [{"date":"2018-01-02T00:00:00.000Z","close":2,"high":4,"low":0.5,"open":1,"volume":300,"adjClose":2},
         {"date":"2018-01-03T00:00:00.000Z","close":3,"high":5,"low":1.5,"open":2,"volume":400,"adjClose":3}]
        """#),
    Form(
      name: "52 EODHD",
      text: #"[{"date":"2018-01-02","open":1,"high":4,"low":0.5,"close":2,"adjusted_close":2,"volume":300},"#
        + #"{"date":"2018-01-03","open":2,"high":5,"low":1.5,"close":3,"adjusted_close":3,"volume":400}]"#),
    Form(
      name: "52 IEX, with nested values and nulls", file: "all.json",
      text: #"[{"symbol":"FDX","date":"2018-01-02","open":1,"high":4,"low":0.5,"close":2,"volume":300,"u":{"open":9}},"#
        + #"{"symbol":"FDX","date":"2018-01-03","open":2,"high":5,"low":1.5,"close":3,"volume":400,"u":null}]"#),
    Form(
      name: "keys in another order in each row",
      text: #"[{"open":1,"date":"2018-01-02","high":4,"low":0.5,"close":2,"volume":300},"#
        + #"{"volume":400,"close":3,"low":1.5,"high":5,"open":2,"date":"2018-01-03"}]"#),
    Form(
      name: "58 pandas, records",
      text: #"[{"Date":1514851200000,"Open":1.0,"High":4.0,"Low":0.5,"Close":2.0,"Volume":300},"#
        + #"{"Date":1514937600000,"Open":2.0,"High":5.0,"Low":1.5,"Close":3.0,"Volume":400}]"#),
    Form(
      name: "55 Polygon", file: "all.json",
      text: #"{"ticker":"FDX","queryCount":2,"adjusted":true,"results":["#
        + #"{"v":300.0,"vw":1.9,"o":1,"c":2,"h":4,"l":0.5,"t":1514869200000,"n":60},"#
        + #"{"v":400.0,"vw":2.9,"o":2,"c":3,"h":5,"l":1.5,"t":1514955600000,"n":61}],"status":"OK"}"#),
    Form(
      name: "55 Polygon, grouped by day", file: "all.json",
      text: #"{"results":[{"T":"FDX","v":300,"o":1,"c":2,"h":4,"l":0.5,"t":1514869200000},"#
        + #"{"T":"FDX","v":400,"o":2,"c":3,"h":5,"l":1.5,"t":1514955600000}],"status":"OK"}"#),
    Form(
      name: "53 FMP", file: "all.json",
      text: #"{"symbol":"FDX","historical":["#
        + #"{"date":"2018-01-03","open":2,"high":5,"low":1.5,"close":3,"adjClose":3,"volume":400,"label":"January 03, 18"},"#
        + #"{"date":"2018-01-02","open":1,"high":4,"low":0.5,"close":2,"adjClose":2,"volume":300,"label":"January 02, 18"}]}"#
    ),
    Form(
      name: "53 FMP, several", file: "all.json",
      text: #"{"historicalStockList":[{"symbol":"FDX","historical":["#
        + #"{"date":"2018-01-02","open":1,"high":4,"low":0.5,"close":2,"volume":300},"#
        + #"{"date":"2018-01-03","open":2,"high":5,"low":1.5,"close":3,"volume":400}]},"#
        + #"{"symbol":"KO","historical":[{"date":"2018-01-02","open":7,"high":8,"low":6,"close":7,"volume":1}]}]}"#),
    Form(
      name: "56 Alpaca", file: "all.json",
      text: #"{"bars":[{"t":"2018-01-02T05:00:00Z","o":1,"h":4,"l":0.5,"c":2,"v":300,"n":6,"vw":1.6},"#
        + #"{"t":"2018-01-03T05:00:00Z","o":2,"h":5,"l":1.5,"c":3,"v":400,"n":6,"vw":1.6}],"symbol":"FDX"}"#),
    Form(
      name: "56 Alpaca, several", file: "all.json",
      text: #"{"bars":{"FDX":[{"t":"2018-01-02T05:00:00Z","o":1,"h":4,"l":0.5,"c":2,"v":300},"#
        + #"{"t":"2018-01-03T05:00:00Z","o":2,"h":5,"l":1.5,"c":3,"v":400}],"#
        + #""BRK.A":[{"t":"2018-01-02T05:00:00Z","o":7,"h":8,"l":6,"c":7,"v":1}]},"next_page_token":null}"#),
    Form(
      name: "56 Alpaca, the newest of several", file: "all.json",
      text: #"{"bars":{"KO":{"t":"2018-01-02T05:00:00Z","o":7,"h":8,"l":6,"c":7,"v":1},"#
        + #""FDX":{"t":"2018-01-02T05:00:00Z","o":1,"h":4,"l":0.5,"c":2,"v":300}}}"#),
    Form(
      name: "Twelve Data", file: "all.json",
      text: #"{"meta":{"symbol":"FDX","interval":"1day"},"values":["#
        + #"{"datetime":"2018-01-03","open":"2.0","high":"5.0","low":"1.5","close":"3.0","volume":"400"},"#
        + #"{"datetime":"2018-01-02","open":"1.0","high":"4.0","low":"0.5","close":"2.0","volume":"300"}],"status":"ok"}"#
    ),
    Form(
      name: "Marketstack", file: "all.json",
      text: #"{"pagination":{"limit":100,"offset":0},"data":[{"open":1,"high":4,"low":0.5,"close":2,"volume":300,"#
        + #""adj_close":2,"symbol":"FDX","exchange":"XNAS","date":"2018-01-02T00:00:00+0000"},{"open":2,"high":5,"low":1.5,"#
        + #""close":3,"volume":400,"adj_close":3,"symbol":"FDX","exchange":"XNAS","date":"2018-01-03T00:00:00+0000"}]}"#
    ),
    Form(
      name: "names in capitals",
      text: #"{"RESULTS":[{"DATE":"2018-01-02","OPEN":1,"HIGH":4,"LOW":0.5,"CLOSE":2,"VOLUME":300}]}"#),
    Form(
      name: "four levels down", file: "all.json",
      text: #"{"data":{"symbol":"FDX","table":{"headers":{"date":"Date","open":"Open"},"rows":["#
        + #"{"date":"2018-01-02","open":"1","high":"4","low":"0.5","close":"2","volume":"300"},"#
        + #"{"date":"2018-01-03","open":"2","high":"5","low":"1.5","close":"3","volume":"400"}]}},"status":{"rCode":200}}"#
    ),
    Form(
      name: "50 Alpha Vantage", file: "all.json",
      text: #"""
        {"Meta Data": {"1. Information": "Daily Prices", "2. Symbol": "FDX"},
         "Time Series (Daily)": {
           "2018-01-03": {"1. open": "2.0", "2. high": "5.0", "3. low": "1.5", "4. close": "3.0", "5. volume": "400"},
           "2018-01-02": {"1. open": "1.0", "2. high": "4.0", "3. low": "0.5", "4. close": "2.0", "5. volume": "300"}}}
        """#),
    Form(
      name: "50 Alpha Vantage, adjusted",
      text: #"{"Time Series (Daily)":{"2018-01-02":{"1. open":"1","2. high":"4","3. low":"0.5","4. close":"2","#
        + #""5. adjusted close":"2","6. volume":"300","7. dividend amount":"0.25","8. split coefficient":"1.0"}}}"#),
    Form(
      name: "58 pandas, index",
      text: #"{"1514851200000":{"open":1,"high":4,"low":0.5,"close":2,"volume":300},"#
        + #""1514937600000":{"open":2,"high":5,"low":1.5,"close":3,"volume":400}}"#),
    Form(
      name: "58 pandas, index of numbers",
      text: #"{"0":{"date":"2018-01-02","open":1,"high":4,"low":0.5,"close":2,"volume":300},"#
        + #""1":{"date":"2018-01-03","open":2,"high":5,"low":1.5,"close":3,"volume":400}}"#),
    Form(
      name: "58 pandas, columns",
      text: #"{"date":{"0":1514851200000,"1":1514937600000},"open":{"0":1,"1":2},"high":{"0":4,"1":5},"#
        + #""low":{"0":0.5,"1":1.5},"close":{"0":2,"1":3},"volume":{"0":300,"1":400}}"#),
    Form(
      name: "58 pandas, columns under an index of days",
      text: #"{"Open":{"1514851200000":1,"1514937600000":2},"High":{"1514851200000":4,"1514937600000":5},"#
        + #""Low":{"1514851200000":0.5,"1514937600000":1.5},"Close":{"1514851200000":2,"1514937600000":3},"#
        + #""Volume":{"1514851200000":300,"1514937600000":400}}"#),
    Form(
      name: "58 pandas, columns under an index of texts",
      text: #"{"open":{"2018-01-02":1},"high":{"2018-01-02":4},"low":{"2018-01-02":0.5},"close":{"2018-01-02":2},"#
        + #""volume":{"2018-01-02":300}}"#),
    Form(
      name: "58 pandas, split",
      text: #"{"columns":["date","open","high","low","close","volume"],"index":[0,1],"#
        + #""data":[["2018-01-02",1,4,0.5,2,300],["2018-01-03",2,5,1.5,3,400]]}"#),
    Form(
      name: "58 pandas, split under an index of days",
      text: #"{"columns":["open","high","low","close","volume"],"index":[1514851200000,1514937600000],"#
        + #""data":[[1,4,0.5,2,300],[2,5,1.5,3,400]]}"#),
    Form(
      name: "58 pandas, table",
      text:
        #"{"schema":{"fields":[{"name":"date","type":"datetime"},{"name":"open","type":"number"}],"primaryKey":["date"]},"#
        + #""data":[{"date":"2018-01-02T00:00:00.000","open":1,"high":4,"low":0.5,"close":2,"volume":300}]}"#),
    Form(
      name: "names beside arrays of cells, further in", file: "all.json",
      text: #"{"code":0,"msg":"","data":{"fields":["symbol","date","open","high","low","close","volume"],"#
        + #""items":[["FDX","20180102",1,4,0.5,2,300],["FDX","20180103",2,5,1.5,3,400]]}}"#),
    Form(
      name: "51 Yahoo's charts", file: "all.json",
      text:
        #"{"chart":{"result":[{"meta":{"currency":"USD","symbol":"FDX","gmtoffset":-18000,"validRanges":["1d","5d"]},"#
        + #""timestamp":[1514903400,1514989800],"indicators":{"quote":[{"open":[1,2],"high":[4,5],"low":[0.5,1.5],"#
        + #""close":[2,3],"volume":[300,400]}],"adjclose":[{"adjclose":[2,3]}]}}],"error":null}}"#),
    Form(
      name: "Finnhub",
      text: #"{"c":[2,3],"h":[4,5],"l":[0.5,1.5],"o":[1,2],"s":"ok","t":[1514851200,1514937600],"v":[300,400]}"#),
    Form(
      name: "arrays by ticker", file: "all.json",
      text:
        #"{"FDX":{"ids":[1,2],"timestamp":[1514851200],"open":[1],"high":[4],"low":[0.5],"close":[2],"volume":[300]},"#
        + #""KO":{"timestamp":[1514851200],"open":[7],"high":[8],"low":[6],"close":[7],"volume":[1]}}"#),
    Form(
      name: "59 Binance",
      text: #"[[1514851200000,"1.0","4.0","0.5","2.0","300.0",1514937599999,"1","2","3","4","0"],"#
        + #"[1514937600000,"2.0","5.0","1.5","3.0","400.0",1515023999999,"1","2","3","4","0"]]"#),
    Form(
      name: "an object", file: "all.json",
      text: #"""
        {
          "symbol": "FDX", "date": "2018-01-02", "open": 1, "high": 4, "low": 0.5, "close": 2, "volume": 300
        }
        """#),
    Form(
      name: "objects of several lines, one after another", file: "all.json",
      text: #"""
        {
          "symbol": "FDX", "date": "2018-01-02", "open": 1, "high": 4, "low": 0.5, "close": 2, "volume": 300
        }
        {
          "symbol": "FDX", "date": "2018-01-03", "open": 2, "high": 5, "low": 1.5, "close": 3, "volume": 400
        }
        """#),
    Form(
      name: "a document a line", file: "all.json",
      text: #"{"ticker":"FDX","results":[{"v":300,"o":1,"c":2,"h":4,"l":0.5,"t":1514869200000}]}"# + "\n"
        + #"{"ticker":"KO","results":[{"v":1,"o":7,"c":7,"h":8,"l":6,"t":1514869200000}]}"# + "\n"),
    Form(
      name: "64 a document of Quandl's a line", file: "all.json",
      text: #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Open","High","Low","Close","Volume"],"#
        + #""data":[["2018-01-02",1,4,0.5,2,300]]}}"# + "\n"
        + #"{"dataset":{"dataset_code":"KO","column_names":["Date","Close"],"data":[["2018-01-02",9]]}}"# + "\n"),
    Form(
      name: "64 an array of Quandl's documents", file: "all.json",
      text: #"[{"dataset":{"dataset_code":"KO","column_names":["Date","Close"],"data":[["2018-01-02",9]]}},"#
        + #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Open","High","Low","Close","Volume"],"#
        + #""data":[["2018-01-02",1,4,0.5,2,300]]}}]"#),
    Form(
      name: "61 NDJSON with nested values", file: "FDX.ndjson",
      text: #"{"date":"2018-01-02","open":1,"high":4,"low":0.5,"close":2,"volume":300,"meta":{"x":[1,{"y":"}"}]}}"#
        + "\n"
        + #"{"date":"2018-01-03","open":2,"high":5,"low":1.5,"close":3,"volume":400,"meta":[]}"# + "\n"),
    Form(
      name: "NDJSON with short names", file: "FDX.jsonl",
      text: #"{"t":1514869200000,"o":1,"h":4,"l":0.5,"c":2,"v":300}"# + "\n"
        + #"{"t":1514955600000,"o":2,"h":5,"l":1.5,"c":3,"v":400}"# + "\n"),
    Form(
      name: "NDJSON with numbered names and escapes", file: "FDX.ndjson",
      text: #"{"date":"2018\/01\/02","1. open":"1","2. high":"4","3. low":"0.5","4. close":"2","5. volume":"300"}"#
        + "\n"),
  ]

  @Test(arguments: forms.indices) func each_form_is_read(_ index: Int) throws {
    let form = Self.forms[index]
    let read = try rows(of: form.text, as: form.file)
    let days: [(TradingDay, [Double?], Int64)] = [
      ("2018-01-02", [1, 4, 0.5, 2], 300), ("2018-01-03", [2, 5, 1.5, 3], 400),
    ]
    #expect(read.count == 1 || read.count == 2, "\(form.name)")
    for (quote, (day, prices, volume)) in zip(read, days) {
      #expect(quote.date == day, "\(form.name)")
      #expect([quote.open, quote.high, quote.low, quote.close] == prices && quote.volume == volume, "\(form.name)")
      if form.text.lowercased().contains("adj") && !form.text.contains("adjusted\":true") {
        #expect(quote.adjustedClose == prices[3], "\(form.name)")
      }
    }
    // However the text is cut into pieces.
    var sink = MemorySink()
    _ = try importText(form.text, as: form.file, tuning: ImportTuning(readByteCount: 7), into: &sink)
    #expect(sink.rows("FDX") == read, "\(form.name)")
  }

  @Test(arguments: [
    ("53 FMP, several", "KO"), ("56 Alpaca, several", "BRK.A"), ("56 Alpaca, the newest of several", "KO"),
    ("arrays by ticker", "KO"), ("a document a line", "KO"), ("64 a document of Quandl's a line", "KO"),
    ("64 an array of Quandl's documents", "KO"),
  ])
  func each_part_of_a_document_has_its_own_ticker(_ name: String, _ ticker: TickerSymbol) throws {
    let form = try #require(Self.forms.first { $0.name == name })
    var sink = MemorySink()
    let summary = try importText(form.text, as: form.file, into: &sink)
    #expect(sink.rows(ticker).count == 1 && Set(sink.quotes.keys) == ["FDX", ticker])
    #expect(summary.rowCount >= 2 && summary.tickerCount == 2)
  }

  @Test func what_is_passed_over_is_told() throws {
    var sink = MemorySink()
    let nested = #"[{"date":"2018-01-02","close":2,"meta":{"close":3},"tags":["a"],"flag":true}]"#
    #expect(try importText(nested, as: "FDX.json", into: &sink).ignoredColumns == ["meta", "tags", "flag"])
    let line = #"{"date":"2018-01-02","close":2,"meta":{"close":3}}"#
    #expect(try importText(line, as: "FDX.ndjson", into: &sink).ignoredColumns == ["meta"])
    #expect(sink.rows("FDX") == [DailyQuoteSummary(ticker: "FDX", date: "2018-01-02", close: 2)])
  }

  @Test func what_a_member_holds_can_be_said() throws {
    var options = ImportOptions()
    options.columnUses = ["4. last": .attribute(.close), "d": .date]
    let text = #"{"rows":[{"d":"2018-01-02","4. last":"2","close":9}]}"#
    #expect(try rows(of: text, as: "FDX.json", options: options).map(\.close) == [2])
    options.columnUses = ["d": .date]
    #expect(try rows(of: #"{"d":["2018-01-02"],"close":[2]}"#, as: "FDX.json", options: options).map(\.close) == [2])
    options.columnUses = [:]
    options.columnNames = ["date", "low", "close"]
    #expect(try rows(of: #"{"r":[["2018-01-02",1,2]]}"#, as: "FDX.json", options: options).map(\.close) == [2])
  }

  /// 62 of the log.
  @Test func rows_may_lack_members_and_values_may_be_no_numbers() throws {
    let text = #"""
      [{"date":"2018-01-02","close":NaN,"volume":null,"open":1},{"date":"2018-01-03","close":-1},
       {"date":"2018-01-04","close":nan,"open":"\u0032.5"}]
      """#
    let read = try rows(of: text, as: "FDX.json")
    #expect(read.map(\.close) == [nil, -1, nil] && read.map(\.open) == [1, nil, 2.5])
    let quandl = #"{"dataset":{"column_names":["Date","Close"],"data":[["2018-01-02",NaN],["2018-01-03",Infinity]]}}"#
    let bad = try #require(badRows(of: quandl, as: "FDX.json"))
    #expect(bad.count == 1 && bad.description.hasSuffix("row 2, column Close, 'Infinity': not a number"), "\(bad)")
  }

  // MARK: Yahoo's events

  private func chart(_ events: String, offset: Int = -18000) -> String {
    #"{"chart":{"result":[{"meta":{"symbol":"FDX","gmtoffset":\#(offset)},"timestamp":[1514903400,1514989800],"#
      + #""events":\#(events),"indicators":{"quote":[{"close":[2,null],"open":[1,1]}]}}]}}"#
  }

  @Test func events_are_put_on_their_days() throws {
    let text = chart(
      #"{"dividends":{"1514989800":{"amount":0.25,"date":1514989800}},"#
        + #""splits":{"1514903400":{"date":1514903400,"numerator":4,"denominator":1,"splitRatio":"4:1"}}}"#)
    let read = try rows(of: text, as: "all.json")
    #expect(read.map(\.exDividend) == [0, 0.25] && read.map(\.splitRatio) == [4, 1])
    #expect(read.map(\.close) == [2, nil] && read.map(\.date) == ["2018-01-02", "2018-01-03"])
  }

  @Test(arguments: [
    #"{"dividends":{"1513000000":{"amount":0.25,"date":1513000000}}}"#, #"{"dividends":{"1514989800":{"sum":1}}}"#,
    #"{"dividends":[1]}"#, #"{"dividends":{"1514989800":{"amount":1},"b":{"amount":2,"date":1514989801}}}"#,
  ])
  func events_that_are_not_simple_are_left_out_and_told(_ events: String) throws {
    var sink = MemorySink()
    let summary = try importText(chart(events), as: "all.json", into: &sink)
    #expect(summary.ignoredColumns == ["events.dividends"])
    #expect(sink.rows("FDX").map(\.exDividend) == [nil, nil] && sink.rows("FDX").map(\.close) == [2, nil])
  }

  @Test func a_documents_clock_says_the_day() throws {
    // 14:30 in London, where the next day has begun 10 hours further east.
    #expect(try rows(of: chart("{}", offset: 36_000), as: "all.json").map(\.date) == ["2018-01-03", "2018-01-04"])
    #expect(try rows(of: chart("{}", offset: 999_999), as: "all.json").map(\.date) == ["2018-01-02", "2018-01-03"])
  }

  // MARK: Refusals

  @Test(arguments: [
    (#"{"quotes":[{"date":"2018-01-02","close":1}],"trades":[{"date":"2018-01-02","close":2}]}"#, "'quotes', 'trades'"),
    (#"{"a":{"b":[{"date":"2018-01-02","close":1}]},"c":{"date":["2018-01-02"],"close":[2]}}"#, "'a.b', 'c'"),
    (#"{"rows":[[1,2,3]]}"#, "rows: it is an array of arrays without names for their 3 cells"),
    (#"[[1514851200,0.5,4,1,2,300]]"#, "it is an array of arrays without names for their 6 cells"),
    (
      #"{"t":[1514851200,1514937600],"o":[1,2],"h":[1],"l":[1,2],"c":[1,2]}"#,
      "h: it has 1 values where there are 2 days"
    ),
    (#"[{"date":1514851200,"close":1},{"date":1514937600000,"close":1}]"#, "are counted in several units"),
    (#"[{"date":0,"close":1},{"date":1514937600000,"close":1}]"#, "are counted in several units"),
    (#"{"a":{"b":1},"c":[1]}"#, "it is an object with 'a', 'c'; what is read are"), ("[]", "it is an empty array; "),
    (#"[[]]"#, "without names"), (#"{"data":[]}"#, "it is an object with 'data'; "),
    (#"[{"a":{}}]"#, "has no column 'date'; its header is 'a'"),
    (#"{"rows":[{"date":"2018-01-02","mood":1}]}"#, "has a date but none of open"),
  ])
  func other_documents_are_refused_with_what_they_are(_ text: String, _ words: String) {
    let message = failure(of: text, as: "FDX.json")
    #expect(message.hasPrefix("FDX.json ") && message.contains(words), "\(message)")
  }

  /// 65, 66 of the log.
  @Test(arguments: [
    (#"{"Note":"Thank you! 5 calls per minute."}"#, "message: Thank you! 5 calls per minute."),
    ("{\n  \"Information\": \"a\\u001b[2Jb\"\n}", "message: a?[2Jb"),
    (#"{"Error Message":"Invalid API call."}"#, "message: Invalid API call."),
    (#"{"error":{"code":429,"message":"Too many requests"}}"#, "error 429: Too many requests"),
    (#"{"error":"no such ticker"}"#, "message: no such ticker"),
    (#"{"status":"error","message":"not found","code":404}"#, "error error: not found"),
    (#"{"status":"ERROR","request_id":"x","error":"Unknown API Key"}"#, "error ERROR: Unknown API Key"),
    (#"{"s":"no_data"}"#, "message: no_data"), (#"{"s":"no_data","nextTime":1428001140}"#, "message: no_data"),
    (#"{"s":"error","errmsg":"bad symbol"}"#, "message: bad symbol"),
    (#"{"detail":"Not found."}"#, "message: Not found."),
    (
      #"{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found"}}}"#,
      "error Not Found: No data found"
    ),
    (#"{"errors":[{"message":"rate limit","type":"x"}]}"#, "message: rate limit"),
    (#"{"quandl_error":{"code":"QELx02","message":"slow down"}}"#, "error QELx02: slow down"),
  ])
  func a_vendors_message_in_place_of_quotes_is_shown(_ text: String, _ words: String) {
    for name in ["FDX.json", "FDX.csv", "FDX.ndjson"] {
      #expect(failure(of: text + "\n", as: name) == "\(name) holds no quotes but the vendor's \(words)")
    }
  }

  /// 60 of the log.
  @Test func a_line_that_names_no_ticker_is_told_once() throws {
    let text = #"{"date":"2018-01-02","close":1}"# + "\n" + #"{"date":"2018-01-03","close":2}"# + "\n"
    #expect(try rows(of: text, as: "FDX.ndjson").map(\.close) == [1, 2])
    #expect(try rows(of: text, as: "a b.ndjson", options: ImportOptions(ticker: "FDX")).map(\.close) == [1, 2])
    #expect(failure(of: text, as: "a b.ndjson").hasPrefix("a b.ndjson does not say whose quotes it holds"))
    #expect(throws: ImportError.noTicker(file: "the text")) { try QuoteBatch(parsing: text.utf8) }
  }

  @Test func rows_are_counted_through_the_whole_text() throws {
    let line = #"{"ticker":"FDX","results":[{"v":1,"o":1,"c":2,"h":4,"l":0.5,"t":1514869200000},{"t":"x","c":1}]}"#
    let bad = try #require(badRows(of: "\(line)\n\(line.replacing("FDX", with: "KO"))\n", as: "all.json"))
    #expect(bad.first.map(\.position) == [.row(2), .row(4)], "\(bad)")
    let lines = #"{"date":"2018-01-02","close":1}"# + "\n" + #"{"date":"x","close":2}"# + "\n"
    #expect(badRows(of: lines, as: "FDX.ndjson")?.first.map(\.position) == [.line(2)])
  }

  @Test(arguments: [
    (#"[{"date":"2018-01-02","close":1},5]"#, "row 2, '5': not an object"),
    (#"[{"date":"2018-01-02","close":1},{"close":5}]"#, "row 2, '': the date is missing"),
    (
      #"[{"date":"2018-01-02","close":1},{"date":true}]"#,
      "row 2, column date, 'true': not a date of the form YYYY-MM-DD"
    ),
    (
      #"[{"date":"2018-01-02","symbol":"FDX","close":1},{"date":"2018-01-03","close":1}]"#,
      "row 2, '': the ticker is missing"
    ),
    (
      #"{"close":{"a":1,"b":2},"date":{"a":"2018-01-02","c":"2018-01-03"}}"#,
      "row 2, 'b': the columns name this row in different ways"
    ),
    (
      #"{"columns":["date","close"],"data":[["2018-01-02",1],["2018-01-03",1,3]]}"#,
      "row 2, '': 3 cells where there are 2 columns"
    ),
    (
      #"[{"date":1514869200000,"close":1},{"date":1514869200000,"close":2}]"#,
      "row 2, column date, '2018-01-02': FDX has this day twice, with different values; the first is row 1"
    ),
  ])
  func bad_rows_are_told_by_their_number(_ text: String, _ expected: String) throws {
    let bad = try #require(badRows(of: text, as: "FDX.json"))
    #expect(bad.count == 1 && bad.description.hasSuffix(expected), "\(bad)")
  }

  // MARK: Faults

  /// 63 of the log.
  @Test(arguments: [
    (
      #"{"dataset":{"data":[["2018-01-02",1],["20"#,
      "it ends in row 2, after byte 41, where the text that begins at byte 38"
    ),
    (
      #"{"results":[{"t":1,"c":2},{"t":2,"#,
      "it ends in row 2, after byte 33, where a name is missing; is it truncated?"
    ),
    (#"[{"t":1},{"t":2},{"t"#, "it ends in row 3, after byte 20, where the text"),
    (#"{"t":[1,2,3"#, "it ends in row 3, after byte 11, where a comma or a closing bracket is missing"),
    (#"{"t":[1,tru"#, "it ends in row 2, after byte 11, where a value breaks off"),
    (#"{"a":1,"#, "it ends after byte 7, where a name is missing"),
    ("[1,\n 2 3]", "line 2, column 4, byte 7: a comma or a closing bracket is missing"),
    ("[1,]", "line 1, column 4, byte 3: ']' is no value of JSON"),
    ("[01]", "line 1, column 2, byte 1: '01' is no value"),
    ("[1.]", "'1.' is no value of JSON"), ("[+1]", "'+1' is no value"), ("[-]", "'-' is no value"),
    ("[--1]", "'--1' is no value"), ("[.5]", "'.5' is no value"), ("[1e]", "'1e' is no value"),
    ("[None]", "'None' is no"),
    ("[-true]", "'-true' is no value"), (#"{a:1}"#, "line 1, column 2, byte 1: a name in quotation marks is missing"),
    (#"{"a" 1}"#, "a colon is missing"),
    (#"["\x"]"#, "line 1, column 3, byte 2: a backslash begins nothing that JSON knows"),
    (#"["\u12G4"]"#, "a backslash begins nothing"),
    ("[\"a\nb\"]", "a text has a line break or another control character"),
    (#"{"a":1}]"#, "line 1, column 8, byte 7: ']' is no value of JSON"),
    ("[1}", "a comma or a closing bracket is missing"),
    (String(repeating: "[", count: 101), "line 1, column 101, byte 100: more than 100 levels"),
    (String(repeating: "[", count: 2_000_000), "more than 100 levels"),
  ])
  func faults_are_told_with_their_places(_ text: String, _ expected: String) {
    let options = ImportOptions(format: .json)
    let message = failure(of: text, as: "FDX.json", options: options)
    #expect(
      message.hasPrefix("FDX.json is not valid JSON: \(expected)") || message.contains(": \(expected)"), "\(message)")
    #expect(message.hasPrefix("FDX.json is not valid JSON: "))
  }

  @Test func escapes_are_decoded() {
    for (text, expected) in [
      (#"a\"\\\/\b\f\n\r\t"#, "a\"\\/\u{8}\u{c}\n\r\t"), (#"\u00e9\u20AC\uD83D\uDE00x"#, "é€😀x"),
      (#"\uD83D"#, "\u{FFFD}"), (#"\uDE00\uD83Dy"#, "\u{FFFD}\u{FFFD}y"), (#"\uD83D\n"#, "\u{FFFD}\n"), ("", ""),
      (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}😀"),
    ] {
      let decoded = TextView.with("\"\(text)\"") { JSONNode($0, at: 0).string }
      #expect(decoded == expected, "\(text)")
    }
  }

  // MARK: Random documents

  static func value(_ random: inout TestGenerator, levels: Int) -> String {
    let names = [
      "date", "close", "o", "h", "l", "c", "t", "symbol", "data", "dataset", "columns", "meta", "1. open", "AAA",
    ]
    let cells = [
      "1", "-2.5e3", "null", "true", "NaN", "\"x\"", "\"2018-01-02\"", "1514851200", "1514851200000", "\"A\\u0041\"",
      "-inf",
      "99999999999999999999999999", "1e999", "\"\"", "0", "\"FDX\"",
    ]
    let kind = Int.random(in: 0...4, using: &random)
    if levels == 0 || kind == 0 { return cells.randomElement(using: &random) ?? "0" }
    let count = Int.random(in: 0...4, using: &random)
    let inner = (0..<count).map { _ in value(&random, levels: levels - 1) }
    if kind < 3 { return "[\(inner.joined(separator: ", "))]" }
    return "{\(inner.map { "\"\(names.randomElement(using: &random) ?? "")\":\($0)" }.joined(separator: ","))}"
  }

  /// Reads a text as any file would be; what is wrong with it is an error.
  private func read(_ text: [UInt8]) {
    for format in [nil, QuoteFormat.json, .ndjson] {
      var options = ImportOptions(format: format, ticker: "FDX", skipsBadRows: true)
      options.threads = 1
      do { _ = try QuoteBatch(parsing: text, options: options) } catch { _ = error.description }
    }
  }

  @Test func random_documents_never_trap() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = TestGenerator(seed: seed)
    print("random documents: seed \(seed)")
    for _ in 0..<1500 {
      let text = Self.value(&random, levels: Int.random(in: 0...6, using: &random))
      read(Array(text.utf8))
      if TextView.with(
        text,
        { text in
          var checker = JSONChecker(text)
          return (try? checker.checkAll()) != 1
        })
      {
        Issue.record("seed \(seed): \(text)")
      }
    }
  }

  @Test func damaged_documents_never_trap() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = TestGenerator(seed: seed)
    print("damaged documents: seed \(seed)")
    for form in Self.forms {
      for _ in 0..<30 {
        var bytes = Array(form.text.utf8)
        if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          let mark = Array("\"\\{}[],:0-".utf8).randomElement(using: &random)
          let flipped = bytes[index] ^ 1 << UInt8.random(in: 0...7, using: &random)
          bytes[index] = Bool.random(using: &random) ? flipped : mark ?? 0
        }
        read(bytes)
      }
    }
  }

  @Test func each_beginning_of_a_document_is_refused_as_truncated() {
    let form = Self.forms[0].text.utf8
    for count in 1..<(form.count - 1) {
      let text = String(decoding: form.prefix(count), as: UTF8.self)
      let message = failure(of: text, options: ImportOptions(format: .json))
      #expect(message.contains("; is it truncated?"), "\(count): \(message)")
    }
  }
}
