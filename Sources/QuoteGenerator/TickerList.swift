import Quoin

/// Plausible ticker symbols: the ones everybody knows first, then random ones of one to five letters.
enum TickerList {
  /// `count` different symbols, ascending.
  static func symbols(_ count: Int, using random: inout SeededRandom) -> [TickerSymbol] {
    var symbols = Set(wellKnown.prefix(count))
    while symbols.count < count {
      let length = random.pick([(1, 1), (6, 2), (46, 3), (45, 4), (2, 5)])
      // Where the short ones run out, five letters always have room.
      if !symbols.insert(symbol(length, using: &random)).inserted { symbols.insert(symbol(5, using: &random)) }
    }
    return symbols.sorted()
  }

  private static func symbol(_ length: Int, using random: inout SeededRandom) -> TickerSymbol {
    var letters = (0..<length).map { _ in UInt8(ascii: "A") + UInt8(random.below(26)) }
    if (2...3).contains(length), random.chance(0.012) {
      letters += [UInt8(ascii: "_"), UInt8(ascii: "A") + UInt8(random.below(2))]
    }
    return TickerSymbol(stringLiteral: String(decoding: letters, as: UTF8.self))
  }

  private static let wellKnown: [TickerSymbol] = [
    "AAPL", "MSFT", "FDX", "BA", "KO", "GE", "IBM", "BRK_A", "GOOGL", "AMZN", "FB", "JPM", "JNJ", "XOM", "WMT", "PG",
    "T",
    "VZ", "F", "GM", "DIS", "INTC", "CSCO", "ORCL", "NVDA", "NFLX", "TSLA", "GOOG", "BRK_B", "BAC", "WFC", "GS", "AXP",
    "MCD", "NKE", "HD", "PEP", "PFE", "MRK", "CVX", "CAT", "MMM", "UPS",
  ]
}
