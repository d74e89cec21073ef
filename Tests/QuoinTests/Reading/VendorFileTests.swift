import Testing

@testable import Quoin

/// Files in the forms of those who give away quotes.
@Suite struct VendorFileTests {
  private func quotes(
    _ text: String, _ name: String = "FDX.csv", _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> [DailyQuoteSummary] {
    var options = ImportOptions()
    change(&options)
    var sink = MemorySink()
    _ = try importText(text, as: name, options: options, into: &sink)
    return sink.quotes.keys.sorted().flatMap { sink.rows($0) }
  }

  /// The same day of FDX in each form, as far as the form has it.
  private static let forms: [(name: String, file: String, text: String)] = [
    (
      "Quandl EOD", "EOD-FDX.csv",
      "Date,Open,High,Low,Close,Volume,Dividend,Split,Adj_Open,Adj_High,Adj_Low,Adj_Close,Adj_Volume\n"
        + "2018-01-02,1,4,0.5,2,300,0.25,1.0,1,4,0.5,2,300.0\n"
    ),
    (
      "yfinance", "FDX.csv",
      "Date,Open,High,Low,Close,Volume,Dividends,Stock Splits\n2018-01-02 00:00:00-05:00,1,4,0.5,2,300,0.25,0.0\n"
    ),
    (
      "yfinance, several lines", "download.csv",
      "Price,Adj Close,Close,High,Low,Open,Volume\nTicker,FDX,FDX,FDX,FDX,FDX,FDX\nDate,,,,,,\n2018-01-02,2,2,4,0.5,1,300\n"
    ),
    (
      "yfinance, several lines without names", "download.csv",
      ",Close,High,Low,Open,Volume\n,FDX,FDX,FDX,FDX,FDX\nDate,,,,,\n2018-01-02,2,4,0.5,1,300\n"
    ),
    ("Yahoo", "FDX.csv", "Date,Open,High,Low,Close,Adj Close,Volume\n2018-01-02,1,4,0.5,2,2,300\n"),
    (
      "Quandl WIKI", "WIKI-FDX.csv",
      "Date,Open,High,Low,Close,Volume,Ex-Dividend,Split Ratio,Adj. Open,Adj. High,Adj. Low,Adj. Close,Adj. Volume\n"
        + "2018-01-02,1,4,0.5,2,300,0.25,1.0,1,4,0.5,2,300.0\n"
    ),
    (
      "Kaggle, all stocks of five years", "all.csv",
      "date,open,high,low,close,volume,Name\n2018-01-02,1,4,0.5,2,300,FDX\n"
    ),
    ("Kaggle, a file for each stock", "FDX_data.csv", "date,open,high,low,close,volume\n2018-01-02,1,4,0.5,2,300\n"),
    ("Stooq, one stock from the site", "fdx_us_d.csv", "Date,Open,High,Low,Close,Volume\n2018-01-02,1,4,0.5,2,300\n"),
    (
      "Alpha Vantage", "FDX.csv",
      "timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient\n"
        + "2018-01-02,1,4,0.5,2,2,300,0.25,1.0\n"
    ),
    (
      "Tiingo", "FDX.csv",
      "date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor\n"
        + "2018-01-02T00:00:00.000Z,2,4,0.5,1,300,2,4,0.5,1,300,0.25,1.0\n"
    ),
    ("Stooq, one stock", "fdx.us.txt", "Date,Open,High,Low,Close,Volume,OpenInt\n2018-01-02,1,4,0.5,2,300,0\n"),
    (
      "Stooq, many", "d_us.txt",
      "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\nFDX,D,20180102,000000,1,4,0.5,2,300,0\n"
    ),
    (
      "plotly", "all.csv",
      "Stock,Date,Open,High,Low,Close,Volume,ExDividend,SplitRatio,AdjOpen,AdjHigh,AdjLow,AdjClose,AdjVolume\n"
        + "FDX,2018-01-02,1,4,0.5,2,300,0.25,1,1,4,0.5,2,300\n"
    ),
    (
      "a name too", "all.csv",
      "Symbol,Name,Date,Open,High,Low,Close,Volume\nFDX,Fedex Corp,2018-01-02,1,4,0.5,2,300\n"
    ),
    ("semicolons", "FDX.csv", "Date;Open;High;Low;Close;Volume\n2018/01/02;1,0;4,00;0,5;2;300\n"),
    ("tabs", "FDX.tsv", "Date\tOpen\tHigh\tLow\tClose\tVolume\n2-Jan-18\t1\t4\t0.5\t2\t300\n"),
    (
      "texts in JSON", "FDX.json",
      #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Open","High","Low","Close","Volume"],"#
        + #""data":[["2018-01-02","1","4.0","0.5",2,"300"]]}}"#
    ),
    (
      "texts in NDJSON", "all.ndjson",
      #"{"ticker":"FDX","date":"2018-01-02","open":"1","high":"4","low":"0.5","close":2,"volume":"300"}"# + "\n"
    ),
  ]

  @Test(arguments: forms.indices)
  func each_vendors_form_is_read(_ index: Int) throws {
    let (name, file, text) = Self.forms[index]
    let quote = try #require(quotes(text, file).first, "\(name)")
    #expect(quote.ticker == "FDX" && quote.date == "2018-01-02", "\(name)")
    #expect([quote.open, quote.high, quote.low, quote.close] == [1, 4, 0.5, 2] && quote.volume == 300, "\(name)")
    let hasActions = ["div", "divid"].contains { text.lowercased().contains($0) }
    #expect(quote.exDividend == (hasActions ? 0.25 : nil) && quote.splitRatio == (hasActions ? 1 : nil), "\(name)")
    if text.lowercased().contains("adj") { #expect(quote.adjustedClose == 2, "\(name)") }
  }

  @Test func quandls_file_of_a_whole_database_has_no_header() throws {
    let row = "FDX,2018-01-02,1.0,4.0,0.5,2.0,300.0,0.25,1.0,,4.0,0.5,2.0,300.0"
    let found = try quotes("\n\(row)\n\(row.replacing("01-02", with: "01-03"))\n", "WIKI_20180327.csv")
    let quote = DailyQuoteSummary(
      ticker: "FDX", date: "2018-01-02", open: 1, high: 4, low: 0.5, close: 2, volume: 300, exDividend: 0.25,
      splitRatio: 1, adjustedHigh: 4, adjustedLow: 0.5, adjustedClose: 2, adjustedVolume: 300)
    #expect(found.first == quote && found.map(\.date) == ["2018-01-02", "2018-01-03"])
    // A mistake is found in its line, and nothing else is taken for such a file.
    #expect(throws: ImportError.self) { try quotes("\(row)\n\(row.replacing("0.25", with: "x"))\n") }
    #expect(try quotes("\u{FEFF}\(row)\n").first == quote)
    for text in [row + ",1", row.replacing("2018-01-02", with: "x"), row.replacing("4.0", with: "x")] {
      let error = #expect(throws: ImportError.self, "\(text)") { try quotes(text + "\n") }
      let isToldApart = ["has no header", "has no column 'date'"].contains { error?.description.contains($0) == true }
      #expect(isToldApart, "\(text)")
    }
  }

  @Test func what_a_column_holds_can_be_said() throws {
    let text = "Day,Last,Close,Isin\n2018-01-02,2,3,fdx\n"
    let found = try quotes(text, "all.csv") { $0.columnUses = ["Last": .attribute(.close), "Isin": .ticker] }
    #expect(found == [DailyQuoteSummary(ticker: "FDX", date: "2018-01-02", close: 2)])
    // pandas gives the index no name.
    let index = ",close\n2018-01-02,2\n"
    #expect(try quotes(index) { $0.columnUses = ["(unnamed)": .date] }.first?.close == 2)
    #expect(throws: ImportError.noSuchColumn("last")) {
      try quotes(text, "FDX.csv") { $0.columnUses = ["last": .attribute(.close)] }
    }
    let lines = #"{"ticker":"FDX","date":"2018-01-02","last":2}"#
    #expect(try quotes(lines, "all.ndjson") { $0.columnUses = ["last": .attribute(.open)] }.first?.open == 2)
    let document = #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Last"],"data":[["2018-01-02",2]]}}"#
    #expect(try quotes(document, "a.json") { $0.columnUses = ["Last": .attribute(.low)] }.first?.low == 2)
  }

  @Test func a_file_may_have_no_header() throws {
    let found = try quotes("2018-01-02,1,2\n2018-01-03,3,4\n") { $0.columnNames = ["date", "open", "close"] }
    #expect(found.map(\.open) == [1, 3] && found.map(\.close) == [2, 4])
  }

  // MARK: Days

  @Test(arguments: [
    "2018-01-02", "2018-01-02T00:00:00Z", "2018-01-02 00:00:00", "2018-01-02 16:00:00-05:00", "20180102", "2018/01/02",
    "2018/1/2", "2018-1-2", "2-Jan-18", "02-Jan-2018", "2 January 2018", "2018-01-02T05:00:00.000+02:00",
  ])
  func days_are_read_in_many_forms(_ text: String) throws {
    // Twice, because the second is read by what is remembered of the first.
    let rows = try quotes("date,close\n\(text),1\n\(text.replacing("2", with: "3", maxReplacements: 0)),1\n")
    #expect(rows.map(\.date) == ["2018-01-02"])
  }

  @Test(arguments: [
    "201801", "2018010", "201801021", "2018-010", "2018/01-02", "2-Foo-18", "1/2/3/2018", "18-01-02x",
    "2018-01-02x",
    "2018-0102", "1/2",
  ])
  func other_texts_are_no_days(_ text: String) throws {
    let bad = try #require(badRows(of: "date,close\n2018-01-05,1\n20180106,1\n\(text),1\n"), "\(text)")
    #expect(bad.count == 1 && bad.first[0].position == .line(4), "\(bad)")
  }

  @Test func compact_days_are_read_like_others_whatever_came_before() throws {
    var text = "date,close\n"
    let days = (0..<1500).compactMap { TradingDay(daysSince1970: 17_000 + $0) }
    for (index, day) in days.enumerated() {
      let iso = "\(day)"
      text += (index % 7 == 3 ? iso : iso.replacing("-", with: "")) + ",\(index)\n"
    }
    let rows = try quotes(text)
    #expect(rows.map(\.date) == days && rows.compactMap(\.close) == days.indices.map(Double.init))
  }

  @Test func the_whole_file_says_which_of_two_readings_is_right() throws {
    #expect(try quotes("date,close\n1/2/2018,1\n1/13/2018,2\n").map(\.date) == ["2018-01-02", "2018-01-13"])
    #expect(try quotes("date,close\n1/2/2018,1\n13/2/2018,2\n").map(\.date) == ["2018-02-01", "2018-02-13"])
    #expect(try quotes("x,date,close\n0,1/1/18,1\n1,2/2/18,2\n").map(\.date) == ["2018-01-01", "2018-02-02"])
    let ambiguous =
      "FDX.csv has dates such as 1/2/2018, which can be 2018-01-02 or 2018-02-01; say which one with a date format"
    #expect(failure(of: "date,close\n1/2/2018,1\n3/4/2018,2\n").hasPrefix(ambiguous))
    let mixed = try #require(badRows(of: "date,close\n1/13/2018,1\n13/1/2018,2\n"))
    #expect(mixed.count == 2 && mixed.first[0].reason.contains("need a date format"))
  }

  @Test func a_date_format_decides() throws {
    let text = "date,close\n1/2/2018,1\n3/4/2018,2\n"
    #expect(try quotes(text) { $0.dateFormat = DatePattern("%d/%m/%Y") }.map(\.date) == ["2018-02-01", "2018-04-03"])
    #expect(try quotes(text) { $0.dateFormat = DatePattern("%m/%d/%Y") }.map(\.date) == ["2018-01-02", "2018-03-04"])
    let bad = "date,close\n2018-01-02,1\n"
    #expect(
      failure(
        of: bad,
        options: {
          var options = ImportOptions()
          options.dateFormat = DatePattern("%d.%b.%y")
          return options
        }()
      )
      .contains("not a date of the form %d.%b.%y"))
    for pattern in ["", "%Y", "%Y-%m", "%Y%m%d%d", "%Y-%q-%d", "%"] {
      #expect(DatePattern(pattern) == nil, "\(pattern)")
    }
  }
}
