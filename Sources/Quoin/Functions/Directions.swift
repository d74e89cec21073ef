/// Indicators of how far prices move in a row and in which direction, from `high`, `low` and `close`.
enum Directions {
  /// Wilder's average of the true ranges, which begin at the second row.
  static func atr(_ count: Int) -> Recurrent {
    Recurrent { inputs -> Beginning<Ranges>? in
      let (highs, lows, closes) = (inputs[0], inputs[1], inputs[2])
      guard count < closes.count else { return nil }
      let sum = (1...count).reduce(0) { $0 + trueRange(highs[$1], lows[$1], before: closes[$1 - 1]) }
      let ranges = Ranges(average: sum / Double(count), before: closes[count], factor: 1 / Double(count))
      return Beginning(count, ranges.average, ranges)
    }
  }

  private struct Ranges: Recurrence {
    private(set) var average: Double
    private(set) var before: Double
    let factor: Double

    @inline(__always)
    mutating func next(_ high: Double, _ low: Double, _ close: Double) -> Double {
      average += factor * (trueRange(high, low, before: before) - average)
      before = close
      return average
    }
  }

  /// The distance between the high and the low, one of which may be the close before.
  @inline(__always)
  private static func trueRange(_ high: Double, _ low: Double, before: Double) -> Double {
    // Written so that no array is made of three values.
    return max(high - low, max(abs(high - before), abs(low - before)))
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
      range += trueRange(inputs[0][row], inputs[1][row], before: inputs[2][row - 1])
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
