import Quoin

/// What makes one stock differ from another: its price level, how it moves, what it pays, how much of it is traded.
struct StockProfile {
  /// The price that the walk is drawn to on the last day, in dollars.
  var level: Double
  /// How much the level grows in a year, as a logarithm.
  var growth = 0.0
  /// Standard deviation of a day's change, as a logarithm.
  var volatility: Double
  /// The part of its distance to the level that the price loses in a day.
  var pull = 1.0 / 600
  /// Dividends of a year as a part of the price; 0 when the stock pays none.
  var dividendYield = 0.0
  /// What dividends are whole multiples of, in millionths of a dollar.
  var dividendStep = 10_000
  /// The chance of a split on a day when the price stands well above the level.
  var splitChance = 0.0
  /// Shares traded on a middling day at the end.
  var volume: Double
  /// How much the volume grows in a year, as a logarithm.
  var volumeGrowth = 0.07
  /// Volumes are whole hundreds before this day.
  var oddLotsFrom: TradingDay = "2013-12-09"
}

extension StockProfile {
  /// A random stock; `ticker` decides the level and volume of those that everybody knows.
  init(of ticker: TickerSymbol, using random: inout SeededRandom) {
    self = Self(using: &random)
    guard let known = Self.known[ticker] else { return }
    level = known.level
    volume = known.volume
    volatility = min(volatility, 0.018)
    guard known.level > 1000 else { return }
    (growth, volatility, pull, dividendYield, splitChance) = (0.11, 0.009, 1.0 / 120, 0, 0)
  }

  private init(using random: inout SeededRandom) {
    let isPenny = random.chance(0.012)
    level =
      isPenny ? exponential(random.uniform(-8.5, 1)) : 36 * exponential(0.60 * random.normal())
    volatility = 0.011 + 0.02 * random.unit() * random.unit() + (isPenny ? 0.02 : 0)
    growth = random.uniform(-0.01, 0.03)
    volume = (isPenny ? 900_000 : 240_000) * exponential(1.5 * random.normal())
    oddLotsFrom = random.chance(0.7) ? "2013-12-09" : "2001-04-09"
    if !isPenny && random.chance(0.62) {
      dividendYield = random.uniform(0.006, 0.036)
      dividendStep = random.pick([(60, 10_000), (20, 5_000), (14, 100), (3, 10), (3, 1)])
    }
    if !isPenny && random.chance(0.7) { splitChance = random.uniform(0.001, 0.005) }
  }

  /// Levels and volumes of spring 2018, roughly.
  static let known: [TickerSymbol: (level: Double, volume: Double)] = [
    "AAPL": (150, 3e7), "AMZN": (900, 4e6), "AXP": (88, 4e6), "BA": (290, 4e6), "BAC": (26, 7e7),
    "BRK_A": (250_000, 300),
    "BRK_B": (190, 4e6), "CAT": (140, 5e6), "CSCO": (38, 2e7), "CVX": (115, 7e6), "DIS": (102, 8e6), "F": (12, 4e7),
    "FB": (160, 2e7), "FDX": (220, 2e6), "GE": (16, 6e7), "GM": (37, 1.2e7), "GOOG": (950, 2e6), "GOOGL": (950, 2e6),
    "GS": (240, 3e6), "HD": (170, 5e6), "IBM": (150, 5e6), "INTC": (45, 2.5e7), "JNJ": (130, 7e6), "JPM": (105, 1.5e7),
    "KO": (44, 1.2e7), "MCD": (155, 4e6), "MMM": (210, 2e6), "MRK": (57, 1e7), "MSFT": (80, 2.8e7), "NFLX": (220, 1e7),
    "NKE": (62, 8e6), "NVDA": (190, 1.3e7), "ORCL": (47, 1.5e7), "PEP": (112, 5e6), "PFE": (36, 2e7), "PG": (83, 9e6),
    "T": (37, 2.5e7), "TSLA": (310, 6e6), "UPS": (112, 3e6), "VZ": (49, 1.5e7), "WFC": (55, 2e7), "WMT": (92, 9e6),
    "XOM": (78, 1.2e7),
  ]
}
