import Quoin
import Testing

@Suite struct TickerSymbolTests {
  @Test(arguments: ["brk.a", "BRK-A", "BRK_A", "brk_a"])
  func spellings_of_a_share_class_are_one_ticker(_ text: String) throws {
    #expect(try TickerSymbol(text).description == "BRK_A")
  }

  @Test(arguments: ["", "_A", ".A", "A/B", "../../etc/passwd", "A B", "A\u{0}", "Ä", "ABCDEFGHIJKLMNOPQ"])
  func what_is_no_symbol_is_refused(_ text: String) {
    #expect(throws: TickerSymbolError.self) { try TickerSymbol(text) }
  }

  @Test func order_is_that_of_the_bytes() throws {
    let sorted: [TickerSymbol] = ["A", "AA", "AAPL", "ABCDEFGHIJ", "ABCDEFGHIK", "BRK_A", "Z"]
    #expect(sorted.shuffled().sorted() == sorted)
  }
}
