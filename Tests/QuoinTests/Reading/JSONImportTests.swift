import Testing

@testable import Quoin

@Suite struct JSONImportTests {
  private let names =
    #"["Date","Open","High","Low","Close","Volume","Ex-Dividend","Split Ratio","#
    + #""Adj. Open","Adj. High","Adj. Low","Adj. Close","Adj. Volume"]"#
  private let cells =
    #"["2005-10-14",86.9,87.7,85.96,87.6,1373400.0,0.0,1.0,"#
    + #"80.950577512303,81.695807224729,80.074932600202,81.602653510676,1373400]"#

  /// A `dataset_data` document with these columns and rows.
  private func document(_ names: String, _ rows: String) -> String {
    #"{"dataset_data":{"limit":null,"column_names":\#(names),"data":[\#(rows)],"order":null}}"#
  }

  @Test func dataset_data_takes_its_ticker_from_the_file_name() throws {
    #expect(try rows(of: document(names, cells), as: "WIKI-FDX.json") == [fedExRow])
  }

  @Test func dataset_takes_its_ticker_from_its_code() throws {
    let text = """
      {"dataset": {
        "dataset_code": "FDX", "name": "FedEx \\u003cp\\u003e {[",
        "column_names": \(names),
        "data": [
          \(cells)
        ], "order": "desc"
      }}
      """
    #expect(try rows(of: text, as: "quotes of a day.json") == [fedExRow])
  }

  @Test func datatable_names_its_columns_after_the_data() throws {
    let columns = wikiHeader.split(separator: ",").map { #"{"name":"\#($0)","type":"x"}"# }.joined(separator: ",")
    let text =
      #"{"datatable":{"data":[["FDX",\#(cells.dropFirst())],"columns":[\#(columns)]},"meta":{"next_cursor_id":null}}"#
    #expect(try rows(of: text, as: "all.json") == [fedExRow])
  }

  @Test func columns_come_in_any_order_and_rows_newest_first() throws {
    let text = document(#"["Close","Date","Volume"]"#, #"[2,"2005-10-17",null],[1,"2005-10-14",5]"#)
    let read = try rows(of: text)
    #expect(read.map(\.close) == [1, 2] && read.map(\.volume) == [5, nil])
  }

  @Test(arguments: [
    ("9223372036854775807", Int64.max), ("9223372036854775807.0", .max), ("9007199254740993", 9_007_199_254_740_993),
    ("9007199254740993.0", 9_007_199_254_740_993), ("3.5e6", 3_500_000), ("0", 0), ("-0.0", 0),
    ("8381600.0", 8_381_600),
  ])
  func volumes_are_exact(_ text: String, _ expected: Int64) throws {
    let row = try #require(try rows(of: document(#"["Date","Volume"]"#, #"["2005-10-14",\#(text)]"#)).first)
    #expect(row.volume == expected)
  }

  @Test func numbers_are_rounded_as_the_standard_library_does() throws {
    var random = TestGenerator(seed: 11)
    let texts = (0..<2000).map { _ in "\(Double(bitPattern: random.next()))" }.filter { Double($0)?.isFinite == true }
    let lines = texts.enumerated().map { #"["\#(TradingDay.earliest.advanced(by: $0.offset)!)",\#($0.element)]"# }
    let read = try rows(of: document(#"["Date","Close"]"#, lines.joined(separator: ",\n")))
    #expect(read.compactMap(\.close) == texts.compactMap(Double.init))
  }

  private static let longNumber = String(repeating: "9", count: 100_001)

  @Test(arguments: [
    (#"["2005-10-14","x",1]"#, "row 2, column Close, 'x': not a number"),
    (#"["2005-10-14",true,1]"#, "row 2, column Close, 'true': not a number"),
    (#"["2005-10-14",[1],1]"#, "row 2, column Close, 'a list or an object': not a number"),
    (#"["2005-10-14",1e400,1]"#, "row 2, column Close, '1e400': too large for float64"),
    (#"["2005-10-14",-1e400,1]"#, "row 2, column Close, '-1e400': too large for float64"),
    (
      #"["2005-10-14",\#(Self.longNumber),1]"#,
      "row 2, column Close, '\(Self.longNumber.prefix(40))': too large for float64"
    ),
    (#"["2005-10-14",1,1e400]"#, "row 2, column Volume, '1e400': too large for float64"),
    (#"["2005-14",1,1]"#, "row 2, column Date, '2005-14': not a date of the form YYYY-MM-DD"),
    (
      #"["14/14/2005",1,1]"#,
      "row 2, column Date, '14/14/2005': days of this form need a date format such as %m/%d/%Y"
    ),
    (#"["2005-02-29",1,1]"#, "row 2, column Date, '2005-02-29': the calendar has no such day"),
    (#"[null,1,1]"#, "row 2, column Date, 'null': the date is missing"),
    (#"["2005-10-14",1,-5]"#, "row 2, column Volume, '-5': a volume below zero"),
    (#"["2005-10-14",1,-2.5]"#, "row 2, column Volume, '-2.5': a volume below zero"),
    (#"["2005-10-14",1]"#, "row 2, '': 2 cells where there are 3 columns"),
    (#"["2005-10-14",1,2,3]"#, "row 2, '': 4 cells where there are 3 columns"),
    (#"{"a":1}"#, "row 2, 'a list or an object': not an array of cells"),
    (
      #"["2005-10-17",3,4]"#,
      "row 2, column date, '2005-10-17': FDX has this day twice, with different values; the first is row 1"
    ),
  ])
  func dirty_rows_are_told_by_row_column_value_and_reason(_ row: String, _ expected: String) throws {
    let text = document(#"["Date","Close","Volume"]"#, #"["2005-10-17",1,2],\#(row),["2005-10-18",1,2]"#)
    let bad = try #require(badRows(of: text, as: "FDX.json"))
    #expect(bad.count == 1)
    #expect(bad.first.first?.description.hasSuffix("FDX.json, \(expected)") == true, "\(bad)")
  }

  @Test(arguments: [
    (
      #"{"dataset_data":{"#,
      "FDX.json is not valid JSON: it ends after byte 17, where a closing brace is missing; is it"
    ),
    (
      "[1,2]", "FDX.json is not a document of quotes: it is an array that begins with a number; what is read are arrays"
    ),
    (
      #"{"a":{}}"#, "FDX.json is not a document of quotes: it is an object with 'a'; what is read are arrays of objects"
    ),
    (#"{"dataset":{"column_names":["Date","Close"]}}"#, "FDX.json is not a document of quotes: it has no 'data'"),
    (#"{"dataset":{"data":[]}}"#, "FDX.json is not a document of quotes: dataset: 'column_names' is missing"),
    (#"{"dataset_data":{"column_names":["Open"],"data":[]}}"#, "FDX.json has no column 'date'; its header is 'Open'"),
    (
      #"{"quandl_error":{"code":"QECx02","message":"You have submitted an incorrect Quandl code."}}"#,
      "FDX.json holds no quotes but the vendor's error QECx02: You have submitted an incorrect Quandl code."
    ),
  ])
  func documents_without_quotes_are_refused(_ text: String, _ expected: String) {
    #expect(failure(of: text, as: "FDX.json").hasPrefix(expected), "\(failure(of: text, as: "FDX.json"))")
  }

  @Test func a_document_that_is_too_long_is_refused() {
    let tuning = ImportTuning(documentByteCountMax: 20)
    #expect(failure(of: document(names, cells), tuning: tuning).hasPrefix("FDX.csv is longer than 20 bytes"))
  }

  // MARK: NDJSON

  @Test func a_line_of_ndjson_is_a_row() throws {
    let values = zip(wikiHeader.split(separator: ",").dropFirst(2), fedExCells.split(separator: ",").dropFirst())
    let members = values.map { "\"\($0)\": \($1)" }.joined(separator: ",")
    let text = #"{"ticker":"FDX","date":"2005-10-14",\#(members)}"# + "\r\n\n"
    #expect(try rows(of: text, as: "all.ndjson") == [fedExRow])
    #expect(try rows(of: "\u{FEFF}" + text, as: "all") == [fedExRow])
  }

  @Test func keys_come_in_any_order_and_may_lack() throws {
    let text = """
      {"close":1.5,"note":"a \\" , } b","date":"2005-10-14","ticker":"FDX","volume":9223372036854775807}
      { "ticker" : "FDX" , "date" : "2005-10-17" , "open" : null , "close" : -2e-3 , "flag" : true }
      {"date":"2005-10-18","ticker":"FDX"}
      """
    var sink = MemorySink()
    let summary = try importText(text, as: "all", into: &sink)
    #expect(
      sink.rows("FDX") == [
        DailyQuoteSummary(ticker: "FDX", date: "2005-10-14", close: 1.5, volume: .max),
        DailyQuoteSummary(ticker: "FDX", date: "2005-10-17", close: -0.002),
      ])
    #expect(summary.rowCount == 3 && summary.counts.empty == 1)
    #expect(summary.ignoredColumns == ["note", "flag"])
  }

  @Test(arguments: [
    (#"{"ticker":"FDX","date":"2005-10-14","close":"x"}"#, "column close, 'x': not a number"),
    (#"{"ticker":"FDX","date":"2005-10-14","close":1x}"#, "column close, '1x': not a number"),
    (#"{"ticker":"FDX","date":"2005-10-14","volume":-1}"#, "column volume, '-1': a volume below zero"),
    (#"{"ticker":"FDX","date":"2005-02-30"}"#, "column date, '2005-02-30': the calendar has no such day"),
    (#"{"ticker":"A/B","date":"2005-10-14"}"#, "column ticker, 'A/B': 'A/B' isn't a ticker"),
    (#"{"ticker":"FDX"}"#, #"'{"ticker":"FDX"}': the date is missing"#),
    (#"{"date":"2005-10-14"}"#, #"'{"date":"2005-10-14"}': the ticker is missing"#),
    (#"{"ticker":"FDX","date":"2005-10-14""#, "not a JSON object"),
    (#"{"ticker":"FDX","date":"2005-10-14"} x"#, "not a JSON object"),
    (#"{"ticker":"FDX","date":"2005-10-14","a":{]}"#, "not a JSON object"),
    (#"{"ticker":"FDX","date":"2005-10-14","close":[1]}"#, "column close, 'a list or an object': not a number"),
    (#"{"ticker":"FDX","date":"2005-10-14\"#, "not a JSON object"),
    ("{", "not a JSON object"), ("{}", "the date is missing"), ("x", "not a JSON object"),
    (#"{"ticker":"#, "not a JSON object"), (#"{"close":1"#, "not a JSON object"),
    (#"{"ticker" "ticker":"FDX","date":"2005-10-14"}"#, "not a JSON object"),
    (#"{"ticker"#, "not a JSON object"), (#"{"ticker""#, "not a JSON object"),
  ])
  func dirty_lines_are_told(_ line: String, _ expected: String) throws {
    let text = #"{"ticker":"FDX","date":"2005-10-17","close":1}"# + "\n\(line)\n"
    for size in [1, 5, 1000] {
      let bad = try #require(badRows(of: text, as: "all", tuning: ImportTuning(readByteCount: size)))
      #expect(bad.count == 1 && bad.first.first?.position == .line(2))
      #expect(bad.first.first?.description.contains(expected) == true, "\(bad)")
    }
  }

  @Test(arguments: [
    ("{\n\"dataset\"", QuoteFormat.json), (#"{"dataset_data":{"a":1}}"#, .json), ("  [1]", .json), ("{", .json),
    (#"{"ticker":"A"}"#, .ndjson), ("\u{FEFF}\n {\"ticker\":\"A\"} \r\n", .ndjson), ("date,close", .csv), ("", .csv),
    ("\u{FEFF}\"date\"", .csv),
  ])
  func forms_are_recognized_by_their_first_bytes(_ text: String, _ expected: QuoteFormat) {
    #expect(QuoteFormat(recognizing: Array(text.utf8)) == expected)
  }
}
