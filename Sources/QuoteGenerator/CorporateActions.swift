/// A ratio of new shares to old ones, with its natural logarithm.
struct Split {
  let ratio: Double
  let logarithm: Double

  static let ratios: [(weight: Double, choice: Split)] = [
    (62, Split(ratio: 2, logarithm: 0.6931471805599453)),
    (22, Split(ratio: 1.5, logarithm: 0.4054651081081644)),
    (7, Split(ratio: 3, logarithm: 1.0986122886681098)),
    (4, Split(ratio: 1.25, logarithm: 0.22314355131420976)),
    (2, Split(ratio: 4, logarithm: 1.3862943611198906)),
    (2, Split(ratio: 1.3333333333333333, logarithm: 0.28768207245178085)),
    (1, Split(ratio: 7, logarithm: 1.9459101490553132)),
  ]
  static let reverseRatios: [(weight: Double, choice: Split)] = [
    (2, Split(ratio: 0.1, logarithm: -2.3025850929940455)),
    (1, Split(ratio: 0.05, logarithm: -2.995732273553991)),
  ]
}

/// When a stock splits and what it pays.
struct CorporateActions {
  private let profile: StockProfile
  private var daysToDividend: Int
  private var paymentCount = 0
  /// The dividend of a quarter, in millionths of a dollar.
  private var dividend = 0

  init(_ profile: StockProfile, using random: inout SeededRandom) {
    self.profile = profile
    daysToDividend = profile.dividendYield > 0 ? 1 + random.below(63) : .max
  }

  /// The split of a day before which the price stood at `offset` (the logarithm of price / level); rarely one.
  mutating func split(at offset: Double, using random: inout SeededRandom) -> Split? {
    guard profile.splitChance > 0 else { return nil }
    if offset > 0.28, random.chance(profile.splitChance) { return random.pick(Split.ratios) }
    if offset < -0.4, profile.level < 12, random.chance(profile.splitChance / 4) {
      return random.pick(Split.reverseRatios)
    }
    return nil
  }

  /// After a split a share's dividend is as much smaller: now and then to the millionth, mostly to four decimals.
  mutating func apply(_ split: Split) {
    let step = split.ratio == 3 || split.ratio == 7 ? 1.0 : 100
    dividend = Int(nearestInteger(Double(dividend) / split.ratio / step) * step)
  }

  /// The dividend of a day that closes at `close` ten-thousandths, in dollars; 0 on most days. Raised once a year.
  @inline(__always)
  mutating func dividend(at close: Int, using random: inout SeededRandom) -> Double {
    daysToDividend -= 1
    guard daysToDividend <= 0 else { return 0 }
    return quarterlyDividend(at: close, using: &random)
  }

  @inline(never)
  private mutating func quarterlyDividend(at close: Int, using random: inout SeededRandom) -> Double {
    daysToDividend = 61 + random.below(5)
    if paymentCount % 4 == 0 {
      let wanted = Double(close) * 100 * profile.dividendYield / 4
      let raised = Int(nearestInteger(wanted / Double(profile.dividendStep))) * profile.dividendStep
      if raised > dividend || raised < dividend / 3 { dividend = raised }
    }
    paymentCount += 1
    return dividend < close * 25 ? Double(dividend) / 1_000_000 : 0
  }
}
