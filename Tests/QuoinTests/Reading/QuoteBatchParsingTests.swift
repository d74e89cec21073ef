import Testing

@testable import Quoin

/// Texts that are in memory, which are read as files are.
@Suite struct QuoteBatchParsingTests {
  private let dataset =
    #"{"dataset_data":{"column_names":["Date","Close","Volume"],"data":[["2005-10-14",2,null],["2005-10-13",1,3.0]]}}"#

  private func message(_ text: String, ticker: TickerSymbol? = nil, as format: QuoteFormat? = nil) -> String {
    do {
      _ = try QuoteBatch(
        parsing: text.utf8, options: ImportOptions(format: format, ticker: ticker), name: "the answer")
      return "no error"
    } catch { return "\(error)" }
  }

  @Test func rows_are_ordered_by_ticker_and_day() throws {
    let text = "ticker,date,close\nMSFT,2005-10-14,4\nFDX,2005-10-14,2\nFDX,2005-10-13,1\nMSFT,2005-10-13,3\n"
    let batch = try QuoteBatch(parsing: text.utf8)
    #expect(batch.tickers == ["FDX", "FDX", "MSFT", "MSFT"] && batch.columns[.close] == [1, 2, 3, 4])
    #expect(!batch.columns.attributes.isEmpty && batch.columns.integers(.volume).allSatisfy(\.isMissing))
    let parts = batch.columnsByTicker
    #expect(parts.count == 2 && parts["FDX"]?[.close] == [1, 2] && parts["MSFT"]?[.close] == [3, 4])
  }

  @Test func every_form_is_recognized_and_read_as_a_file_is() throws {
    let csv = wikiHeader + "\nFDX," + fedExCells
    let texts = [
      csv, csv + "\r\n",
      #"{"ticker":"FDX","date":"2005-10-14","open":86.9,"high":87.7,"low":85.96,"close":87.6,"volume":1373400,"#
        + #""ex-dividend":0,"split_ratio":1,"adj_open":80.950577512303,"adj_high":81.695807224729,"#
        + #""adj_low":80.074932600202,"adj_close":81.602653510676,"adj_volume":1373400}"#,
    ]
    for text in texts { #expect(try QuoteBatch(parsing: text.utf8).quotes == [fedExRow]) }
    let batch = try QuoteBatch(parsing: dataset.utf8, options: ImportOptions(format: .json, ticker: "FDX"))
    #expect(batch.columns.days == ["2005-10-13", "2005-10-14"] && batch.quotes.map(\.volume) == [3, nil])
  }

  @Test func many_rows_of_one_ticker_come_whole() throws {
    let days = (0..<50_000).compactMap { TradingDay.earliest.advanced(by: $0) }
    let text = "date,close\n" + days.reversed().map { "\($0),1.5\n" }.joined()
    let batch = try QuoteBatch(parsing: text.utf8, options: ImportOptions(ticker: "FDX"))
    #expect(batch.columns.days == days && batch.tickers.count == 50_000)
  }

  @Test func no_name_of_a_text_is_taken_for_a_ticker() {
    #expect(message(dataset).hasPrefix("the answer does not say whose quotes it holds"))
    #expect(message("date,close\n2005-10-14,1\n").hasPrefix("the answer does not say whose quotes it holds"))
  }

  @Test(arguments: [
    ("", "the answer is empty"), ("x", "the answer holds no table but a message: x"),
    ("{", "the answer is not valid JSON"),
    ("[]", "the answer is not a document of quotes"),
    ("date,close\n2005-10-14,x\n", "the answer, line 2, column close"),
    ("date,close\n2005-10-14,1\n2005-10-14,2\n", "twice"), ("\u{1f}", "the answer is empty"),
    (#"{"quandl_error":{"code":"QECx02","message":"no"}}"#, "QECx02: no"),
    ("date,close\n" + String(repeating: "x", count: 1 << 21), "longer than"),
  ])
  func a_bad_text_is_refused_whole(_ text: String, _ reason: String) {
    #expect(message(text, ticker: "FDX").contains(reason), "\(message(text, ticker: "FDX"))")
  }

  @Test func a_packed_text_is_refused() throws {
    #expect(throws: ImportError.cannotUnpack(file: "the text", offset: 0, reason: "it is packed; unpack it first")) {
      try QuoteBatch(parsing: [0x1f, 0x8b, 8, 0] as [UInt8])
    }
  }
}
