import Testing

@testable import Quoin

/// JSON files that are read several times, piece by piece, because they are long. Here all of them are.
@Suite struct LongDocumentTests {
  private let folder = TemporaryDirectory()

  /// What an import brings: the rows, and the summary or the error.
  private struct Outcome: Equatable {
    var rows: [TickerSymbol: [TradingDay: DailyQuoteSummary]] = [:]
    var summary: ImportSummary?
    var error = ""
  }

  private func outcome(
    of path: String, _ tuning: ImportTuning = ImportTuning(), _ options: ImportOptions = ImportOptions()
  ) -> Outcome {
    var (sink, outcome) = (MemorySink(), Outcome())
    do {
      outcome.summary = try QuoteImporter(options: options, tuning: tuning).importFiles([path], into: &sink)
      outcome.rows = sink.quotes
    } catch { outcome.error = "\(error)" }
    return outcome
  }

  /// Expects that a document brings the same however few bytes are looked at and kept at once.
  ///
  /// - Parameter countsElements: whether the paths in errors count elements that aren't kept.
  private func expectSame(
    _ text: String, as name: String = "FDX.json", _ options: ImportOptions = ImportOptions(),
    countsElements: Bool = true
  ) throws {
    let path = try folder.write(text.utf8, as: name)
    var options = options
    options.threads = 1
    options.format = .json
    var whole = outcome(of: path, ImportTuning(), options)
    if !countsElements { whole.error.removeAll(where: \.isNumber) }
    let sizes = [(5, 0), (64, 40), (1, 0), (7, 100_000)]
    for (readByteCount, keptByteCount) in sizes.prefix(TestSettings.isDebug ? 2 : 4) {
      let tuning = ImportTuning(
        readByteCount: readByteCount, wholeDocumentByteCount: 0, keptRowsByteCount: keptByteCount)
      var long = outcome(of: path, tuning, options)
      if !countsElements { long.error.removeAll(where: \.isNumber) }
      #expect(long == whole, "\(text.prefix(300)), \(readByteCount) bytes at once: \(long.error) for \(whole.error)")
    }
  }

  @Test func documents_of_all_vendors_bring_the_same() throws {
    for form in JSONVendorTests.forms { try expectSame(form.text, as: form.file) }
  }

  private static let rows = (1...40).map { day in
    #"{"date":"2018-\#(day < 29 ? "01" : "02")-\#(day % 28 < 9 ? "0" : "")\#(day % 28 + 1)","close":\#(day).5}"#
  }

  private static let list = rows.joined(separator: ",")
  private static let lines = rows.joined(separator: ",\n")
  private static let three = rows.suffix(3).joined(separator: ",")
  private static let nested = rows.map { $0.replacing("}", with: #","meta":{"n":[1,{"date":2}]}}"#) }
  private static let manyDays = (1...12).map { #"{"date":"\#($0)/\#($0)/2018","close":"1,23\#($0 % 10)"}"# }
  private static let oneMonth = (1...12).map { #"{"date":"\#($0)/1/2018","close":1}"# }
  private static let times = (1...70).map { #"{"t":\#($0 * 86_400),"o":1,"h":1,"l":1,"c":1}"# }

  private static let documents: [String] = [
    // Names that only later rows have, nested ones among them, and lists of names.
    #"{"a":[\#(lines), {"date":"2019-01-02","volume":7}, {"date":"2019-01-03","x":{"y":[1]}}]}"#,
    "[\(nested.joined(separator: ","))]",
    #"{"datatable":{"data":[["2018-01-02",1],["2018-01-03",2],["2018-01-04",3]],"#
      + #""columns":[{"name":"date","type":"D"},{"name":"close","type":"d"}]}}"#,
    // What stands behind the rows says whose they are and what their cells are.
    #"{"rows":[\#(list)],"symbol":"KO"}"#,
    #"{"data":[[1],[2],[3]],"index":["2018-01-02","2018-01-03","2018-01-04"],"columns":["close"]}"#,
    // Several tables, of one kind and of two.
    #"{"KO":[\#(list)],"FDX":[\#(three)],"A":[]}"#, #"{"a":[\#(list)],"b":{"c":[\#(three)]}}"#,
    #"{"a":[\#(list)],"s":{"date":["2018-01-02"],"close":[2]}}"#,
    // Values one after another.
    rows.joined(separator: "\n"), "\u{FEFF}" + rows.joined(separator: " "), rows.joined(separator: "") + " 5",
    // Bad rows.
    "[\(list),5,[],\(rows[3]),null]", "[5,\(list)]", "[\(list),\(rows[0].replacing("1.5", with: "7"))]",
    #"{"dataset":{"column_names":["Date","Close"],"data":[["2018-01-02",1],7,["2018-01-03"],["x",1],["2018-01-04",[1]]]}}"#,
    // Messages and faults.
    #"{"Note":"Thank you"}"#, "[[[[1,2],[3]],[[4]]],{}]", "", "  ", "[]", "[{}]", "{}", "1", "[1,2", "{\"a\":[{},{}]]",
    "[\(lines),\n{\"date\" \"x\"}]", "[\(lines),\n{\"date\":\"x", "[\(list),{\"date\":tru", "[\(list),{\"date\":12",
    // Days and numbers that only the last rows decide, or none.
    #"[\#(manyDays.joined(separator: ",")),{"date":"1/13/2018","close":"12.5"}]"#,
    "[\(oneMonth.joined(separator: ","))]", "[\(times.joined(separator: ","))]",
  ]

  @Test(arguments: documents)
  func a_document_brings_the_same_in_pieces(_ text: String) throws {
    try expectSame(text)
    try expectSame(text, as: "a b.json")
    try expectSame(text, ImportOptions(ticker: "FDX", skipsBadRows: true))
  }

  @Test func random_documents_bring_the_same() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = TestGenerator(seed: seed)
    print("long documents: seed \(seed)")
    for _ in 0..<100 {
      var text = JSONVendorTests.value(&random, levels: Int.random(in: 1...6, using: &random))
      if Int.random(in: 0..<4, using: &random) == 0 {
        text = String(text.dropLast(Int.random(in: 1...9, using: &random)))
      }
      let options = ImportOptions(ticker: "FDX", skipsBadRows: Bool.random(using: &random))
      try expectSame(text, options, countsElements: false)
    }
  }

  @Test func rows_are_not_held_and_what_else_there_is_has_a_bound() throws {
    let cells = (0..<5000).map { "\(TradingDay(daysSince1970: 10_000 + $0)!)" }
    let tuning = ImportTuning(
      readByteCount: 4096, wholeDocumentByteCount: 0, heldByteCountMax: 20_000, keptRowsByteCount: 1000)
    func outcome(_ text: String) throws -> Outcome {
      self.outcome(of: try folder.write(text.utf8, as: "FDX.json"), tuning, ImportOptions(format: .json))
    }
    let arrays = cells.map { #"["\#($0)",1.5]"# }.joined(separator: ",")
    for text in [
      #"{"dataset":{"data":[\#(arrays)],"column_names":["Date","Close"]}}"#,
      "[\(cells.map { #"{"date":"\#($0)","close":1.5}"# }.joined(separator: ",   \n"))]",
      "[\(cells.map { #"{"date":"\#($0)","close":1.5,"more":{"a":[1]}}"# }.joined(separator: ","))]",
      cells.map { #"{"date":"\#($0)","close":1.5}"# }.joined(separator: "\n"),
    ] {
      let found = try outcome(text)
      #expect(found.rows["FDX"]?.count == 5000 && found.error == "", "\(text.prefix(60)): \(found.error)")
    }
    let (days, ones) = (cells.joined(separator: "\",\""), cells.map { _ in "1" }.joined(separator: ","))
    let columns = "{\"date\":[\"\(days)\"],\"close\":[\(ones)]}"
    let sentence =
      "\(folder.path)/FDX.json has more than 20000 bytes of JSON beside the rows of its arrays; write it as an array of rows, or as CSV"
    #expect(try outcome(columns).error == sentence)
    #expect(try outcome("[\"\(String(repeating: "x", count: 200_000))\"]").error == sentence)
    #expect(try outcome("[{\"\(String(repeating: "x", count: 200_000))").error == sentence)
    #expect(try outcome("[ \(String(repeating: " ", count: 200_000))").error == sentence)
  }

  @Test func a_fault_far_down_is_told_with_its_line_and_byte() throws {
    let lines = (0..<3000).map { #"{"date":"\#(TradingDay(daysSince1970: 10_000 + $0)!)","close":1.5},"# }
    let text = "[\n\(lines.joined(separator: "\n"))\n{\"date\": 2018-01-02}]"
    let tuning = ImportTuning(readByteCount: 1000, wholeDocumentByteCount: 0, keptRowsByteCount: 1000)
    let error = outcome(of: try folder.write(text.utf8, as: "FDX.json"), tuning).error
    let byte = text.utf8.count - 12
    #expect(
      error.hasSuffix("is not valid JSON: line 3002, column 10, byte \(byte): '2018-01-02' is no value of JSON"),
      "\(error)")
  }

  @Test func packed_files_are_read_again_too() throws {
    let rows = (0..<5000).map { #"{"date":"\#(TradingDay(daysSince1970: 10_000 + $0)!)","close":1.5}"# }
    let text = Array("[\(rows.joined(separator: ","))]".utf8)
    let tuning = ImportTuning(
      readByteCount: 1000, wholeDocumentByteCount: 0, heldByteCountMax: 20_000, keptRowsByteCount: 1000)
    let whole = outcome(of: try folder.write(text, as: "FDX.json")).rows
    #expect(whole["FDX"]?.count == 5000)
    #expect(outcome(of: try folder.write(try gzip(text), as: "FDX.json.gz"), tuning).rows == whole)
    let zip = try Zip().bytes(of: [("FDX.json", text), ("KO.json", text)])
    let both = outcome(of: try folder.write(zip, as: "both.zip"), tuning)
    #expect(both.rows["FDX"] == whole["FDX"] && both.rows["KO"]?.count == 5000, "\(both.error)")
  }
}
