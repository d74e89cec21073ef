import Quoin

/// The seven columns that are quoted; the other five are derived from them.
struct RawQuotes {
  let days: [TradingDay]
  var open: [Double]
  var high: [Double]
  var low: [Double]
  var close: [Double]
  var volume: [Int64]
  var exDividend: [Double]
  var splitRatio: [Double]

  /// Rows to be filled: no dividend and no split, everything else missing.
  init(days: [TradingDay]) {
    self.days = days
    let missing = [Double](repeating: .missing, count: days.count)
    (open, high, low, close) = (missing, missing, missing, missing)
    volume = Array(repeating: .missing, count: days.count)
    exDividend = Array(repeating: 0, count: days.count)
    splitRatio = Array(repeating: 1, count: days.count)
  }

  mutating func set(_ bar: PriceBar, at row: Int) {
    open[row] = PriceBar.dollars(bar.open)
    high[row] = PriceBar.dollars(bar.high)
    low[row] = PriceBar.dollars(bar.low)
    close[row] = PriceBar.dollars(bar.close)
  }

  /// A random history of a stock with this profile.
  init(days: [TradingDay], profile: StockProfile, using random: inout SeededRandom) {
    self.init(days: days)
    var path = PricePath(profile, using: &random)
    var actions = CorporateActions(profile, using: &random)
    let yearlyGrowth = exponential(-profile.growth)
    var trading = TradingVolume(profile, using: &random)
    var level = profile.level
    // The level rises day by day to what it is at the end.
    for _ in 0..<(days.count / 252) { level *= yearlyGrowth }
    let dailyGrowth = exponential(profile.growth / 252)
    for row in days.indices {
      level *= dailyGrowth
      if row > 0, let split = actions.split(at: path.offset, using: &random) {
        path.split(split)
        actions.apply(split)
        splitRatio[row] = split.ratio
      }
      let bar = path.next(level: level, on: days[row], using: &random)
      set(bar, at: row)
      volume[row] = trading.next(on: days[row], using: &random)
      exDividend[row] = actions.dividend(at: bar.close, using: &random)
    }
  }

  /// Takes cells away as rarely as the WIKI table lacks them: of 15.4M rows 538 lack open, 55 of these high and low
  /// too, one close and one the split ratio.
  mutating func dropCells(using random: inout SeededRandom) {
    for row in days.indices where random.chance(3.5e-5) {
      open[row] = .missing
      let other = random.unit()
      if other < 0.1 { (high[row], low[row]) = (.missing, .missing) }
      if other < 0.002 { close[row] = .missing }
      if other > 0.998 { splitRatio[row] = .missing }
    }
  }
}

/// Random volumes: log-normal around a level that grows with the years.
struct TradingVolume {
  private let profile: StockProfile
  private var level: Double
  private var levelYear = 0

  init(_ profile: StockProfile, using random: inout SeededRandom) {
    self.profile = profile
    level = profile.volume
  }

  /// Shares traded on `day`, in whole hundreds in older years.
  @inline(__always)
  mutating func next(on day: TradingDay, using random: inout SeededRandom) -> Int64 {
    let year = Int(day.daysSince1970) / 365
    if year != levelYear { startYear(year) }
    let shares = Int64(nearestInteger(min(level * exponential(0.5 * random.normal()), 1e12)))
    return day < profile.oddLotsFrom ? (shares + 50) / 100 * 100 : shares
  }

  @inline(never)
  private mutating func startYear(_ year: Int) {
    levelYear = year
    level = profile.volume * exponential(profile.volumeGrowth * Double(min(year, 48) - 48))
  }
}
