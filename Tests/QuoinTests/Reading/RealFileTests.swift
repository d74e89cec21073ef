import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The folder of real files that `QUOIN_REAL_QUOTES` names, if it does.
private let realFolder = unsafe getenv("QUOIN_REAL_QUOTES").map { unsafe String(cString: $0) }

@Suite(.enabled(if: realFolder != nil)) struct RealFileTests {
  @Test(arguments: [("AAPL", 9400), ("MSFT", 8076), ("KO", 13_747)])
  func every_cell_of_a_real_file_is_the_nearest_float64(_ ticker: TickerSymbol, _ rowCount: Int) throws {
    let path = try #require(realFolder) + "/WIKI-\(ticker).csv"
    var sink = MemorySink()
    let summary = try QuoteImporter().importFiles([path], into: &sink)
    #expect(summary.rowCount == rowCount && summary.badRows.isEmpty && summary.ignoredColumns.isEmpty)
    let lines = try read(path).split(whereSeparator: \.isNewline).dropFirst()
    for line in lines {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let quote = try #require(sink.quotes[ticker]?[TradingDay(stringLiteral: String(cells[0]))])
      for (name, cell) in zip(Attribute.allCases, cells.dropFirst()) {
        #expect(quote[name] == Double(cell))
      }
    }
  }

  @Test(arguments: [
    ("tsla_WIKI_rows1_dataset_v3.json", "TSLA"), ("aapl_WIKI_PRICES_datatable_2017-11-22.json", "AAPL"),
  ])
  func answers_of_the_service_are_read(_ name: String, _ ticker: TickerSymbol) throws {
    var sink = MemorySink()
    let summary = try QuoteImporter().importFiles([try #require(realFolder) + "/" + name], into: &sink)
    let quote = try #require(sink.rows(ticker).first)
    #expect(
      summary.rowCount == 1 && quote.adjustedVolume == quote.volume.map { Double($0) }
        && quote.close == quote.adjustedClose)
  }

  private func read(_ path: String) throws -> String {
    var lines = LineReader(try InputFile(path: path), readByteCount: 1 << 20, lineByteCountMax: 1 << 20)
    return try lines.readAll(byteCountMax: 1 << 30).withText { String(decoding: $0, as: UTF8.self) }
  }
}
