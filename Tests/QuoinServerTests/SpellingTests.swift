import Foundation
import Quoin
import Testing

/// Tickers whose characters mean something in an address.
struct SpellingTests {
  private static let tickers: [TickerSymbol] = [
    "BRK_A", "BRK-A", "BRK.A", "^GSPC", "CL=F", "EURUSD=X", "%41", "A?B=C&D", "#", "`", "A+B", "A.CSV", "<B>", "...",
    "A;B:C@D", "|",
  ]

  @Test func each_is_found_by_its_spelling_in_a_path_and_in_a_query() throws {
    let folder = try TestFolder()
    let quotes = Self.tickers.enumerated().map {
      DailyQuoteSummary(ticker: $1, date: "2005-10-14", close: Double($0))
    }
    let store = try QuoteStore(at: folder.store)
    try store.delete(["BRK_A"])
    try store.upsert(quotes)
    let server = try ServerProcess(folder)
    for (index, ticker) in Self.tickers.enumerated() {
      let code = ticker.description.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let rows = try server.get("/api/v1/scan?tickers=\(code)&columns=ticker,close&format=csv")
      #expect(rows.status == 200 && rows.text == "ticker,close\n\(ticker),\(index).0\n", "\(ticker): \(rows.text)")
      let data = try server.get("/api/v3/datasets/WIKI/\(code)/data.csv?column_index=4")
      #expect(data.status == 200 && data.text == "Date,Close\n2005-10-14,\(index).0\n", "\(ticker): \(data.text)")
      let page = try server.get("/api/v3/datatables/WIKI/PRICES.csv?ticker=\(code)&qopts.columns=ticker,close")
      #expect(page.status == 200 && page.text == "ticker,close\n\(ticker),\(index).0\n", "\(ticker): \(page.text)")
    }
    let list = try server.get("/api/v1/tickers?format=csv").text.split(separator: "\n").dropFirst()
    #expect(list.map { $0.prefix { $0 != "," } } == store.tickers.map { "\($0)"[...] })
  }
}
