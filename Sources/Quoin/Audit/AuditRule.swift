/// A rule that sound quotes keep. A price of 0 or less breaks `zeroPrice` alone, and a missing cell breaks a rule only where
/// the rule says so.
public enum AuditRule: String, CaseIterable, Hashable, Sendable {
  /// The low isn't above the high.
  case lowAboveHigh = "low-above-high"
  /// Open and close lie between low and high.
  case outsideRange = "outside-range"
  /// Open, high, low and close are above 0.
  case zeroPrice = "zero-price"
  /// The volume is above 0.
  case zeroVolume = "zero-volume"
  /// No value is infinite. Such values aren't taken any more, but an older store may have some. One below 0 breaks another rule.
  case infinite
  /// Adjusted prices aren't below 0, unless the unadjusted ones are 0 or less.
  case negativeAdjusted = "negative-adjusted"
  /// No price is further from the close before than `AuditOptions.jump` percent, unless a split or a dividend explains it.
  ///
  /// The close is compared and, in a row that keeps the rules above, low and high too. After a `gap` nothing is compared.
  case jump
  /// Prices move by a split of 1.5 for 1 or more, or of 1 for 1.5 or less. If they don't, they have been divided by it already.
  ///
  /// Found if open and close are within `AuditOptions.jump` percent of the close before, and nearer to it than to what the split
  /// makes of it. The close before is at most 14 days old; if there is none, nothing can be told.
  case split
  /// A split ratio is above 0.
  case splitRatio = "split-ratio"
  /// A dividend isn't below 0, nor above the close before, and its day has a close, unless the ticker has none at all.
  case dividend
  /// Adjusted prices and volumes follow from dividends and splits.
  ///
  /// In a row, all adjusted prices are the same multiple of the unadjusted ones. From row to row this multiple changes by
  /// dividends and splits alone: by Quandl's recursion (a dividend counts as a part of its day's close and itself) or by
  /// CRSP's (as a part of the close before). That of the volume changes by splits alone. Allowed are a millionth, and what
  /// rounding to the values' last decimal explains. Rows that break `lowAboveHigh`, `outsideRange`, `zeroPrice` or
  /// `repeatedRow` are passed over. A contradiction is found on the day on which it begins.
  case adjusted
  /// If a ticker has adjusted values, its newest row has them too. Found on the first day of those without.
  case staleAdjusted = "stale-adjusted"
  /// If a ticker has opens, highs or lows, it has all of them and closes, in some row. Found on the last day.
  case missingColumn = "missing-column"
  /// A row says something: a price, a volume, a dividend or a split.
  case emptyRow = "empty-row"
  /// The day isn't later than `AuditOptions.today`.
  case futureDay = "future-day"
  /// The day isn't a Saturday or Sunday, unless the ticker trades then: it has rows on at least a quarter of the Saturdays and
  /// Sundays that it could have, from four weeks before the day to four weeks after it.
  case weekend
  /// The ticker has a row on each day between its first and its last one on which more than half of the listed tickers have
  /// one. A ticker is listed from its first day to its last; at least three have to be. The days of a `gap` don't count.
  case missingDay = "missing-day"
  /// No two rows that follow each other are more than 30 days apart, and more than ten times as far as half of the ticker's
  /// rows. Such a symbol may have gone to another company. Found on the day after the gap, unless at least three tickers are
  /// listed and it is a gap of most of them.
  case gap
  /// On a day from Monday to Friday on which at least three tickers are listed, the ticker isn't the only one that has a row.
  case loneDay = "lone-day"
  /// Open, high, low, close and volume aren't all as in the row before, unless the volume is 0.
  case repeatedRow = "repeated-row"
  /// No other ticker has the same days with the same opens, highs, lows, closes and volumes. Found on the last day.
  /// Histories of fewer than five days aren't compared.
  case equalHistory = "equal-history"
}

extension AuditRule: Comparable {
  /// Whether `a` stands before `b` in the list of all rules.
  public static func < (a: Self, b: Self) -> Bool { a.place < b.place }

  private var place: Int { Self.places[self] ?? 0 }

  private static let places = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}

extension AuditRule {
  /// What breaks the rule, for a list of rules.
  package var fault: String {
    switch self {
    case .lowAboveHigh: "low above high"
    case .outsideRange: "open or close below low or above high"
    case .zeroPrice: "open, high, low or close of 0 or less"
    case .zeroVolume: "volume of 0 or less"
    case .infinite: "infinite value"
    case .negativeAdjusted: "adjusted price below 0"
    case .jump: "price far from the last close; no split or dividend"
    case .split: "split by which the prices don't move: they have it already"
    case .splitRatio: "split ratio of 0 or less"
    case .dividend: "dividend below 0, above the price or without a price"
    case .adjusted: "adjusted values that contradict dividends and splits"
    case .staleAdjusted: "newest rows without adjusted values; older ones have them"
    case .missingColumn: "open, high, low or close in no row; others are there"
    case .emptyRow: "row without any value"
    case .futureDay: "day in the future"
    case .weekend: "Saturday or Sunday; the ticker trades on other days"
    case .missingDay: "no row on a day on which most tickers have one"
    case .gap: "more than 30 days without a row, in place of missing days"
    case .loneDay: "row on a day on which no other ticker has one"
    case .repeatedRow: "open, high, low, close and volume as in the row before"
    case .equalHistory: "days (at least five), prices and volumes of another ticker"
    }
  }

  /// What has to be read of a ticker's rows.
  var attributes: AttributeSet {
    switch self {
    case .lowAboveHigh: [.high, .low]
    case .outsideRange, .zeroPrice: [.open, .high, .low, .close]
    case .zeroVolume: [.volume]
    case .jump: [.open, .high, .low, .close, .exDividend, .splitRatio]
    case .split: [.open, .close, .exDividend, .splitRatio]
    case .splitRatio: [.splitRatio]
    case .dividend: [.close, .exDividend, .splitRatio]
    case .missingColumn: [.open, .high, .low, .close]
    case .infinite, .negativeAdjusted, .adjusted, .staleAdjusted, .emptyRow: .all
    case .repeatedRow: [.open, .high, .low, .close, .volume]
    case .futureDay, .weekend, .missingDay, .gap, .loneDay, .equalHistory: []
    }
  }
}
