import Testing

@testable import Quoin

/// Lines, encodings and tables as people have them. The numbers are those of a log of other people's files.
@Suite struct LayoutFormTests {
  private static let header = "Date,Open,High,Low,Close,Volume\n"
  private static let line = "2024-01-19,1,2,0.5,1.5,10"
  private static let row = "FDX 2024-01-19 1 2 0.5 1.5 10"
  private static let later = "FDX 2024-01-22 1 2 0.5 1.6 11"

  private static let read: [FormCase] = [
    FormCase(
      "99 a disclaimer", "Historical prices of U\n\nAs of today, without liability\n\(header)\(line)\n", rows: [row]),
    FormCase(
      "99 lines that the caller counts", "Date,Open\nnonsense\n\(header)\(line)\n", { $0.skippedLineCount = 2 },
      rows: [row]),
    FormCase("101 comments", "# Data from X\n# Date,Close\n\(header)\(line)\n", rows: [row]),
    FormCase(
      "101 comments of another kind", "// Data, from X\n// Open, Close, Date\n\(header)\(line)\n",
      { $0.comment = "//" }, rows: [row]),
    FormCase("102 Excel's sep", "sep=;\nDate;Open;High;Low;Close;Volume\n2024-01-19;1;2;0,5;1,5;10\n", rows: [row]),
    FormCase("103 a footer", "\(header)\(line)\n\nData provided by Example Markets Ltd\n", rows: [row]),
    FormCase("103 a footer with commas", "\(header)\(line)\n\"Source: A, B\",,\nSource: A, B\n", rows: [row]),
    FormCase("103 a number", "\(header)\(line)\n4711\n", rows: [row]),
    FormCase("104 repeated headers", "\(header)\(line)\n\(header)2024-01-22,1,2,0.5,1.6,11\n", rows: [row, later]),
    FormCase(
      "104 repeated headers of three lines",
      "Price,Close,Volume\nTicker,FDX,FDX\nDate,,\n2024-01-19,1.5,10\nPrice,Close,Volume\nTicker,FDX,FDX\nDate,,\n2024-01-22,1.6,11\n",
      rows: ["FDX 2024-01-19 - - - 1.5 10", "FDX 2024-01-22 - - - 1.6 11"]),
    FormCase("106 bars", "Date|Open|High|Low|Close|Volume\n2024-01-19|1|2|0.5|1.5|10\n", rows: [row]),
    FormCase("106 spaces", "Date  Open High Low Close   Volume\n2024-01-19 1 2 0.5 1.5 10\n", rows: [row]),
    FormCase(
      "106 a sign that the caller says", "Date~Open~High~Low~Close~Volume\n2024-01-19~1~2~0.5~1.5~10\n",
      { $0.delimiter = "~" }, rows: [row]),
    FormCase(
      "107 line breaks in quotation marks",
      "Date,Close,Note\n2024-01-19,1.5,\"first\nsecond, \"\"third\"\"\"\n2024-01-22,1.6,x\n",
      rows: ["FDX 2024-01-19 - - - 1.5 -", "FDX 2024-01-22 - - - 1.6 -"]),
    FormCase(
      "109 AmiBroker",
      "$FORMAT Ticker,Date_YMD,Open,High,Low,Close,Volume\n$SEPARATOR ,\nFDX,20240119,1,2,0.5,1.5,10\n", name: "x.txt",
      rows: [row]),
    FormCase(
      "109 AmiBroker, the day first", "$FORMAT Date_DMY, Close\n$SEPARATOR ;\n01-02-2024;1.25\n",
      rows: ["FDX 2024-02-01 - - - 1.25 -"]),
    FormCase(
      "109 Ledger", "P 2024-01-18 00:00:00 FDX $41.93\nP 2024/01/19 \"FDX\" 42.88 USD\n; P 2024-01-22 FDX $1\n",
      name: "x.db", rows: ["FDX 2024-01-18 - - - 41.93 -", "FDX 2024-01-19 - - - 42.88 -"]),
    FormCase(
      "109 Beancount", "; prices\n2024-01-19 price FDX 42.88 USD\n2024-01-20 open Assets:Cash USD\n",
      name: "x.beancount", rows: ["FDX 2024-01-19 - - - 42.88 -"]),
    FormCase(
      "111 tickers beside each other",
      "Price,Close,Close,Volume,Volume\nTicker,AAA,BBB,AAA,BBB\nDate,,,,\n2024-01-18,1,2,100,200\n2024-01-19,,3,,300\n",
      rows: ["AAA 2024-01-18 - - - 1 100", "BBB 2024-01-18 - - - 2 200", "BBB 2024-01-19 - - - 3 300"]),
    FormCase(
      "111 by ticker", "Ticker,AAA,AAA,BBB,BBB\nPrice,Open,Close,Open,Close\nDate,,,,\n2024-01-18,1,2,3,4\n",
      rows: ["AAA 2024-01-18 1 - - 2 -", "BBB 2024-01-18 3 - - 4 -"]),
    FormCase(
      "112 a matrix of closes", "Date,AAA,BBB\n2024-01-18,1,2\n2024-01-19,,3\n", { $0.wideAttribute = .close },
      rows: ["AAA 2024-01-18 - - - 1 -", "BBB 2024-01-18 - - - 2 -", "BBB 2024-01-19 - - - 3 -"]),
    FormCase(
      "114 carriage returns", "Date,Open,High,Low,Close,Volume\r2024-01-19,1,2,0.5,1.5,10\r2024-01-22,1,2,0.5,1.6,11\r",
      rows: [row, later]),
    FormCase("117 Ctrl-Z", "\(header)\(line)\n\u{1A}", rows: [row]),
    FormCase("118 two marks", "\u{FEFF}\u{FEFF}\(header)\(line)\n", rows: [row]),
    FormCase("46 commas at the end", "\(header)\(line),\n2024-01-22,1,2,0.5,1.6,11,,\n", rows: [row, later]),
    FormCase(
      "169 rows that end early", "\(header)2024-01-18,1,2,0.5,1.5\n\(line)\n",
      rows: ["FDX 2024-01-18 1 2 0.5 1.5 -", row]),
    FormCase("170 a line of units", "\(header),USD,USD,USD,USD,shares\n\(line)\n", rows: [row]),
    FormCase(
      "a line of dashes",
      "Date|Open|High|Low|Close|Volume\n----|----|----|---|-----|------\n2024-01-19|1|2|0.5|1.5|10\n", rows: [row]),
    FormCase("lines of commas", "\(header)\(line)\n,,,,,\n2024-01-22,1,2,0.5,1.6,11\n", rows: [row, later]),
    FormCase(
      "81 MetaTrader 4", "2024.01.19,00:00,1.4105,1.4130,1.4068,1.4099,52345\n2024.01.22,00:00,1.4,1.5,1.3,1.4,1\n",
      rows: ["FDX 2024-01-19 1.4105 1.413 1.4068 1.4099 52345", "FDX 2024-01-22 1.4 1.5 1.3 1.4 1"]),
    FormCase(
      "MetaStock", "FDX,20240119,25,25.9,24.3,25.1,33221\n", name: "x.txt",
      rows: ["FDX 2024-01-19 25 25.9 24.3 25.1 33221"]),
  ]

  @Test(arguments: read) func tables_are_found_among_other_lines(_ form: FormCase) { form.check() }

  private static let refused: [FormCase] = [
    FormCase(
      "193 another order", "\(header)\(line)\nDate,Close,High,Low,Open,Volume\n2024-01-22,1,2,0.5,1.6,11\n",
      refused: "line 3, is the header of another table"),
    FormCase(
      "192 another ticker",
      "Price,Close,Volume\nTicker,AAA,AAA\nDate,,\n2024-01-18,11,100\nPrice,Close,Volume\nTicker,BBB,BBB\nDate,,\n2024-01-19,21,200\n",
      refused: "line 6, is the header of another table"),
    FormCase(
      "another header, skipped", "\(header)\(line)\nDate,Close,High,Low,Open,Volume\n2024-01-22,1,2,0.5,1.6,11\n",
      { $0.skipsBadRows = true }, refused: "is the header of another table"),
    FormCase(
      "a line among the rows", "\(header)\(line)\nBBB\n2024-01-22,1,2,0.5,1.6,11\n",
      refused: "line 3, 'BBB': not a row, and rows follow it"),
    FormCase(
      "a row that is cut off", "\(header)\(line)\n2024-01-22,1,2,0.5", refused: "4 cells where the header has 6"),
    FormCase(
      "45 thousands without quotation marks", "Date,Close\n2024-01-19,1,234.50\n",
      refused: "3 cells where the header has 2"),
    FormCase("142 a message", "Too Many Requests\r\n", refused: "holds no table but a message: Too Many Requests"),
    FormCase("143 a page", "\r\n<HTML>\r\n<head>", refused: "is a web page"),
    FormCase("112 without being said", "Date,AAA,BBB\n2024-01-18,1,2\n", refused: "has a date but none of open"),
    FormCase("no table", "nothing here\nor there\n", refused: "has no column 'date'"),
  ]

  @Test(arguments: refused) func what_is_no_row_is_never_taken_for_one(_ form: FormCase) { form.check() }

  @Test(arguments: [false, true], [false, true]) func utf_16_is_read(_ isBigEndian: Bool, _ hasMark: Bool) throws {
    let text = "Date\tOpen\tClose\tÜbrig\r\n2024-01-19\t1.5\t2.5\t😀\r\n"
    let units = Array((hasMark ? "\u{FEFF}" : "").utf16) + Array(text.utf16)
    var bytes: [UInt8] = []
    for unit in units {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      bytes += isBigEndian ? [high, low] : [low, high]
    }
    for readByteCount in [1, 3, 1 << 18] {
      let folder = TemporaryDirectory()
      let path = try folder.write(bytes, as: "FDX.csv")
      var sink = MemorySink()
      _ = try QuoteImporter(tuning: ImportTuning(readByteCount: readByteCount)).importFiles([path], into: &sink)
      #expect(sink.rows("FDX").map(\.open) == [1.5] && sink.rows("FDX").map(\.close) == [2.5])
    }
  }

  @Test func utf_32_is_named() throws {
    let bytes: [UInt8] = Array("date,close".utf8.map { [$0, 0, 0, 0] }.joined())
    let folder = TemporaryDirectory()
    let path = try folder.write(bytes, as: "FDX.csv")
    var sink = MemorySink()
    let error = #expect(throws: ImportError.self) { try QuoteImporter().importFiles([path], into: &sink) }
    #expect(error?.description.contains("is text in UTF-32") == true)
  }

  @Test func what_was_passed_over_is_told() throws {
    var sink = MemorySink()
    let text =
      "A title\n\(Self.header)\(Self.line)\n\(Self.header)2024-01-22,1,2,0.5,1.6\n,,,,,\n2024-01-23,1,2,0.5,1.5,10\nThe end\n"
    let notes = try importText(text, into: &sink).notes.map(\.text)
    for words in [
      "a line before the header was passed over: 'A title'", "1 line repeats the header", "1 row ends early",
      "1 line has no cells", "'The end'",
    ] {
      #expect(notes.contains { $0.contains(words) }, "\(words): \(notes)")
    }
  }

  @Test(arguments: [1, 7, 64]) func lines_are_counted_through_line_breaks_in_cells(_ readByteCount: Int) throws {
    let text = "Date,Note,Close\n2024-01-19,\"a\nb\",1\n2024-01-22,\"c\n\nd\",2\n2024-01-23,x,bad\n"
    let bad = try #require(badRows(of: text, tuning: ImportTuning(readByteCount: readByteCount)))
    #expect(bad.first.map(\.position) == [.line(7)], "\(bad)")
  }

  @Test(arguments: [
    ("daily_IBM.csv", "IBM"), ("^spx_d.csv", "^SPX"), ("cdr_d.csv", "CDR"), ("7203.jp.txt", "7203.JP"),
    ("AAPL_2020-01-01_2020-12-31.csv", "AAPL"),
    ("msft-20240119.csv", "MSFT"), ("eod_brk.b.json", "BRK.B"), ("BTC-USD.csv", "BTC-USD"), ("ALL.csv", "ALL"),
    ("7203_jp_d.csv", "7203.JP"), ("aapl_us_d.csv", "AAPL"), ("aapl.us.txt", "AAPL"), ("WSJ-AAPL.csv", "AAPL"),
    ("IBM_kibot.txt", "IBM"), ("AAPL_full_1day_adjsplitdiv.txt", "AAPL"), ("STOCK_US_XNAS_AAPL.csv", "AAPL"),
    ("VIX_History.csv", "VIX"), ("AIR_PA_euronext.csv", "AIR_PA"), ("BTCUSDT-1d-2024-01.csv", "BTCUSDT"),
    ("aapl_daily_historical-data-01-20-2024.csv", "AAPL"), ("BRK_B.csv", "BRK_B"), ("CME_CL1.csv", "CME_CL1"),
    ("500325_bse.csv", "500325"), ("FDX (2).csv", "FDX"), ("alpha-NVDA-prices.csv", "ALPHA-NVDA"),
    ("yahoo_jp_7203.csv", "JP_7203"), ("Quote-Equity-RELIANCE-EQ-19-01-2023-to-19-01-2024.csv", "RELIANCE"),
    ("DAT_ASCII_EURUSD_D1.csv", "EURUSD"), ("reliance.csv", "RELIANCE"), ("A.csv", "A"), ("NEW.csv", "NEW"),
    ("BTC-USD-SWAP.csv", "BTC-USD-SWAP"),
  ])
  func names_of_files_say_tickers(_ name: String, _ ticker: String) throws {
    #expect(try TickerSymbol(fileName: name).description == ticker)
  }

  @Test(arguments: [
    "data.csv", "prices.csv", "HistoricalData_1700000000000.csv", "stock_prices (2).csv", "download.csv",
    "Historical Prices.csv", "export-2024.csv", "google_finance.csv", "bloomberg.csv", "my-list-of-shares.csv",
    "us-shares-prices-daily.csv", "table (1).csv", "yahoo-prices.csv",
  ])
  func names_that_say_what_a_file_holds_say_no_ticker(_ name: String) {
    #expect(throws: ImportError.self) { try TickerSymbol(fileName: name) }
  }
}
