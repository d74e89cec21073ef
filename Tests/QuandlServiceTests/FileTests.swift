import Foundation
import Quoin
import Testing

@testable import QuandlService

@Suite struct FileTests {
  private static let market = try! TestService.market(12, rowCount: 6000).unlinked
  private static let header =
    "ticker,date,open,high,low,close,volume,ex-dividend,split_ratio,adj_open,adj_high,adj_low,adj_close,adj_volume"

  private func unpacked(_ answer: ReadAnswer) throws -> [Substring] {
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/zip" && answer.error == nil)
    let text = try #require(try Tool.output(of: ["gzip", "-dc", "FILE"], on: answer.bytes))
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
  }

  @Test(arguments: ["", "?download_type=partial", "?download_type=complete", "?download_type=full&api_key=x"])
  func the_bulk_file_is_the_whole_table(_ query: String) throws {
    let answer = Self.market.get("databases/WIKI/data" + query)
    #expect(answer.headers["content-disposition"] == "attachment; filename=WIKI.zip")
    // Importers of Quandl's file took every line for a row.
    let lines = try unpacked(answer)
    #expect(lines.count == 6000 && !lines.contains(Self.header[...]))
    let name = String(decoding: answer.bytes.dropFirst(30).prefix(17), as: UTF8.self)
    let today = ISO8601DateFormatter().string(from: Date()).prefix(10).replacing("-", with: "")
    #expect(
      name.wholeMatch(of: /WIKI_\d{8}\.csv/) != nil && abs(Int(name.dropFirst(5).prefix(8))! - Int(today)!) < 9000)
    let volumes = lines.compactMap { $0.split(separator: ",", omittingEmptySubsequences: false)[6].last }
    #expect(volumes.allSatisfy { $0 == "0" })
  }

  @Test func the_bulk_file_imported_again_is_the_same_store() throws {
    let file = Self.market.path + "-bulk.zip"
    try Data(Self.market.get("databases/WIKI/data").bytes).write(to: URL(fileURLWithPath: file))
    let copy = try TestService([:] as [TickerSymbol: QuoteColumns])
    defer { try? FileManager.default.removeItem(atPath: file) }
    try copy.store.importFiles([file])
    let (original, read) = (try Self.market.store.allQuotes.fetch(), try copy.store.allQuotes.fetch())
    #expect(original.elementsEqual(read))
    #expect(copy.get("databases/WIKI/data").bytes.elementsEqual(Self.market.get("databases/WIKI/data").bytes))
  }

  private func link(_ answer: ReadAnswer) throws -> String {
    let file = try #require(answer.object("datatable_bulk_download")["file"] as? [String: Any])
    #expect(file["status"] as? String == "fresh")
    #expect((file["data_snapshot_time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/) != nil)
    return try #require(file["link"] as? String)
  }

  @Test func an_export_is_a_link_to_a_file_with_the_same_filters() throws {
    let tickers = Self.market.store.tickers[2...4].map(\.description)
    let filters = "ticker%5B%5D=\(tickers[0])&ticker%5B%5D=\(tickers[2])&date.gte=2017-06-01&close.gt=0.5"
    let query = "datatables/WIKI/PRICES.json?\(filters)&qopts.columns=ticker,date,close"
    let link = try link(Self.market.get(query + "&qopts.export=true&qopts.per_page=3&api_key=se%26cret"))
    #expect(
      link == "http://127.0.0.1/api/v3/datatables/WIKI/PRICES/export.zip?ticker=\(tickers[0]),\(tickers[2])"
        + "&date.gte=2017-06-01&close.gt=0.5&qopts.columns=ticker,date,close&api_key=se%26cret")
    let lines = try unpacked(Self.market.get(String(link.dropFirst("http://127.0.0.1/api/v3/".count))))
    let rows = Self.market.get(query).rows()
    #expect(!rows.isEmpty && lines.first == "ticker,date,close" && lines.count == rows.count + 1)
    #expect(lines.dropFirst().map { $0.prefix { $0 != "," } } == rows.map { "\($0[0])"[...] })
  }

  @Test func a_posted_export_leads_to_the_same_file() throws {
    let ticker = Self.market.store.tickers[5]
    let post = try link(
      Self.market.post("datatables/WIKI/PRICES.json", #"{"ticker": ["\#(ticker)"], "qopts.export": "true"}"#))
    #expect(try link(Self.market.get("datatables/WIKI/PRICES?ticker=\(ticker)&qopts.export=True")) == post)
    #expect(post.hasSuffix("/datatables/WIKI/PRICES/export.zip?ticker=\(ticker)"))
  }

  @Test func a_link_carries_what_the_server_wants_and_where_it_is() throws {
    var request = ServiceRequest("datatables/WIKI/PRICES?qopts.export=true&api_key=old")
    request.origin = "https://quotes.example:8443"
    request.linkQuery = [("api_key", "a b/ü")]
    let link = try link(Self.market.answer(to: request))
    #expect(link == "https://quotes.example:8443/api/v3/datatables/WIKI/PRICES/export.zip?api_key=a%20b%2F%C3%BC")
  }

  @Test func an_export_comes_as_csv_as_zipline_reads_it() throws {
    let target = "datatables/WIKI/PRICES.csv?ticker=A,B&qopts.export=true&api_key=k"
    let answer = Self.market.get(target)
    let link = try link(Self.market.get(target.replacing(".csv", with: "")))
    let lines = answer.lines
    #expect(answer.headers["content-type"] == "text/csv" && lines.count == 2)
    #expect(lines[0] == "file.link,file.status,file.data_snapshot_time,datatable.last_refreshed_time")
    let time = String(lines[1].split(separator: ",").last ?? "")
    #expect(lines[1] == "\"\(link)\",fresh,\(time),\(time)" && time.hasSuffix(" UTC"))
    let xml = Self.market.get(target.replacing(".csv", with: ".xml")).text
    #expect(xml.contains("<datatable-bulk-download><file><link>\(link.replacing("&", with: "&amp;"))</link>"))
  }

  @Test func an_export_without_filters_is_the_bulk_file_with_a_header() throws {
    let link = try link(Self.market.get("datatables/WIKI/PRICES?qopts.export=true"))
    #expect(link == "http://127.0.0.1/api/v3/datatables/WIKI/PRICES/export.zip")
    let file = Self.market.get("datatables/WIKI/PRICES/export.zip")
    #expect(file.headers["content-disposition"] == "attachment; filename=WIKI_PRICES.zip")
    let lines = try unpacked(file)
    #expect(lines.first == Self.header[...])
    #expect(try Array(lines.dropFirst()) == unpacked(Self.market.get("databases/WIKI/data")))
    #expect(file.pieces.allSatisfy { $0.count <= 1 << 17 })
  }

  @Test func filters_that_fit_in_no_link_are_refused() {
    let tickers = (0..<3000).map { "\"T\($0)\"" }.joined(separator: ",")
    let answer = Self.market.post("datatables/WIKI/PRICES.json", #"{"ticker": [\#(tickers)], "qopts.export": true}"#)
    #expect(answer.status == 413 && answer.errorCode == "QELx08")
  }

  @Test func codes_are_a_line_for_each_dataset() throws {
    let lines = try unpacked(Self.market.get("databases/WIKI/codes.csv"))
    #expect(lines.count == 12)
    let first = Self.market.store.tickers[0]
    #expect(lines[0] == "WIKI/\(first),\"\(first) Prices, Dividends, Splits and Trading Volume\"")
  }

  @Test func a_file_of_a_market_is_made_piece_by_piece() throws {
    var body = Self.market.service.answer(to: ServiceRequest("databases/WIKI/data")).body
    var largest = 0
    while let piece = try body.next() { largest = max(largest, piece.count) }
    #expect(body.byteCount == nil && largest <= 1 << 17)
  }
}
