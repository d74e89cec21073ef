import Quoin
import Testing

@testable import QuandlService

@Suite struct ListTests {
  private static let market = try! TestService.market(230, rowCount: 2300).unlinked

  private func codes(_ answer: ReadAnswer) -> [String] {
    (answer.json()["datasets"] as? [[String: Any]] ?? []).compactMap { $0["dataset_code"] as? String }
  }

  @Test func datasets_come_page_by_page() {
    let tickers = Self.market.store.tickers.map(\.description)
    let first = Self.market.get("datasets?database_code=WIKI&query=&page=1")
    #expect(codes(first) == Array(tickers[..<100]))
    #expect(
      first.text.hasSuffix(
        #""meta":{"query":"","per_page":100,"current_page":1,"prev_page":null,"total_pages":3,"total_count":230,"#
          + #""next_page":2,"current_first_item":1,"current_last_item":100}}"#))
    let last = Self.market.get("datasets?database_code=wiki&page=3")
    #expect(codes(last) == Array(tickers[200...]))
    #expect(
      last.text.hasSuffix(
        #""current_page":3,"prev_page":2,"total_pages":3,"total_count":230,"next_page":null,"current_first_item":201,"#
          + #""current_last_item":230}}"#))
    #expect(codes(Self.market.get("datasets.json?per_page=7&page=2")) == Array(tickers[7..<14]))
    for page in ["4", "9223372036854775807"] { #expect(codes(Self.market.get("datasets?page=\(page)")).isEmpty) }
  }

  @Test func a_dataset_of_the_list_is_described_as_its_metadata_are() throws {
    let ticker = Self.market.store.tickers[0]
    let metadata = Self.market.get("datasets/WIKI/\(ticker)/metadata").text
    let list = Self.market.get("datasets?per_page=1").text
    #expect(list.hasPrefix("{\"datasets\":[" + metadata.dropFirst("{\"dataset\":".count).dropLast()))
  }

  @Test func a_search_finds_codes_and_names() throws {
    let ticker = Self.market.store.tickers[17].description
    #expect(codes(Self.market.get("datasets?query=\(ticker.lowercased())")).contains(ticker))
    #expect(codes(Self.market.get("datasets?query=wiki/\(ticker)+prices")).contains(ticker))
    #expect(Self.market.get("datasets?query=trading%20volume").object("meta")["total_count"] as? Int == 230)
    let none = Self.market.get("datasets?query=no%22such%5Cword%01")
    #expect(codes(none).isEmpty)
    #expect(none.object("meta")["query"] as? String == "no\"such\\word\u{1}")
    #expect(none.object("meta")["total_pages"] as? Int == 0)
  }

  @Test func the_database_and_the_list_of_databases_say_how_many_datasets_there_are() {
    let database = Self.market.get("databases/WIKI").object("database")
    #expect(database["database_code"] as? String == "WIKI" && database["datasets_count"] as? Int == 230)
    let list = Self.market.get("databases.json")
    #expect((list.json()["databases"] as? [[String: Any]])?.count == 1)
    #expect(list.object("meta")["total_count"] as? Int == 1)
  }

  @Test func an_empty_store_has_empty_lists() throws {
    let empty = try TestService([:] as [TickerSymbol: QuoteColumns])
    #expect(codes(empty.get("datasets")).isEmpty)
    #expect(empty.get("databases/WIKI").object("database")["datasets_count"] as? Int == 0)
    #expect(empty.get("datatables/WIKI/PRICES").rows().isEmpty && empty.get("datatables/WIKI/PRICES").cursor == nil)
    #expect(empty.get("datasets/WIKI/AAPL/data").status == 404)
  }
}
