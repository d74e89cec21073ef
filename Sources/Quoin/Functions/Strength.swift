/// Indicators that compare rises with falls.
enum Strength {
  /// 100 times Wilder's average of rises, in proportion to those of rises and falls.
  static func rsi(_ values: [Double], _ count: Int) -> [Double] {
    var results = [Double](repeating: .missing, count: values.count)
    guard count < values.count else { return results }
    func moves(_ row: Int) -> SIMD2<Double> {
      let change = values[row] - values[row - 1]
      // Two choices instead of one branch, which a processor could not predict.
      return SIMD2(change > 0 ? change : 0, change > 0 ? 0 : -change)
    }
    var averages = (1...count).reduce(SIMD2<Double>()) { $0 + moves($1) } / Double(count)
    results[count] = share(averages[0], averages[1])
    for row in count + 1..<values.count {
      averages += (moves(row) - averages) * (1 / Double(count))
      results[row] = share(averages[0], averages[1])
    }
    return results
  }

  /// The same of the money that changed hands in the last `count` rows, from `high`, `low`, `close` and `volume`.
  static func mfi(_ inputs: [[Double]], _ count: Int) -> [Double] {
    let prices = Channels.typicalPrices(inputs)
    func flows(_ isMeant: (_ change: Double) -> Bool) -> [Double] {
      let flows = prices.indices.dropFirst().map { row in
        let (price, before) = (prices[row], prices[row - 1])
        // A smaller change comes from rounding, as TA-Lib has it: three prices may add up to the same in decimals.
        let hasMoved = abs(price - before) >= 1e-14 * (abs(price) + abs(before))
        return hasMoved && isMeant(price - before) ? price * inputs[3][row] : 0
      }
      return Array([.missing].prefix(prices.count)) + WindowFunction.sum.values(of: flows, rows: count)
    }
    return zip(flows { $0 > 0 }, flows { $0 < 0 }).map(share)
  }

  /// The volumes of all rows, those of rows with a fall taken off.
  static func obv(_ prices: [Double], _ volumes: [Double]) -> [Double] {
    var sum = 0.0
    return prices.indices.map { row in
      let (price, volume) = (prices[row], volumes[row])
      let before = row == 0 ? -.infinity : prices[row - 1]
      sum += price > before ? volume : price < before ? -volume : 0
      return sum
    }
  }

  private static func share(_ rise: Double, _ fall: Double) -> Double {
    rise + fall == 0 ? 0 : 100 * (rise / (rise + fall))
  }
}
