import Testing

@testable import Quoin

@Suite struct CSVImportTests {
  /// The lines of these files are read without asking each column what it holds, also if other attributes follow.
  @Test func the_columns_of_a_wiki_file_are_known_by_heart() throws {
    let wiki =
      "ticker,date,open,high,low,close,volume,ex-dividend,split_ratio,adj_open,adj_high,adj_low,adj_close,adj_volume"
    let all = "ticker,date," + Attribute.allCases.map(\.wikiName).joined(separator: ",")
    for (text, isWIKI) in [(wiki, true), (all, true), (wiki + ",mood", true), ("ticker,date,open,high", false)] {
      let header = try TextView.with(text) { try CSVHeader($0, file: "a test") }
      #expect(CSVRowParser(header: header, file: "a test", lineByteCountMax: 1 << 20).isWIKI == isWIKI, "\(text)")
    }
  }

  /// A fast look at a number ends after some bytes, wherever the number ends; the last one ends with the text.
  @Test(arguments: 0...60) func numbers_of_any_length_are_read(_ zeroCount: Int) throws {
    let zeros = String(repeating: "0", count: zeroCount)
    let text = "ticker,date,close,volume\nFDX,2005-10-14,87.6\(zeros),1\nFDX,2005-10-17,\(zeros)87.6,\(zeros)2"
    for end in ["", "\n", "\r\n"] {
      let found = try rows(of: text + end, as: "all.csv")
      #expect(found.map(\.close) == [87.6, 87.6] && found.map(\.volume) == [1, 2])
    }
  }

  @Test func the_bulk_form_is_read() throws {
    #expect(try rows(of: "\(wikiHeader)\nFDX,\(fedExCells)\n", as: "all.csv") == [fedExRow])
  }

  @Test func the_dataset_form_takes_its_ticker_from_the_file_name() throws {
    let header = "Date," + Attribute.allCases.map(\.datasetName).joined(separator: ",")
    #expect(try rows(of: "\(header)\n\(fedExCells)", as: "WIKI-FDX.csv") == [fedExRow])
  }

  @Test func the_form_of_yahoo_is_read() throws {
    let text = "Date,Open,High,Low,Close,Adj Close,Volume\n2005-10-14,86.9,87.7,85.96,87.6,81.5,1373400\n"
    let expected = DailyQuoteSummary(
      ticker: "FDX", date: "2005-10-14", open: 86.9, high: 87.7, low: 85.96, close: 87.6, volume: 1_373_400,
      adjustedClose: 81.5)
    #expect(try rows(of: text) == [expected])
  }

  @Test func the_form_with_a_name_column_is_read() throws {
    let text = "date,open,high,low,close,volume,Name\n2013-02-08,15.07,15.12,14.63,14.75,8407500,FDX\n"
    let row = try #require(try rows(of: text, as: "all.csv").first)
    #expect(row.close == 14.75 && row.volume == 8_407_500)
  }

  @Test func columns_that_are_no_attribute_are_passed_over_and_named_once() throws {
    var sink = MemorySink()
    let text = "Date,Open,OpenInt,Close\n2005-10-14,1,junk,2\n2005-10-17,1,0,2\n"
    let summary = try importText(text, into: &sink)
    #expect(summary.ignoredColumns == ["OpenInt"] && summary.rowCount == 2)
  }

  @Test(arguments: [
    "\u{FEFF}date,close\r\n2005-10-14,87.6\r\n",
    "\"date\",\"close\"\n\"2005-10-14\",\"87.6\"",
    " Date , Close \n 2005-10-14 , 87.6 \n",
    "date\tclose\n2005-10-14\t87.6\n",
    "\n\r\ndate,close\n\n  \n2005-10-14,87.6\n\r\n\n",
    "DATE,CLOSE\n2005-10-14T00:00:00,87.6",
    "date,close\n2005-10-14T00:00:00.000Z,8.76e1",
    "\u{FEFF}\"Date\",\" Close\"\n\"2005-10-14\" , \"87.6\"\n",
  ])
  func spellings_of_one_file_are_one_row(_ text: String) throws {
    #expect(try rows(of: text) == [DailyQuoteSummary(ticker: "FDX", date: "2005-10-14", close: 87.6)])
  }

  @Test func missing_cells_are_nil() throws {
    let text = "date,open,high,low,close,volume,ex-dividend\n2001-09-12,,null,-,NaN,n/a,0\n"
    #expect(try rows(of: text) == [DailyQuoteSummary(ticker: "FDX", date: "2001-09-12", exDividend: 0)])
  }

  @Test func a_header_alone_is_no_rows() throws {
    var sink = MemorySink()
    let summary = try importText(wikiHeader, into: &sink)
    #expect(summary.rowCount == 0 && summary.changedNothing && sink.upsertCount == 0)
  }

  @Test func negative_and_zero_prices_are_legal() throws {
    let row = try #require(try rows(of: "date,open,low,close\n2020-04-20,0,-40.32,-37.63\n").first)
    #expect(row.open == 0 && row.low == -40.32 && row.close == -37.63)
  }

  @Test(arguments: [
    ("2005-10-14,14%,1", "line 2, column close, '14%': not a number"),
    ("2005-10-14,129.40Kg,1", "line 2, column close, '129.40Kg': not a number"),
    ("2005-10-14,1,\"4,787,69\"", "line 2, column volume, '4,787,69': not a number"),
    ("2005-10-14,1,4,787,699", "line 2, '2005-10-14,1,4,787,699': 5 cells where the header has 3"),
    ("2005-10-14", "line 2, '2005-10-14': 1 cell where the header has 3"),
    ("2005-10-14,1,2,3", "line 2, '2005-10-14,1,2,3': 4 cells where the header has 3"),
    ("14 10 2005,1,2", "line 2, column date, '14 10 2005': not a date of the form YYYY-MM-DD"),
    ("2005101,1,2", "line 2, column date, '2005101': not a date of the form YYYY-MM-DD"),
    ("2005-10-14x,1,2", "line 2, column date, '2005-10-14x': not a date of the form YYYY-MM-DD"),
    ("2005-02-29,1,2", "line 2, column date, '2005-02-29': the calendar has no such day"),
    ("2005-13-01,1,2", "line 2, column date, '2005-13-01': the calendar has no such day"),
    ("2005-10-00,1,2", "line 2, column date, '2005-10-00': the calendar has no such day"),
    (",1,2", "line 2, column date, '': the date is missing"),
    ("2005-10-14,inf,2", "line 2, column close, 'inf': not a number"),
    ("2005-10-14,1e999,2", "line 2, column close, '1e999': too large for float64"),
    ("2005-10-14,1,-5", "line 2, column volume, '-5': a volume below zero"),
    ("2005-10-14,1,-2.5", "line 2, column volume, '-2.5': a volume below zero"),
    (
      "2005-10-14,1,99999999999999999999",
      "line 2, column volume, '99999999999999999999': more than 9223372036854775807 shares"
    ),
    ("2005-10-14,\"1,2", "line 2, column close, '\"1': not a number"),
    ("2005-10-14,\u{1B}[31mred,2", "line 2, column close, '?[31mred': not a number"),
    (
      "2005-10-14,aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee,2",
      "line 2, column close, 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd': not a number"
    ),
  ])
  func dirty_rows_are_told_by_line_column_value_and_reason(_ line: String, _ expected: String) throws {
    let good = "2005-10-17,1,2"
    let bad = try #require(badRows(of: "date,close,volume\n\(line)\n\(good)\n"))
    #expect(bad.count == 1)
    #expect(bad.first.first?.description.hasSuffix("/FDX.csv, \(expected)") == true, "\(bad)")
  }

  @Test func a_bad_ticker_is_a_bad_row() throws {
    let bad = try #require(badRows(of: "ticker,date,close\nA/B,2005-10-14,1\n,2005-10-14,1\n", as: "all.csv"))
    #expect(bad.count == 2 && bad.first.map(\.column) == ["ticker", "ticker"])
  }

  @Test(arguments: [
    ("open,close\n1,2\n", "FDX.csv has no column 'date'; its header is 'open,close', where one such as"),
    ("", "FDX.csv is empty; a CSV file begins with a header line"),
    ("\n\n", "FDX.csv is empty"),
    ("date,close,Close\n", "FDX.csv has two columns for 'Close'; remove or rename one"),
  ])
  func files_without_a_usable_header_are_refused(_ text: String, _ expected: String) {
    #expect(failure(of: text).hasPrefix(expected), "\(failure(of: text))")
  }

  @Test(arguments: [1, 7, 64, 1 << 18]) func a_line_that_is_too_long_is_an_error(_ readByteCount: Int) {
    let tuning = ImportTuning(readByteCount: readByteCount, lineByteCountMax: 50)
    let fits = "2005-10-14," + String(repeating: " ", count: 38) + "1"
    #expect(failure(of: "date,close\n\(fits)\n", tuning: tuning) == "no error")
    let expected = "FDX.csv, line 3: longer than 50 bytes; is this CSV or NDJSON?"
    #expect(failure(of: "date,close\n\(fits)\n \(fits)\n", tuning: tuning) == expected)
    #expect(failure(of: "date,close\n\(fits)\n \(fits)", tuning: tuning) == expected)
  }

  @Test func the_caller_names_the_ticker_before_the_file_does() throws {
    var sink = MemorySink()
    _ = try importText(
      "date,close\n2005-10-14,1\n", as: "AAPL.csv", options: ImportOptions(ticker: "FDX"), into: &sink)
    #expect(sink.quotes.keys.sorted() == ["FDX"])
  }

  @Test(arguments: [
    ("WIKI-AAPL.csv", "AAPL"), ("data/FDX.json", "FDX"), ("/a/b/WIKI_FDX.csv.gz", "FDX"), ("brk.b.csv", "BRK.B"),
    ("EURUSD=X.csv", "EURUSD=X"), ("^gspc.json.gz", "^GSPC"), ("wiki-brk_a.csv", "BRK_A"), ("wiki-ko.CSV.ZIP", "KO"),
    ("FDX", "FDX"), ("FDX.ndjson", "FDX"),
  ])
  func file_names_say_tickers(_ path: String, _ expected: String) throws {
    #expect(try TickerSymbol(fileName: path).description == expected)
  }

  @Test func names_that_say_no_ticker_ask_for_one() {
    #expect(failure(of: "date,close\n", as: "my quotes.csv").hasSuffix("; name the ticker"))
    #expect(throws: ImportError.noTicker(file: "standard input")) { try TickerSymbol(fileName: "-") }
  }

  @Test func nothing_is_looked_at_behind_a_file_that_is_not_there() throws {
    let paths = (0..<1000).map { "/nowhere/\($0).csv" }
    #expect(try InputPaths(paths, endingAtMissing: true).files == ["/nowhere/0.csv"])
    #expect(try InputPaths(paths).files == paths)
  }

  @Test func a_file_that_is_not_there_is_named() {
    var sink = MemorySink()
    let error = #expect(throws: ImportError.self) {
      try QuoteImporter().importFiles(["/nowhere/at/all.csv"], into: &sink)
    }
    #expect(error?.description == "cannot open /nowhere/at/all.csv: No such file or directory")
  }
}
