/// Indicators of how far prices move in a row and in which direction, from `high`, `low` and `close`.
enum Directions {
  /// The distance between the high and the low, and the close before.
  static func trueRanges(_ inputs: [[Double]]) -> [Double] {
    inputs[0].indices.map { $0 == 0 ? .missing : trueRange(inputs, $0) }
  }

  private static func trueRange(_ inputs: [[Double]], _ row: Int) -> Double {
    let (high, low, before) = (inputs[0][row], inputs[1][row], inputs[2][row - 1])
    return max(high - low, abs(high - before), abs(low - before))
  }

  /// Wilder's average of how one-sided the movements are.
  static func adx(_ inputs: [[Double]], _ count: Int) -> [Double] {
    let n = Double(count)
    var averages = [Double](repeating: .missing, count: inputs[0].count)
    var (up, down, range, average) = (0.0, 0.0, 0.0, 0.0)
    for row in averages.indices.dropFirst() {
      if row >= count {
        (up, down, range) = (up - up / n, down - down / n, range - range / n)
      }
      let (rise, fall) = (inputs[0][row] - inputs[0][row - 1], inputs[1][row - 1] - inputs[1][row])
      if fall > 0, rise < fall { down += fall } else if rise > 0, rise > fall { up += rise }
      range += trueRange(inputs, row)
      guard row >= count else { continue }
      // The first average is that of the first `count` values; a row without movement has none.
      let (plus, minus) = (up / range, down / range)
      let value = range > 0 && plus + minus > 0 ? 100 * abs(plus - minus) / (plus + minus) : nil
      if row < 2 * count {
        average += (value ?? 0) / n
      } else if let value {
        average = (average * (n - 1) + value) / n
      }
      if row >= 2 * count - 1 { averages[row] = average }
    }
    return averages
  }
}
