import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct TickerSymbolTests {
  @Test func six_spellings_are_six_tickers() throws {
    let symbols = try NastyTexts.sixTickers.map { try TickerSymbol($0) }
    #expect(Set(symbols).count == 6 && symbols.map(\.description) == NastyTexts.sixTickers)
  }

  @Test(arguments: [("brk.a", "BRK.A"), ("Brk-a", "BRK-A"), ("eurusd=x", "EURUSD=X"), ("[a]~{z}`", "[A]~{Z}`")])
  func a_ticker_is_spelled_as_its_source_spells_it_but_in_upper_case(_ text: String, _ expected: String) throws {
    #expect(try TickerSymbol(text).description == expected)
    #expect(try TickerSymbol(text) == TickerSymbol(expected))
  }

  @Test func every_visible_character_is_taken_but_those_that_texts_need() {
    for byte in UInt8.min...UInt8.max {
      let isTaken = (0x21...0x7E).contains(byte) && !Array(",\"'/\\".utf8).contains(byte)
      let expected = (0x61...0x7A).contains(byte) ? byte - 32 : byte
      for bytes in [[0x41, byte], [byte, 0x41], [0x41, byte, 0x41]] {
        let symbol = try? TickerSymbol(utf8: bytes)
        #expect((symbol != nil) == isTaken, "\(bytes)")
        #expect(symbol.map { $0.utf8 == bytes.map { $0 == byte ? expected : $0 } } ?? true, "\(bytes)")
      }
    }
  }

  @Test(arguments: 1...32) func a_ticker_has_up_to_32_characters(_ count: Int) throws {
    let text = String(repeating: "=", count: count)
    #expect(try TickerSymbol(text).description == text && TickerSymbol(text).byteCount == count)
    let letters = String("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".prefix(count))
    #expect(try TickerSymbol(letters.lowercased()).description == letters)
  }

  @Test(arguments: NastyTexts.noTickers) func what_is_no_symbol_is_refused(_ text: String) {
    #expect(throws: TickerSymbolError.self) { try TickerSymbol(text) }
  }

  @Test(arguments: NastyTexts.tickers) func what_looks_like_something_else_is_a_ticker(_ text: String) throws {
    #expect(try TickerSymbol(text).description == text)
  }

  @Test(arguments: [
    ("", "the ticker is empty; write a symbol such as FDX"), (".", "'.' isn't a ticker: it would name a directory"),
    (
      "BRK A",
      "'BRK A' isn't a ticker: a symbol has only ASCII characters, and no space, comma, quote, slash or backslash"
    ),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456",
      "ticker 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456' has more than 32 characters"
    ),
  ])
  func an_error_says_what_a_ticker_is(_ text: String, _ message: String) {
    let error = #expect(throws: TickerSymbolError.self) { try TickerSymbol(text) }
    #expect(error?.description == message)
  }

  /// Compared with arrays of bytes, on texts that often begin alike, up to the ends of words.
  @Test func order_equality_hash_and_bytes_are_those_of_the_text() throws {
    var dice = TestSettings.dice("tickers in order")
    let texts = (0..<200).map { _ in Self.text(&dice) }
    for a in texts {
      let (symbol, bytes) = (try TickerSymbol(utf8: a), a)
      #expect(symbol.utf8 == bytes && symbol.description == String(decoding: bytes, as: UTF8.self))
      var stored: [UInt8] = []
      symbol.append(to: &stored)
      #expect(stored == bytes + Array(repeating: 0, count: 32 - bytes.count))
      #expect(try Self.read(stored) == symbol)
      for b in texts {
        let other = try TickerSymbol(utf8: b)
        #expect((symbol < other) == a.lexicographicallyPrecedes(b), "\(symbol) \(other)")
        #expect((symbol == other) == (a == b) && (a != b || symbol.hashValue == other.hashValue), "\(symbol) \(other)")
      }
    }
  }

  private static func text(_ dice: inout SeededRandom) -> [UInt8] {
    let count = dice.element(of: [1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32])
    var text: [UInt8] = Array(repeating: UInt8(ascii: "A"), count: count)
    for _ in 0..<dice.below(3) { text[dice.below(count)] = dice.element(of: Array("!-.AZ^_~".utf8)) }
    return text.count < 3 ? text + [UInt8(ascii: "A")] : text
  }

  private static func read(_ bytes: [UInt8]) throws -> TickerSymbol {
    try bytes.withView { view in
      var reader = ByteReader(view)
      return try TickerSymbol(&reader)
    }
  }

  /// Each is refused where it is stored, too.
  @Test(arguments: [
    "", ".", "..", "brk", "A B", "A\u{0}B", "A/B", "ABCDEFGH\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}X", "é",
  ])
  func what_is_no_symbol_is_damage(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(throws: Damage.self) { try Self.read(bytes + Array(repeating: 0, count: 32 - bytes.count)) }
  }

  @Test func no_byte_after_a_symbol_is_overlooked() throws {
    for count in [1, 7, 8, 9, 16, 24] {
      for place in (count + 1)..<32 {
        var bytes = Array(repeating: UInt8(ascii: "A"), count: count) + Array(repeating: 0, count: 32 - count)
        #expect(try Self.read(bytes).byteCount == count)
        bytes[place] = UInt8(ascii: "A")
        #expect(throws: Damage.self, "\(count) \(place)") { try Self.read(bytes) }
      }
    }
  }

  @Test func an_import_finds_a_ticker_in_the_name_of_its_file() throws {
    for text in NastyTexts.sixTickers + NastyTexts.tickers + [
      "WIKI-X", "WIKI_X", "WIKI-WIKI-X", "X.CSV", "X.GZ", "WIKI",
    ] {
      let ticker = try TickerSymbol(text)
      #expect(try TickerSymbol(fileName: ticker.fileName("json")) == ticker, "\(ticker.fileName("json"))")
      #expect(try TickerSymbol(fileName: "a/b/" + ticker.fileName("csv") + ".gz") == ticker)
    }
    #expect(TickerSymbol("FDX").fileName("json") == "FDX.json")
  }
}

/// Tickers that differ in nothing but the characters between their parts.
@Suite struct TickerLikenessTests {
  @Test func symbols_are_alike_that_differ_in_dots_hyphens_and_underscores() {
    for (a, b, areAlike) in [
      ("BRK.A", "BRK_A", true), ("BRK-A", "BRK.A", true), ("A._-", "A--.", true), ("BRK.A", "BRKA", false),
      ("BRK.A", "BRK.B", false), ("BRK.A", "BRK=A", false), ("FDX", "FDX", true),
    ] as [(TickerSymbol, TickerSymbol, Bool)] {
      #expect(a.isLike(b) == areAlike && b.isLike(a) == areAlike, "\(a) \(b)")
    }
  }

  @Test func those_that_are_alike_are_found_among_many() throws {
    var dice = TestSettings.dice("alike tickers")
    let letters = Array("A.-_".utf8)
    let all = Set(
      (0..<(TestSettings.isDebug ? 600 : 3000)).map { _ in (0...dice.below(6)).map { _ in dice.element(of: letters) } })
    let sorted = all.compactMap { try? TickerSymbol(utf8: $0) }.sorted()
    for symbol in sorted {
      let expected = sorted.filter { $0 != symbol && $0.isLike(symbol) }
      #expect(symbol.alike(in: sorted) == expected, "\(symbol)")
    }
    #expect(TickerSymbol("A.B").alike(in: []) == [] && TickerSymbol("FDX").alike(in: ["FDX"]) == [])
  }
}
