import Quoin

// What the files in data/ hold.

extension QuoteGenerator {
  static let fedExSeed: UInt64 = 20_051_014
  /// One of the few seeds with which two of the six stocks split within two years.
  static let wikiSampleSeed: UInt64 = 20_180_389

  /// FedEx from 2001-01-05 to 2005-10-14: a made-up path that ends with the one real row.
  ///
  /// That row, with its adjusted values, is the example of Quandl's documentation. Its factor is not 1, because the
  /// vendor had adjusted for dividends paid after it: F is the quotient of its two closes, which gives all four of its
  /// adjusted prices back bit for bit, and the days before go on from there.
  public static func fedExSample() -> QuoteColumns {
    var random = SeededRandom(seed: fedExSeed)
    let days = ExchangeCalendar.days(from: "2001-01-05", through: "2005-10-14")
    let profile = StockProfile(level: 1, volatility: 0.012, pull: 1.0 / 20, volume: 2_900_000)
    var quotes = RawQuotes(days: days)
    var path = PricePath(profile, using: &random)
    var trading = TradingVolume(profile, using: &random)
    for row in days.indices {
      quotes.set(path.next(level: FedExHistory.price(on: days[row]), on: days[row], using: &random), at: row)
      quotes.volume[row] = trading.next(on: days[row], using: &random)
      quotes.exDividend[row] = FedExHistory.dividend(on: days[row], after: row > 0 ? days[row - 1] : days[row])
    }
    FedExHistory.setRealRow(&quotes, at: days.count - 1)
    return quotes.adjusted(from: AdjustmentFactors(price: 81.602653510676 / 87.6))
  }

  /// The last 504 trading days of six well-known tickers before 2018-03-28, ascending by ticker.
  public static func wikiSample() -> [(ticker: TickerSymbol, quotes: QuoteColumns)] {
    let tickers: [TickerSymbol] = ["AAPL", "BA", "BRK_A", "GE", "KO", "MSFT"]
    return tickers.map { ($0, history(of: $0, days: 504, endingOn: "2018-03-27", seed: wikiSampleSeed)) }
  }
}

/// Where FedEx stood, roughly, and what it paid.
private enum FedExHistory {
  /// A price that the sample's path is drawn to, between turning points in a straight line.
  static func price(on day: TradingDay) -> Double {
    guard let next = turningPoints.firstIndex(where: { $0.day >= day }), next > 0 else { return turningPoints[0].price }
    let (from, to) = (turningPoints[next - 1], turningPoints[next])
    let part =
      Double(day.daysSince1970 - from.day.daysSince1970) / Double(to.day.daysSince1970 - from.day.daysSince1970)
    return from.price + (to.price - from.price) * part
  }

  private static let turningPoints: [(day: TradingDay, price: Double)] = [
    ("2001-01-01", 41), ("2001-06-01", 40), ("2001-09-21", 35), ("2002-03-15", 57), ("2002-10-04", 47),
    ("2003-03-14", 53), ("2003-10-15", 73), ("2004-02-13", 69), ("2004-06-15", 78), ("2004-08-16", 81),
    ("2004-12-15", 97), ("2005-03-15", 95), ("2005-05-16", 85), ("2005-07-15", 81), ("2005-08-15", 83),
    ("2005-09-23", 79), ("2005-10-14", 87),
  ]

  /// Quarterly since 2002: on the first trading day from the 10th of March, June, September and December on.
  static func dividend(on day: TradingDay, after previous: TradingDay) -> Double {
    let (year, month, dayOfMonth) = day.components
    guard month % 3 == 0, dayOfMonth >= 10, previous.components.month != month || previous.components.day < 10
    else { return 0 }
    return [2002: 0.05, 2003: 0.05, 2004: 0.07, 2005: 0.08][year] ?? 0
  }

  static func setRealRow(_ quotes: inout RawQuotes, at row: Int) {
    quotes.set(PriceBar(open: 869_000, high: 877_000, low: 859_600, close: 876_000), at: row)
    quotes.volume[row] = 1_373_400
    quotes.exDividend[row] = 0
  }
}
