import Quoin
import QuoteGenerator

/// A table of another character than WIKI's, made of the same quotes: more tickers with shorter histories, holes in them and
/// missing cells, prices of 2 to 4 decimals and of pennies, any number of shares, dividends every month or never, and adjusted
/// values that whoever adjusted them has rounded.
struct RoughMarket {
  let rowCount: Int

  func fill(_ store: QuoteStore) throws {
    let generator = try QuoteGenerator(tickerCount: max(1, rowCount / 3000), rowCount: rowCount, seed: 2)
    try store.write { transaction in
      for index in generator.tickers.indices {
        var ticker = RoughTicker(index: index)
        let quotes = try ticker.roughened(generator.quotes(at: index))
        try transaction.upsert(quotes, of: generator.tickers[index], source: "quoin-bench")
      }
    }
  }
}

/// How the quotes of one ticker become rough. Its number says in which ways they do.
private struct RoughTicker {
  let index: Int
  private let isPenny: Bool
  /// How many times 1 the steps of its prices go.
  private let steps: Double
  private let priceFactor: Double
  private var random: Dice

  init(index: Int) {
    self.index = index
    random = Dice(state: UInt64(index))
    isPenny = index % 4 == 3
    steps = [1e2, 1e3, 1e4, 1e4][index % 4]
    priceFactor = isPenny ? 0.01 : Double.random(in: 0.9..<1.3, using: &random)
  }

  mutating func roughened(_ quotes: QuoteColumns) throws -> QuoteColumns {
    let rows = keptRows(quotes.rowCount)
    var doubles: [Attribute: [Double]] = [.splitRatio: rows.map { quotes[.splitRatio][$0] }]
    for key in [TypedAttribute<Double>.open, .high, .low, .close] {
      doubles[key.name] = rows.map { price(quotes[key][$0]) }
    }
    doubles[.exDividend] = rows.map { dividend(quotes[.exDividend][$0], row: $0, close: quotes[.close][$0]) }
    let volumes = rows.map { volume(quotes[.volume][$0]) }
    let raw = try QuoteColumns(days: rows.map { quotes.days[$0] }, doubles: doubles, integers: [.volume: volumes])
    var adjusted = raw.adjusted()
    guard index % 3 == 1 else { return adjusted }
    for key in [TypedAttribute<Double>.adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose] {
      adjusted[key] = adjusted[key].map { $0.isMissing ? $0 : ($0 * 1e4).rounded() / 1e4 }
    }
    return adjusted
  }

  /// Of one ticker in three a year is left out, and 2 % of the other days.
  private mutating func keptRows(_ count: Int) -> [Int] {
    guard index % 3 == 0 else { return Array(0..<count) }
    return (0..<count).filter { row in
      !(count / 2..<count / 2 + 250).contains(row) && !happens(0.02) || row == count - 1
    }
  }

  /// Of one ticker in six 1 % of the cells are missing.
  private mutating func isLost() -> Bool { index % 6 == 0 && happens(0.01) }

  private mutating func price(_ price: Double) -> Double {
    price.isMissing || isLost() ? .missing : max((price * priceFactor * steps).rounded(), 1) / steps
  }

  private mutating func volume(_ volume: Int64) -> Int64 {
    if volume.isMissing || isLost() { return .missing }
    if isPenny && happens(0.02) { return 0 }
    return volume / 100 * 97 + Int64.random(in: 0..<100, using: &random)
  }

  private func dividend(_ dividend: Double, row: Int, close: Double) -> Double {
    switch index % 5 {
    case 0: 0
    case 1 where row % 21 == 20 && !close.isMissing: (close * priceFactor * 4e3).rounded() / 1e6
    case 1: 0
    default: (dividend * priceFactor * 1e6).rounded() / 1e6
    }
  }

  private mutating func happens(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }
}

/// SplitMix64, by Sebastiano Vigna.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
