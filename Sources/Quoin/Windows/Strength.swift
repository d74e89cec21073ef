/// Indicators that compare rises with falls.
enum Strength {
  /// 100 times the average rise, in proportion to those of rises and falls.
  static func rsi(_ values: [Double], _ count: Int) -> [Double] {
    let rises = Averages.wilder(changes(values) { max($0, 0) }, count)
    let falls = Averages.wilder(changes(values) { max(-$0, 0) }, count)
    return shares(rises, falls)
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
    return shares(flows { $0 > 0 }, flows { $0 < 0 })
  }

  /// The volumes of all rows, those of rows with a fall taken off.
  static func obv(_ prices: [Double], _ volumes: [Double]) -> [Double] {
    var sum = 0.0
    return prices.indices.map { row in
      let before = row == 0 ? -.infinity : prices[row - 1]
      if prices[row] > before { sum += volumes[row] }
      if prices[row] < before { sum -= volumes[row] }
      return sum
    }
  }

  private static func changes(_ values: [Double], _ part: (Double) -> Double) -> [Double] {
    values.indices.map { $0 == 0 ? .missing : part(values[$0] - values[$0 - 1]) }
  }

  private static func shares(_ rises: [Double], _ falls: [Double]) -> [Double] {
    zip(rises, falls).map { rise, fall in rise + fall == 0 ? 0 : 100 * (rise / (rise + fall)) }
  }
}
