import Testing

@testable import Quoin

/// Tickers that differ in a character between their parts, and tickers that look like something else, side by side on every
/// way in and out.
@Suite struct SixTickersTests {
  private let folder = TemporaryDirectory()

  private static let six = NastyTexts.sixTickers.map { TickerSymbol(stringLiteral: $0) }
  private static let all = six + NastyTexts.tickers.map { TickerSymbol(stringLiteral: $0) }

  /// Rows of its own for each ticker.
  private static let rows = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1, QuoteColumns.sample(40, salt: $0)) })

  private func makeStore(_ name: String = "store") throws -> QuoteStore { try QuoteStore(at: "\(folder.path)/\(name)") }

  private func filledStore() throws -> QuoteStore {
    let store = try makeStore()
    try store.upsert(Self.rows)
    return store
  }

  private static func expect(
    _ store: QuoteStore, _ rows: [TickerSymbol: QuoteColumns] = rows, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try content(of: store) == rows.mapValues(\.cellBits), sourceLocation: location)
    #expect(store.tickers == rows.keys.sorted(), sourceLocation: location)
  }

  private func text(_ query: QuoteQuery, _ format: OutputFormat) throws -> [UInt8] {
    var text: [UInt8] = []
    let formatter = QuoteFormatter(format) { text += bytes(of: $0) }
    try query.forEachBatch(rowsPerBatch: 64) { try formatter.append($0) }
    try formatter.finish()
    return text
  }

  @Test func each_is_a_ticker_of_its_own_and_stays_one() throws {
    let store = try filledStore()
    try Self.expect(store)
    try Self.expect(QuoteStore(at: store.path, mustExist: true))
    #expect(try store.verify().damages.isEmpty && Set(store.importRecords().map(\.ticker)) == Set(Self.all))
    for ticker in Self.all {
      #expect(try store.quotes(for: ticker).fetchColumns().tickers.runs.map(\.ticker) == [ticker])
      #expect(try store.tickerSummaries(of: [ticker]).map(\.ticker) == [ticker])
      #expect(try store.importRecords(of: ticker).count == 1)
    }
  }

  @Test(arguments: [OutputFormat.csv, .tsv, .ndjson]) func exports_and_imports_keep_them_apart(
    _ format: OutputFormat
  ) throws {
    let store = try filledStore()
    let path = try folder.write(text(store.allQuotes, format), as: "all.\(format)")
    let copy = try makeStore("copy")
    let summary = try copy.importFiles([path])
    #expect(summary.tickerCount == Self.all.count)
    try Self.expect(copy)
  }

  @Test func a_table_of_quandls_keeps_them_apart() throws {
    let rows = try filledStore().allQuotes.selecting(AttributeSet([.close])).fetch().map { quote in
      #"["\#(quote.ticker)","\#(quote.date)",\#(quote.close.map { "\($0)" } ?? "null")]"#
    }
    let text =
      #"{"datatable":{"data":[\#(rows.joined(separator: ","))],"#
      + #""columns":[{"name":"ticker"},{"name":"date"},{"name":"close"}]}}"#
    let batch = try QuoteBatch(parsing: Array(text.utf8))
    #expect(batch.tickers.runs.map(\.ticker) == Self.all.sorted() && batch.rowCount == rows.count)
  }

  @Test func the_names_of_files_keep_them_apart() throws {
    let paths = try Self.all.map { ticker in
      var text: [UInt8] = []
      try DatasetFormatter.write(Self.rows[ticker] ?? QuoteColumns()) { text += bytes(of: $0) }
      return try folder.write(text, as: ticker.fileName("json"))
    }
    let copy = try makeStore("copy")
    try copy.importFiles(paths)
    try Self.expect(copy)
  }

  @Test func the_code_in_a_dataset_is_its_ticker() throws {
    for ticker in Self.all {
      let text =
        #"{"dataset":{"dataset_code":"\#("\(ticker)".lowercased())","column_names":["Date","Close"],"#
        + #""data":[["2005-10-14",1]]}}"#
      #expect(try QuoteBatch(parsing: Array(text.utf8)).tickers == [ticker])
    }
  }

  /// A reader of lines that takes a ticker for the last one if it begins like it would mix these up.
  @Test func neighbors_that_begin_alike_are_kept_apart() throws {
    let tickers = (1...32).map { String(repeating: "A", count: $0) }
    let lines = (tickers + tickers.reversed() + tickers).enumerated().map { index, ticker in
      let day = TradingDay(daysSince1970: 10_000 + index)!
      return index % 3 == 0 ? "\"\(ticker)\",\(day),\(index)" : "\(ticker),\(day),\(index)"
    }
    var sink = MemorySink()
    // The last line has nothing behind it.
    let summary = try importText("ticker,date,close\n" + lines.joined(separator: "\n"), as: "all.csv", into: &sink)
    #expect(summary.rowCount == 96 && sink.quotes.count == 32)
    for ticker in tickers {
      let rows = sink.rows(try TickerSymbol(ticker))
      #expect(
        rows.map(\.close) == [ticker.count - 1, 64 - ticker.count, 63 + ticker.count].map { Double($0) }, "\(ticker)")
    }
  }

  @Test func groups_are_made_of_each() throws {
    let store = try filledStore()
    let tickers = Array(Self.six.reversed())
    let table = try store.quotes(for: tickers).aggregate([.count, .max(.high)], by: .ticker)
    #expect(Array(table.tickers) == tickers && table.rowCount == 6)
    let expected = tickers.map { Self.rows[$0]?[.high].max() }
    #expect(table.doubles(.max(.high)) == expected)
    let months = try store.quotes(for: tickers).aggregate([.count], by: .month)
    #expect(months.tickers.runs.map(\.ticker) == tickers)
  }

  @Test func one_is_deleted_without_the_others() throws {
    for ticker in Self.six {
      let store = try makeStore("store \(ticker.fileName("x"))")
      try store.upsert(Self.rows)
      #expect(try store.delete([ticker]) == 40)
      try Self.expect(store, Self.rows.filter { $0.key != ticker })
    }
  }

  @Test func they_stand_in_a_table_of_markdown_as_they_are() throws {
    let store = try makeStore()
    let day = QuoteColumns.sample(1)
    try store.upsert(Dictionary(uniqueKeysWithValues: Self.all.map { ($0, day) }))
    let rows = String(decoding: try text(store.allQuotes, .markdown), as: UTF8.self).split(separator: "\n").dropFirst(2)
    #expect(rows.count == Self.all.count)
    let cells = rows.map { Self.firstCell(of: $0) }
    #expect(cells == Self.all.sorted().map(\.description))
    // Only what would be markup gets a backslash.
    for (ticker, row) in [("BRK_A", "| BRK_A |"), ("A|B", "| A\\|B |"), ("<B>", "| \\<B\\> |"), ("_A", "| \\_A |")] {
      #expect(rows.contains { $0.hasPrefix(row) }, "\(ticker)")
    }
  }

  /// The text of a row's first cell, without the backslashes before its punctuation.
  private static func firstCell(of row: Substring) -> String {
    var text = ""
    var rest = row.dropFirst(2)
    while let character = rest.popFirst(), character != " " {
      text.append(character == "\\" ? rest.popFirst() ?? character : character)
      if character == "|" { return "a cell ends in \(text)" }
    }
    return text
  }
}
