import Testing

@testable import Quoin

/// Which files are read, what their names say, and which kinds are refused by name.
@Suite struct InputFileTests {
  @Test(arguments: [
    ("{ticker}-{year}", "AAPL-2011.csv", "AAPL"), ("WIKI-{ticker}-{year}-*", "WIKI-AAPL-2011-quandl.csv", "AAPL"),
    ("{ticker}_{date}", "brk.b_20180102.txt.gz", "brk.b"), ("daily_{ticker}", "daily_ko.csv", "ko"),
    ("{exchange}-{ticker}", "nyse-brk-b.csv", "brk-b"),
  ])
  func a_form_says_where_the_ticker_is(_ pattern: String, _ path: String, _ ticker: String) throws {
    #expect(try #require(FileNamePattern(pattern)).ticker(in: "some/where/\(path)") == ticker)
  }

  @Test func year_files_of_one_stock_are_one_ticker() throws {
    let folder = TemporaryDirectory()
    let files = try (2011...2013).map { try folder.write("Date,Close\n\($0)-01-03,\($0)\n".utf8, as: "AAPL-\($0).csv") }
    var importer = QuoteImporter()
    importer.options.tickerPattern = FileNamePattern("{ticker}-{year}")
    var sink = MemorySink()
    _ = try importer.importFiles(files, into: &sink)
    #expect(sink.quotes.keys.map(\.description) == ["AAPL"] && sink.rows("AAPL").count == 3)
    let other = try folder.write("Date,Close\n2014-01-03,1\n".utf8, as: "AAPL.csv")
    #expect(throws: ImportError.otherName(file: other, pattern: "{ticker}-{year}")) {
      try importer.importFiles([other], into: &sink)
    }
    for pattern in ["", "{year}", "{ticker}{ticker}", "{ticker"] { #expect(FileNamePattern(pattern) == nil) }
  }

  @Test func names_that_differ_in_one_character_are_two_tickers() throws {
    let folder = TemporaryDirectory()
    let names = ["agm-a.us.txt", "agm_a.us.txt", "agm.a.us.txt", "AGMA.csv"]
    let files = try names.map { try folder.write("Date,Close\n2018-01-02,\($0.count)\n".utf8, as: $0) }
    var sink = MemorySink()
    _ = try QuoteImporter().importFiles(files, into: &sink)
    #expect(sink.quotes.keys.sorted() == ["AGM-A", "AGM.A", "AGMA", "AGM_A"])
  }

  @Test func links_to_directories_and_pipes_are_left_out() throws {
    let folder = TemporaryDirectory()
    folder.run(
      "mkdir -p \(folder.path)/d/e && mkfifo \(folder.path)/d/pipe.csv && cd \(folder.path)/d && ln -s .. up.csv")
    let path = try folder.write(Array("date,close\n2018-01-02,1\n".utf8), as: "d/KO.csv")
    folder.run("ln -s \(path) \(folder.path)/d/e/MSFT.csv")
    var sink = MemorySink()
    let summary = try QuoteImporter().importFiles(["\(folder.path)/d"], into: &sink)
    #expect(sink.quotes.keys.sorted() == ["KO", "MSFT"] && summary.files.count == 2)
  }

  @Test func every_name_has_one_string() {
    var dice = TestGenerator(seed: 17)
    let parts: [[UInt8]] = [
      [0x41], [0xFF], [0xC3], [0xA4], [0xC3, 0xA4], [0xF4, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0x2F],
    ]
    var names: [String: [UInt8]] = [:]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<8, using: &dice)).flatMap { _ in parts.randomElement(using: &dice) ?? [] }
      let text = PathText.text(bytes)
      #expect(names.updateValue(bytes, forKey: text) ?? bytes == bytes)
      let back = unsafe PathText.withSystemPath(text) { path in unsafe Array(String(cString: path).utf8) }
      if String(validating: bytes, as: UTF8.self) != nil { #expect(back == bytes) }
      #expect(unsafe PathText.withSystemPath(text) { unsafe PathText.text($0) } == text)
    }
  }

  @Test func a_directory_stands_for_the_files_in_it() throws {
    let folder = TemporaryDirectory()
    #expect(folder.run("mkdir -p \(folder.path)/a/b \(folder.path)/a/.git") == 0)
    for (name, text) in [
      ("a/KO.csv", "Date,Close\n2018-01-02,1\n"), ("a/b/fdx.us.txt", "Date,Close\n2018-01-02,2\n"),
      ("a/b/EMPTY.txt", ""),
      ("a/README.md", "no quotes"), ("a/.git/X.csv", "no quotes"), ("a/b/BLANK.csv", "\n\n"),
    ] {
      _ = try folder.write(text.utf8, as: name)
    }
    var sink = MemorySink()
    let summary = try QuoteImporter().importFiles(["\(folder.path)/a"], into: &sink)
    #expect(sink.quotes.keys.sorted() == ["FDX", "KO"])
    #expect(
      summary.files.filter(\.isEmpty).map { $0.name.dropFirst(folder.path.count + 1) } == [
        "a/b/BLANK.csv", "a/b/EMPTY.txt",
      ])
    #expect(throws: ImportError.empty(file: "\(folder.path)/a/b/EMPTY.txt")) {
      try QuoteImporter().importFiles(["\(folder.path)/a/b/EMPTY.txt"], into: &sink)
    }
  }

  @Test(
    arguments: [
      ([0x50, 0x41, 0x52, 0x31, 0x15], "a Parquet file"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz archive"),
      ([0x42, 0x5A, 0x68, 0x39], "a bzip2 archive"), ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
      ([0xFF, 0xFE, 0x00, 0x00, 0x44, 0x00, 0x00, 0x00], "text in UTF-32"),
      ([0x44, 0x00, 0x00, 0x00], "text in UTF-32"),
      ([0x44, 0x61, 0x74, 0x00, 0x65], "a binary file"), ([0x3C, 0x21, 0x44], "a web page"),
      (Array("<?xml version".utf8), "an XML file"),
    ] as [([UInt8], String)])
  func other_kinds_of_files_are_named(_ bytes: [UInt8], _ kind: String) throws {
    var sink = MemorySink()
    let folder = TemporaryDirectory()
    let file = try folder.write(bytes, as: "X.csv")
    #expect(throws: ImportError.foreign(file: file, kind: kind)) {
      try QuoteImporter().importFiles([file], into: &sink)
    }
  }
}
