/// A rule that sound quotes keep. A missing cell breaks none, and a price of 0 or less breaks `zeroPrice` alone.
public enum AuditRule: String, CaseIterable, Hashable, Sendable {
  /// The low isn't above the high.
  case lowAboveHigh = "low-above-high"
  /// Open and close lie between low and high.
  case outsideRange = "outside-range"
  /// Open, high, low and close are above 0.
  case zeroPrice = "zero-price"
  /// The volume is above 0.
  case zeroVolume = "zero-volume"
  /// No price is further from the close before than `AuditOptions.jump` percent, unless a split or a dividend explains it.
  ///
  /// The close is compared and, in a row that keeps the rules above, low and high too.
  case jump
  /// Adjusted prices and volumes follow from dividends and splits.
  ///
  /// In a row, all adjusted prices are the same multiple of the unadjusted ones. From row to row this multiple changes by
  /// dividends and splits alone: by Quandl's recursion (a dividend counts as a part of its day's close and itself) or by
  /// CRSP's (as a part of the close before). That of the volume changes by splits alone. Allowed are a millionth, and what
  /// rounding to the values' last decimal explains. Rows that break `lowAboveHigh`, `outsideRange`, `zeroPrice` or
  /// `repeatedRow` are passed over. A contradiction is found on the day on which it begins.
  case adjusted
  /// The day isn't later than `AuditOptions.today`.
  case futureDay = "future-day"
  /// The ticker has a row on each day between its first and its last one on which more than half of the listed tickers have
  /// one. A ticker is listed from its first day to its last; at least three have to be.
  case missingDay = "missing-day"
  /// On a day on which at least three tickers are listed, the ticker isn't the only one that has a row.
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
    case .jump: "further than --jump from the last close; no split or dividend"
    case .adjusted: "adjusted values that contradict dividends and splits"
    case .futureDay: "day in the future"
    case .missingDay: "no row on a day on which most tickers have one"
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
    case .adjusted: .all
    case .repeatedRow: [.open, .high, .low, .close, .volume]
    case .futureDay, .missingDay, .loneDay, .equalHistory: []
    }
  }
}
