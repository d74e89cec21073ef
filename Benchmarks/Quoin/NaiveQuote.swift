import Quoin

/// A quote as one writes it without a second thought. Missing cells are NaN.
struct NaiveQuote {
  let ticker: String
  let date: Int
  let open, high, low, close: Double
  let volume: Int64
  let exDividend, splitRatio, adjustedOpen, adjustedHigh, adjustedLow, adjustedClose, adjustedVolume: Double

  init(_ quote: DailyQuoteSummary, ticker: String) {
    self.ticker = ticker
    date = Int(quote.date.daysSince1970)
    open = quote.open ?? .nan
    high = quote.high ?? .nan
    low = quote.low ?? .nan
    close = quote.close ?? .nan
    volume = quote.volume ?? .min
    exDividend = quote.exDividend ?? .nan
    splitRatio = quote.splitRatio ?? .nan
    adjustedOpen = quote.adjustedOpen ?? .nan
    adjustedHigh = quote.adjustedHigh ?? .nan
    adjustedLow = quote.adjustedLow ?? .nan
    adjustedClose = quote.adjustedClose ?? .nan
    adjustedVolume = quote.adjustedVolume ?? .nan
  }

  /// The four ranges of Q1 and Q2.
  var isInFourRanges: Bool {
    high >= 80 && high <= 83 && low >= 78 && low <= 82 && adjustedHigh >= 75 && adjustedHigh <= 85
      && adjustedLow >= 70 && adjustedLow <= 80
  }

  /// The eleven ranges of Q6.
  var isInElevenRanges: Bool {
    open > 0.00001 && high > 0.00001 && low > 0.00001 && close > 0.00001 && splitRatio > 0.00001
      && adjustedOpen > 0.00001 && adjustedHigh > 0.00001 && adjustedLow > 0.00001 && adjustedClose > 0.00001
      && volume > -1 && adjustedVolume > -1
  }
}
