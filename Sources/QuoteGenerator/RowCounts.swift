/// How many rows each ticker has.
///
/// The spread is WIKI's: many stocks listed since 1990, a good number whose history begins in the 1980s, few that reach
/// back to 1962. The drawn numbers are scaled so that they add up to exactly what is asked for.
enum RowCounts {
  /// `tickerCount` row counts, each 1 ... `limit`, that add up to `total`, which must lie in between.
  static func spread(_ total: Int, over tickerCount: Int, limit: Int, using random: inout SeededRandom) -> [Int] {
    precondition(total >= tickerCount && total <= tickerCount * limit, "\(total) rows for \(tickerCount) tickers")
    let drawn = (0..<tickerCount).map { _ in draw(using: &random) }
    func scaled(_ factor: Double) -> [Int] { drawn.map { min(max(Int($0 * factor), 1), limit) } }
    var (low, high) = (0.0, Double(limit) + 1)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if scaled(middle).reduce(0, +) <= total { low = middle } else { high = middle }
    }
    var counts = scaled(low)
    var missing = total - counts.reduce(0, +)
    while missing > 0 {
      for index in counts.indices where missing > 0 && counts[index] < limit {
        counts[index] += 1
        missing -= 1
      }
    }
    return counts
  }

  private static func draw(using random: inout SeededRandom) -> Double {
    let (low, high): (Double, Double) = random.pick([
      (2, (5, 60)), (12, (60, 1_500)), (52, (1_500, 7_000)), (24, (6_500, 7_400)), (6, (7_400, 12_000)),
      (4, (12_000, 14_100)),
    ])
    return random.uniform(low, high)
  }
}
