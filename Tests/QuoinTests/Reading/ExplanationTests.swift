import Testing

@testable import Quoin

/// What an import says of files before it stores them. That its words are those of the import is checked by every case of the other suites
/// (`FormCase.check`) and by the random forms.
@Suite struct ExplanationTests {
  private func explain(
    _ text: String, as name: String = "FDX.csv", _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportExplanation {
    let folder = TemporaryDirectory()
    var options = ImportOptions()
    change(&options)
    let all = try ImportExplanation.all(of: [folder.write(text.utf8, as: name)], options: options)
    return try #require(all.first)
  }

  /// `decimal: comma, because ...`
  private func words(_ explanation: ImportExplanation) -> [String: String] {
    Dictionary(uniqueKeysWithValues: explanation.findings.map { ($0.subject.rawValue, "\($0.value); \($0.reason)") })
  }

  @Test func each_finding_has_its_reason() throws {
    let text = """
      Prices of the week
      Datum;Eröffnung;Hoch;Tief;Schlusskurs;Stücke;Währung
      19.01.2024;1.234,50;1.240,00;1.230,00;1.235,25;1.200;EUR
      22.01.2024;234,5;240,00;230,00;;900;EUR

      """
    let found = try explain(text, as: "daily_SAP.csv")
    #expect(
      words(found) == [
        "form": "CSV; it begins neither with { nor with [", "encoding": "UTF-8; nothing says otherwise",
        "separator": "semicolon; it cuts the line above the rows into 7 cells",
        "header": "line 2, rows from line 3 on; it is the first line that names a day and a value",
        "days": "day, month, year; 19.01.2024 can't be read otherwise", "zone": "any; the day that is written counts",
        "decimal": "comma; '1.234,50' in column 'Eröffnung' has no other reading",
        "thousands": "point; '1.234,50' in column 'Eröffnung' has it", "ticker": "SAP; the file's name says so",
      ])
    #expect(found.columns.map(\.use.word) == ["date", "open", "high", "low", "close", "volume", "ignored"])
    #expect(found.columns.map(\.isUnknown) == [false, false, false, false, false, false, true])
    #expect(found.columns[4].cells.map(\.text) == ["1.235,25", ""])
    #expect(found.columns.map { $0.cells.map(\.value) }[4] == ["1235.25", "missing"])
    #expect(found.columns[5].cells.map(\.value) == ["1200", "900"] && found.columns[6].cells.first?.value == nil)
    #expect(found.notes == ["a line before the header was passed over: 'Prices of the week'"])
    #expect(found.rowCount == 2 && found.firstTickers.map { "\($0)" } == ["SAP"] && found.error == nil)
    #expect(found.days.map { "\($0)" } == "2024-01-19...2024-01-22")
  }

  @Test func what_the_options_say_is_told_as_such() throws {
    let found = try explain("day|kurs|foo\n1.2.24|1,5|2\n", as: "data.csv") { options in
      for (setting, text) in [
        (ImportSetting.ticker, "KO"), (.dateFormat, "%d.%m.%y"), (.decimal, ","), (.thousands, "."), (.delimiter, "|"),
        (.timeZone, "UTC"), (.map, "foo=volume"), (.format, "csv"),
      ] { try? setting.set(text, in: &options) }
    }
    let told = found.findings.filter { $0.reason == ColumnPlan.told }.map(\.subject)
    #expect(told == [.form, .separator, .days, .zone, .decimal, .thousands, .ticker])
    #expect(found.columns[2].reason == ColumnPlan.told && found.columns[2].use == .attribute(.volume))
    #expect(found.columns[0].cells.first?.value == "2024-02-01" && found.columns[1].cells.first?.value == "1.5")
  }

  @Test func a_file_that_is_refused_is_explained_as_far_as_it_was_understood() throws {
    let fixing = try explain("Date,Open,Fixing\n2024-01-19,1.5,2\n")
    #expect(
      "\(fixing.error, default: "")".contains("no close") && fixing.columns.map(\.isUnknown) == [false, false, true])
    #expect(fixing[.decimal]?.setting == "." && fixing.columns[2].cells.map(\.text) == ["2"])
    let numbers = try explain("Date;Close\n2024-01-19;1,234\n")
    #expect("\(numbers.error, default: "")".contains("can be 1234 or 1.234") && numbers[.separator]?.setting == ";")
    #expect(numbers[.decimal] == nil && numbers[.days]?.value == "such as 2024-01-19")
    let days = try explain("Date,Close\n1/2/2024,1.5\n")
    #expect("\(days.error, default: "")".contains("2024-01-02") && days[.days] == nil && days[.decimal]?.setting == ".")
    let none = try explain("foo,bar\n1,2\n")
    #expect(
      none.columns.map(\.name) == ["foo", "bar"] && none.columns.allSatisfy { $0.isUnknown } && none.error != nil)
    let bad = try explain("date,close\n2024-01-19,1\n2024-01-22,~\n")
    #expect(
      bad.rowCount == 1 && "\(bad.error, default: "")".contains("line 3") && bad.columns[1].cells.first?.value == "1.0")
    let missing = try #require(try ImportExplanation.all(of: ["/nowhere/FDX.csv"]).first)
    #expect(missing.file == "/nowhere/FDX.csv" && "\(missing.error, default: "")".hasPrefix("cannot open"))
    let empty = try explain("\n")
    #expect("\(empty.error, default: "")".contains("is empty"))
    let wrong = try explain("date,close\n2024-01-19,1\n") { $0.columnUses["Last"] = .attribute(.close) }
    #expect(wrong.error == .noSuchColumn("Last") && wrong.rowCount == 1)
  }

  @Test func json_is_explained_by_its_shape() throws {
    let vendor = try explain(
      #"{"symbol":"AA","results":[{"t":1705622400000,"o":1,"h":2,"l":0.5,"c":1.5,"v":10,"meta":[1]}]}"#, as: "x.json")
    #expect(vendor[.form]?.value == "JSON, an array of objects, a row each")
    #expect(vendor[.form]?.reason == "that is the shape of 'results'")
    #expect(vendor[.days]?.value == "milliseconds since 1970" && vendor[.zone]?.value == "UTC")
    #expect(vendor[.ticker]?.value == "AA" && vendor[.ticker]?.reason == "it stands in the file, beside the rows")
    #expect(vendor.columns.map { $0.cells.first?.value } == ["2024-01-19", "1.0", "2.0", "0.5", "1.5", "10", nil])
    #expect(vendor.columns.last?.reason == "its values are arrays or objects")
    let quandl = try explain(
      #"{"dataset":{"dataset_code":"KO","column_names":["Date","Close"],"data":[["2024-01-19",1.5]]}}"#, as: "x.json")
    #expect(quandl[.form]?.value == "JSON, Quandl's arrays of cells" && quandl[.ticker]?.value == "KO")
    let lines = try explain(
      "{\"date\":\"2024-01-19\",\"close\":1}\n{\"date\":\"2024-01-22\",\"Foo\":2}\n", as: "K.ndjson")
    #expect(lines[.form]?.value == "NDJSON" && lines.columns.map(\.name) == ["date", "close", "Foo"])
    #expect(lines.columns.map { $0.cells.map(\.text) } == [["2024-01-19", "2024-01-22"], ["1"], ["2"]])
  }

  @Test func every_file_of_an_archive_is_explained_and_every_file_of_several() throws {
    let folder = TemporaryDirectory()
    let good = try folder.write("date,close\n2024-01-19,1\n".utf8, as: "AA.csv")
    let bad = try folder.write("date,volume\n2024-01-19,~\n".utf8, as: "BB.csv")
    #expect(folder.run("cd \(folder.path) && gzip -k AA.csv") == 0)
    let all = try ImportExplanation.all(of: [good, bad, good + ".gz"])
    #expect(all.map(\.file) == [good, bad, good + ".gz"] && all.map { $0.error == nil } == [true, false, true])
    #expect(all[2][.packing]?.value == "gzip" && all[0][.packing] == nil)
  }

  /// What a browser sends is read like a file of that name, also packed, and also where the whole file decides.
  @Test func files_in_memory_are_read_like_those_on_a_disk() throws {
    let folder = TemporaryDirectory()
    // The order of the days shows beyond the first megabyte only.
    let lines = (0..<60_000).map { "\($0 % 9 + 1)/\($0 / 9 % 9 + 1)/20\(10 + $0 / 900 % 10),1.5,\($0)" }
    let long = "date,close,volume\n" + lines.joined(separator: "\n") + "\n3/25/2021,1.5,7\n"
    let files = [
      ("AA.csv", Array("date,close\n2024-01-19,1\n".utf8)), ("FDX.csv", Array(long.utf8)), ("none.csv", []),
    ]
    for (name, bytes) in files {
      let path = try folder.write(bytes, as: name)
      #expect(folder.run("gzip -kf \(path)") == 0)
      let packed = try packedBytes(path + ".gz")
      for (source, path, name) in [
        (ImportSource.bytes(bytes, name: name), path, name),
        (.bytes(packed, name: name + ".gz"), path + ".gz", name + ".gz"),
      ] {
        var options = ImportOptions()
        options.lastRowWins = true
        let there = try #require(try ImportExplanation.all(of: [path], options: options).first)
        let here = try #require(try ImportExplanation.all(of: [source], options: options).first)
        #expect(here.findings == there.findings && here.columns == there.columns && here.rowCount == there.rowCount)
        #expect(
          here.file == name && (here.error == nil) == (there.error == nil), "\(name): \(String(describing: here.error))"
        )
      }
    }
    var options = ImportOptions()
    options.unpackedByteCountMax = 20
    let bomb = ImportSource.bytes(try packedBytes("\(folder.path)/AA.csv.gz"), name: "AA.csv.gz")
    let refused = try #require(try ImportExplanation.all(of: [bomb], options: options).first)
    #expect("\(refused.error, default: "")".contains("more than 20 bytes"))
  }

  private func packedBytes(_ path: String) throws -> [UInt8] {
    var input = InputBytes(try ReadableFile(path: path))
    var bytes: [UInt8] = []
    while try input.fill(1) > 0 {
      bytes += input.ahead
      input.skip(input.ahead.count)
    }
    return bytes
  }

  /// A trial keeps nothing of the rows that it has read, and knows them again nonetheless.
  @Test func a_row_twice_is_no_fault_in_a_trial_either() throws {
    let folder = TemporaryDirectory()
    let text = "ticker,date,close\nA,2024-01-18,1\nA,2024-01-19,2\nB,2024-01-19,3\nB,2024-01-22,4\nA,2024-01-18,1\n"
    let path = try folder.write(text.utf8, as: "all.csv")
    var importer = QuoteImporter(tuning: ImportTuning(readByteCount: 1, bufferRowCount: 1, groupedRowCount: 1))
    #expect(try importer.explain([.path(path)]).map(\.error) == [nil])
    importer.options.skipsBadFiles = true
    var sink = MemorySink()
    #expect(try importer.importFiles([path], into: &sink).files.map(\.error) == [nil])
    #expect(sink.rows("A").count == 2)
  }

  /// The options that the first error names help for JSON too.
  @Test func rounding_missing_words_and_zones_are_for_json_too() throws {
    for (text, name) in [
      (#"{"date":"2024-01-19","close":-1,"volume":10.5}"#, "K.ndjson"),
      (#"[{"date":"2024-01-19","close":-1,"volume":10.5}]"#, "K.json"),
    ] {
      let found = try explain(text, as: name) { options in
        (options.roundsVolumes, options.missingWords) = (true, ["-1"])
      }
      #expect(
        found.error == nil && found.columns.map { $0.cells.first?.value } == ["2024-01-19", "missing", "10"], "\(name)")
    }
    for (text, name) in [
      (#"{"t":1705849200,"o":1,"h":1,"l":1,"c":1}"#, "K.ndjson"),
      (#"[{"t":1705849200,"o":1,"h":1,"l":1,"c":1}]"#, "K.json"),
    ] {
      let tokyo = try explain(text, as: name) { try? ImportSetting.timeZone.set("Asia/Tokyo", in: &$0) }
      #expect(tokyo.columns[0].cells.first?.value == "2024-01-22" && tokyo[.zone]?.value == "Asia/Tokyo", "\(name)")
      // Without a zone it may be the midnight of another one.
      let open = try explain(text, as: name)
      #expect("\(open.error, default: "")".contains("time zone") && open.columns[0].cells.map(\.text) == ["1705849200"])
    }
  }
}
