/// Indicators that say where the newest price is among those of the last rows, from `high`, `low` and `close`.
enum Channels {
  static func stoch(_ inputs: [[Double]], _ count: Int, _ slowCount: Int) -> [Double] {
    Averages.simple(
      places(inputs, count) { close, lowest, highest in 100 * (close - lowest) / (highest - lowest) }, slowCount)
  }

  static func willr(_ inputs: [[Double]], _ count: Int) -> [Double] {
    places(inputs, count) { close, lowest, highest in -100 * (highest - close) / (highest - lowest) }
  }

  /// How far the typical price is from its mean, in 1.5 % of its mean absolute deviation.
  static func cci(_ inputs: [[Double]], _ count: Int) -> [Double] {
    let prices = typicalPrices(inputs)
    let means = WindowFunction.mean.values(of: prices, rows: count)
    let deviations = WindowFunction.mad.values(of: prices, rows: count)
    return prices.indices.map { row in
      let distance = prices[row] - means[row]
      return distance == 0 || deviations[row] == 0 ? 0 : distance / (0.015 * deviations[row])
    }
  }

  static func typicalPrices(_ inputs: [[Double]]) -> [Double] {
    inputs[0].indices.map { (inputs[0][$0] + inputs[1][$0] + inputs[2][$0]) / 3 }
  }

  private static func places(
    _ inputs: [[Double]], _ count: Int, _ place: (_ close: Double, _ lowest: Double, _ highest: Double) -> Double
  ) -> [Double] {
    let highest = WindowFunction.max.values(of: inputs[0], rows: count)
    let lowest = WindowFunction.min.values(of: inputs[1], rows: count)
    return inputs[2].indices.map { row in
      highest[row] == lowest[row] ? 0 : place(inputs[2][row], lowest[row], highest[row])
    }
  }
}
