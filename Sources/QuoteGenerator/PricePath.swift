import Quoin

/// One day's prices in ten-thousandths of a dollar, so that each is a decimal of at most four places.
struct PriceBar {
  var open: Int
  var high: Int
  var low: Int
  var close: Int

  static func dollars(_ price: Int) -> Double { Double(price) / 10_000 }
}

/// A random walk of prices around a level, quoted as the exchange of the day did.
///
///     close[i] = level * exp(y[i])        y[i] = y[i-1] * (1 - pull) + volatility * normal
///
/// Until 1997 prices move in eighths, until 2001 in sixteenths (from 5 dollars up), then in cents; under half a dollar
/// in hundredths of a cent. Fractions are written with two decimals, and 2 % of all cells keep four.
struct PricePath {
  /// y: the logarithm of close / level.
  private(set) var offset: Double
  private let volatility: Double
  private let keep: Double

  init(_ profile: StockProfile, using random: inout SeededRandom) {
    offset = profile.volatility * 10 * random.normal()
    volatility = profile.volatility
    keep = 1 - profile.pull
  }

  /// New shares for old ones: the walk continues from the lower price.
  mutating func split(_ split: Split) { offset -= split.logarithm }

  /// The next day's prices.
  mutating func next(level: Double, on day: TradingDay, using random: inout SeededRandom) -> PriceBar {
    let shapes = random.next()
    let gap = volatility * (Double(shapes & 0xFFFF) - 32_768) / 65_536
    let before = min(max(level * exponential(offset), 0.0001), 400_000)
    // Now and then a day of three times the usual size.
    let size = shapes >> 58 == 0 ? volatility * 3 : volatility
    offset = offset * keep + size * random.normal()
    let close = min(max(level * exponential(offset), 0.0001), 400_000)
    let open = before * (1 + gap)
    let high = max(open, close) * (1 + volatility * Self.extent(shapes >> 16))
    let low = min(open, close) * (1 - volatility * Self.extent(shapes >> 32))
    return quoted(open, high, low, close, on: day, using: &random)
  }

  /// How far a day's range goes past open and close: 0 ... 1, mostly little.
  @inline(__always)
  private static func extent(_ bits: UInt64) -> Double {
    let unit = Double(bits & 0xFFFF) / 65_536
    return unit * unit
  }

  @inline(__always)
  private func quoted(
    _ open: Double, _ high: Double, _ low: Double, _ close: Double, on day: TradingDay, using random: inout SeededRandom
  ) -> PriceBar {
    let tick = Self.tick(of: close, on: day)
    let fine = random.next()
    var bar = PriceBar(
      open: Self.quoted(open, tick, fine), high: Self.quoted(high, tick, fine >> 16),
      low: Self.quoted(low, tick, fine >> 32), close: Self.quoted(close, tick, fine >> 48))
    bar.high = max(bar.high, bar.open, bar.close)
    bar.low = min(bar.low, bar.open, bar.close)
    return bar
  }

  /// The smallest step of a price, in ten-thousandths.
  @inline(__always)
  private static func tick(of price: Double, on day: TradingDay) -> Int {
    if price < 0.5 { return 1 }
    if price < 5 || day >= firstDayOfCents { return 100 }
    return day < firstDayOfSixteenths ? 1_250 : 625
  }

  private static let firstDayOfSixteenths: TradingDay = "1997-06-24"
  private static let firstDayOfCents: TradingDay = "2001-01-29"

  /// `price` as the nearest tick. The low 16 bits of `fine` say whether the cell keeps more than two decimals.
  @inline(__always)
  private static func quoted(_ price: Double, _ tick: Int, _ fine: UInt64) -> Int {
    let ticks = Int(nearestInteger(price * 10_000 / Double(tick)))
    let isFine = fine & 0xFF < 5
    switch tick {
    case 1: return max(ticks, 1)
    case 100: return isFine ? max(ticks * 100 + Int(fine >> 8 & 0x3F) - 32, 1) : max(ticks, 1) * 100
    default: return isFine ? ticks * tick : (ticks * tick + 50) / 100 * 100
    }
  }
}
