import Foundation
import Quoin
import Testing

@testable import QuandlService
@testable import QuoteGenerator

/// Tickers that are spelled like no code of Quandl's, and codes that are spelled like no ticker.
@Suite struct SpellingTests {
  private static let six: [TickerSymbol] = ["BRK_A", "BRK-A", "BRK.A", "^GSPC", "CL=F", "EURUSD=X"]
  /// What a query or a path would take for its own.
  private static let nasty: [TickerSymbol] = [
    "%41", "A?B=C&D", "#", "`", "A+B", "_A", "A.CSV", "<B>", "...", "A;B:C@D",
  ]

  /// Every ticker has one row, whose close is its number.
  private static let service: TestService = {
    let quotes = (six + nasty).enumerated().map {
      DailyQuoteSummary(ticker: $1, date: "2005-10-14", close: Double($0))
    }
    return try! TestService(quotes).unlinked
  }()

  /// Other spellings than the store's, some of them of several tickers.
  private static let other = try! TestService([
    DailyQuoteSummary(ticker: "BRK.A", date: "2005-10-14", close: 1),
    DailyQuoteSummary(ticker: "BF.B", date: "2005-10-14", close: 2),
    DailyQuoteSummary(ticker: "BF-B", date: "2005-10-14", close: 3),
    DailyQuoteSummary(ticker: "AAPL.US", date: "2005-10-14", close: 4),
  ]).unlinked

  private static func encoded(_ ticker: TickerSymbol) -> String {
    ticker.description.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test func each_is_a_dataset_of_its_own() throws {
    for (index, ticker) in (Self.six + Self.nasty).enumerated() {
      let code = Self.encoded(ticker)
      let data = Self.service.get("datasets/WIKI/\(code)/data?column_index=4").object("dataset_data")
      #expect((data["data"] as? [[Any]])?.first?.last as? Double == Double(index), "\(ticker)")
      #expect(data["dataset_code"] == nil, "\(ticker)")
      for path in ["datasets/WIKI/\(code)", "datasets/WIKI/\(code)/metadata", "datasets/wiki/\(code).json"] {
        #expect(Self.service.get(path).object("dataset")["dataset_code"] as? String == ticker.description, "\(path)")
      }
      let csv = Self.service.get("datasets/WIKI/\(code)/data.csv?column_index=4")
      #expect(csv.text == "Date,Close\n2005-10-14,\(index).0\n", "\(ticker)")
    }
  }

  @Test func the_table_has_each_by_its_spelling() throws {
    let table = Self.service.get("datatables/WIKI/PRICES?qopts.columns=ticker,close").rows()
    #expect(table.map { "\($0[0])" } == (Self.six + Self.nasty).sorted().map(\.description))
    for (index, ticker) in (Self.six + Self.nasty).enumerated() {
      let rows = Self.service.get("datatables/WIKI/PRICES?ticker=\(Self.encoded(ticker))&qopts.columns=close").rows()
      #expect(rows.count == 1 && rows.first?.first as? Double == Double(index), "\(ticker)")
    }
    let pages = Self.service.get("datatables/WIKI/PRICES?ticker.gte=BRK&ticker.lt=BRL").rows()
    #expect(pages.map { "\($0[0])" } == ["BRK-A", "BRK.A", "BRK_A"])
  }

  @Test func pages_of_one_row_bring_each_of_them() {
    var (cursor, found): (String?, [String]) = (nil, [])
    repeat {
      let page = Self.service.get(
        "datatables/WIKI/PRICES?qopts.per_page=1" + (cursor.map { "&qopts.cursor_id=\($0)" } ?? ""))
      found += page.rows().map { "\($0[0])" }
      cursor = page.cursor
    } while cursor != nil && found.count < 100
    #expect(found == (Self.six + Self.nasty).sorted().map(\.description))
  }

  @Test func a_cursor_holds_any_ticker() {
    for ticker in Self.six + Self.nasty + ["ABCDEFGHIJKLMNOPQRSTUVWXYZ012345", "_", "__", "-_"] {
      let key = TableKey(ticker: ticker, day: "2005-10-14")
      #expect(TableKey(cursor: key.cursor) == key, "\(ticker)")
    }
  }

  @Test func an_export_and_the_list_of_codes_name_each_of_them() throws {
    func lines(_ target: String) throws -> [Substring] {
      let bytes = try #require(try Tool.output(of: ["gzip", "-dc", "FILE"], on: Self.service.get(target).bytes))
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
    let sorted = (Self.six + Self.nasty).sorted()
    #expect(try lines("databases/WIKI/data").map { $0.prefix { $0 != "," } } == sorted.map { "\($0)"[...] })
    #expect(try lines("databases/WIKI/codes").map { $0.prefix { $0 != "," } } == sorted.map { "WIKI/\($0)"[...] })
    let answer = Self.service.get("datatables/WIKI/PRICES?ticker=A%3FB%3DC%26D,%2541&qopts.export=true")
    let file = try #require(answer.object("datatable_bulk_download")["file"] as? [String: Any])
    let link = try #require(file["link"] as? String)
    #expect(link.hasSuffix("/export.zip?ticker=A%3FB%3DC%26D,%2541"))
    let rows = try lines(String(link.dropFirst("http://127.0.0.1/api/v3/".count)))
    #expect(rows.dropFirst().map { $0.prefix { $0 != "," } } == ["%41", "A?B=C&D"])
  }

  @Test(arguments: ["BRK_A", "BRK-A", "brk.a", "brk_a"]) func a_code_finds_the_only_ticker_that_is_alike(_ code: String)
  {
    let data = Self.other.get("datasets/WIKI/\(code)/data?column_index=4").object("dataset_data")
    #expect((data["data"] as? [[Any]])?.first?.last as? Double == 1)
    // Whoever asks by another name learns what it is called here.
    #expect(data["dataset_code"] as? String == (code == "brk.a" ? nil : "BRK.A"))
    #expect(Self.other.get("datasets/WIKI/\(code)").object("dataset")["dataset_code"] as? String == "BRK.A")
    let rows = Self.other.get("datatables/WIKI/PRICES?ticker=\(code)&qopts.columns=ticker,close").rows()
    #expect(rows.map { "\($0[0])" } == ["BRK.A"])
  }

  @Test(arguments: [
    ("BF_B", "There is no dataset 'WIKI/BF_B'; did you mean WIKI/BF-B or WIKI/BF.B?"),
    ("AAPL", "There is no dataset 'WIKI/AAPL'; did you mean WIKI/AAPL.US?"),
    ("BRK_C", "There is no dataset 'WIKI/BRK_C'."),
    (".", "There is no dataset 'WIKI/.'."), ("F%20X", "There is no dataset 'WIKI/F X'."),
  ])
  func a_code_of_several_tickers_or_of_none_is_not_found(_ code: String, _ message: String) {
    let answer = Self.other.get("datasets/WIKI/\(code)/data")
    #expect(answer.status == 404 && answer.errorCode == "QECx02" && answer.errorMessage == message, "\(answer.text)")
    #expect(Self.other.get("datatables/WIKI/PRICES?ticker=\(code)").rows().isEmpty)
  }

  /// A list of many codes is looked up in little time.
  @Test func many_codes_that_are_nowhere_are_answered() {
    let codes = (0..<20_000).map { "\"BRK_\($0)\"" }.joined(separator: ",")
    let answer = Self.other.post("datatables/WIKI/PRICES", #"{"ticker": [\#(codes), "BRK_A"]}"#)
    #expect(answer.status == 200 && answer.rows().count == 1)
  }
}
