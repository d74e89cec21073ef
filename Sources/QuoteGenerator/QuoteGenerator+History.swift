import Quoin

extension QuoteGenerator {
  /// A made-up history of one ticker: `days` trading days, the last of them `endingOn` or the trading day before it.
  ///
  /// Oldest first, adjusted to the last day. Fewer days where the calendar begins; none for 0 or less.
  public static func history(
    of ticker: TickerSymbol, days: Int, endingOn last: TradingDay, seed: UInt64
  ) -> QuoteColumns {
    var random = SeededRandom(seed: seed, stream: stream(of: ticker))
    let profile = StockProfile(of: ticker, using: &random)
    let days = ExchangeCalendar.days(days, endingOn: last)
    return RawQuotes(days: days, profile: profile, using: &random).adjusted()
  }

  /// A number that differs from ticker to ticker: FNV-1a of the symbol's bytes.
  private static func stream(of ticker: TickerSymbol) -> UInt64 {
    ticker.description.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
