import Quoin

/// Every encoding at its best, typical and worst: a store in which each attribute suits one encoding. The values are spread
/// evenly over a range, so that statistics rule out all blocks or none.
///
/// best: no row passes, and the statistics say so. typical: one row in a hundred. worst: every other row, at random.
struct EncodingCases {
  let stopwatch: Stopwatch
  private let market: QuoteQuery
  private let rowsPerTicker: Int
  private static let firstDay: TradingDay = "1960-01-01"

  /// The encoding, the attribute made for it, and the range of its values.
  private static let attributes: [(encoding: String, attribute: Attribute, range: ClosedRange<Double>)] = [
    ("scaled 1 byte", .open, 100...102.55), ("scaled 2 bytes", .high, 100...755.35),
    ("scaled 3 bytes", .low, 100...167_872.15), ("scaled 4 bytes", .close, 100...42_949_772.95),
    ("constant", .splitRatio, 0...1), ("constant, patches", .exDividend, 0...1),
    ("derived, 1 byte", .adjustedOpen, 99.9...102.55), ("derived, 2 bytes", .adjustedHigh, 99.9...755.35),
    ("plain", .adjustedLow, 0...1), ("plain, LZ4", .adjustedClose, 0...1),
  ]

  init(in path: String, tickerCount: Int, blocksPerTicker: Int, stopwatch: Stopwatch) throws {
    self.stopwatch = stopwatch
    rowsPerTicker = 1024 * blocksPerTicker
    let store = try QuoteStore(at: "\(path)/encodings")
    var random = Self.Random(state: 1)
    try store.write { transaction in
      for number in store.generation == 0 ? 0..<tickerCount : 0..<0 {
        try transaction.upsert(Self.quotes(1024 * blocksPerTicker, using: &random), of: TickerSymbol("T\(number)"))
      }
    }
    market = store.allQuotes
  }

  func run() throws {
    for (encoding, attribute, range) in Self.attributes {
      let width = range.upperBound - range.lowerBound
      try count("compare \(encoding), best", market.where(attribute, above: range.upperBound))
      try count("compare \(encoding), typical", market.where(attribute, above: range.lowerBound + width * 0.99))
      try count("compare \(encoding), worst", market.where(attribute, above: range.lowerBound + width / 2))
      try fetch("decode \(encoding)", market.selecting(attribute))
    }
    try days()
    for (share, part) in [("0.1 %", 0.001), ("1 %", 0.01), ("10 %", 0.1), ("100 %", 1)] {
      try fetch("materialize \(share) of the rows", market.where(.high, below: 100 + 655.36 * part))
    }
  }

  /// Day sets answer ranges of days; the ticker's rows are on every other day.
  private func days() throws {
    let day = { (row: Int) in Self.firstDay.advanced(by: row * 2) ?? .latest }
    try count("compare day set, best", market.dates(from: day(rowsPerTicker)))
    try count("compare day set, typical", market.dates(from: day(rowsPerTicker / 2), to: day(rowsPerTicker / 2)))
    try count("compare day set, worst", market.dates(from: day(512), to: day(rowsPerTicker - 512)))
    try fetch("decode day set", market.selecting([]))
  }

  private func count(_ name: String, _ query: QuoteQuery) throws {
    try stopwatch.time("quoin", name, { try query.threads(1).count() }, answer: Answer.init(count:))
  }

  private func fetch(_ name: String, _ query: QuoteQuery) throws {
    try stopwatch.time("quoin", name, { try query.threads(1).fetchColumns().rowCount }, answer: Answer.init(count:))
  }
}

extension EncodingCases {
  /// Made-up rows on every other day; see `attributes`.
  private static func quotes(_ count: Int, using random: inout Random) -> QuoteColumns {
    let levels = (0..<16).map { _ in Double.random(in: 0..<1, using: &random) }
    var columns = QuoteColumns()
    for row in 0..<count { columns.append(quote(row, levels, using: &random)) }
    return columns
  }

  private static func quote(_ row: Int, _ levels: [Double], using random: inout Random) -> DailyQuoteSummary {
    func cents(_ count: Int) -> Double { Double(10_000 + Int.random(in: 0..<count, using: &random)) / 100 }
    let (open, high, low, close) = (cents(1 << 8), cents(1 << 16), cents(1 << 24), cents(1 << 32))
    // A dividend in the middle of every block.
    let factor = row % 1024 < 512 ? 0.999 : 1
    return DailyQuoteSummary(
      ticker: "T", date: firstDay.advanced(by: 2 * row) ?? .latest,
      open: open, high: high, low: low, close: close, volume: Int64.random(in: 0..<1 << 24, using: &random) * 100,
      exDividend: row % 97 == 5 ? Double.random(in: 0..<1, using: &random) : 0, splitRatio: 1,
      adjustedOpen: open * factor, adjustedHigh: high * factor, adjustedLow: Double.random(in: 0..<1, using: &random),
      adjustedClose: levels.randomElement(using: &random), adjustedVolume: Double.random(in: 0..<1, using: &random)
    )
  }

  /// The same numbers everywhere: SplitMix64 (Steele, Lea, Flood 2014).
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
