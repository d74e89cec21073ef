/// Moving averages. Missing values are only at the beginning, and are passed over.
enum Averages {
  /// The mean of the last `count` values.
  static func simple(_ values: [Double], _ count: Int) -> [Double] {
    let start = firstPresent(values)
    let means = WindowFunction.mean.values(of: Array(values[start...]), rows: count)
    return Array(repeating: .missing, count: start) + means
  }

  /// An average of the last rows, that moves towards each later value by a part of the way. It begins with the mean of the first `count`.
  static func exponential(_ count: Int, factor: Double) -> Recurrent {
    Recurrent { inputs -> Beginning<Average>? in
      guard count <= inputs[0].count else { return nil }
      let average = mean(inputs[0], 0..<count)
      return Beginning(count - 1, average, Average(average: average, factor: factor))
    }
  }

  static func exponential(_ count: Int) -> Recurrent { exponential(count, factor: exponentialFactor(count)) }

  /// Both averages begin at the same row, so the seed of the fast one leaves out the values before.
  static func macd(_ fast: Int, _ slow: Int) -> Recurrent {
    Recurrent { inputs -> Beginning<Difference>? in
      guard let difference = Difference(inputs[0], fast, slow) else { return nil }
      return Beginning(max(fast, slow) - 1, difference.value, difference)
    }
  }

  /// The average of that.
  static func macdSignal(_ fast: Int, _ slow: Int, _ count: Int) -> Recurrent {
    Recurrent { inputs -> Beginning<Signal>? in
      let first = max(fast, slow) - 1
      guard first + count <= inputs[0].count, var difference = Difference(inputs[0], fast, slow) else { return nil }
      var sum = 0 + difference.value
      for row in first + 1..<first + count { sum += difference.next(inputs[0][row], 0, 0) }
      let average = Average(average: sum / Double(count), factor: exponentialFactor(count))
      return Beginning(first + count - 1, average.average, Signal(difference: difference, average: average))
    }
  }

  private struct Average: Recurrence {
    private(set) var average: Double
    let factor: Double

    @inline(__always)
    mutating func next(_ x: Double, _: Double, _: Double) -> Double {
      average += factor * (x - average)
      return average
    }
  }

  private struct Difference: Recurrence {
    private var averages: SIMD2<Double>
    private let factors: SIMD2<Double>

    /// As it is at the first row that has both averages.
    init?(_ values: ColumnMemory<Double>, _ fast: Int, _ slow: Int) {
      let (fast, slow) = (min(fast, slow), max(fast, slow))
      guard slow <= values.count else { return nil }
      factors = SIMD2(exponentialFactor(fast), exponentialFactor(slow))
      averages = SIMD2(mean(values, slow - fast..<slow), mean(values, 0..<slow))
    }

    var value: Double { averages[0] - averages[1] }

    @inline(__always)
    mutating func next(_ x: Double, _: Double, _: Double) -> Double {
      averages += factors * (SIMD2(repeating: x) - averages)
      return value
    }
  }

  private struct Signal: Recurrence {
    var difference: Difference
    var average: Average

    @inline(__always)
    mutating func next(_ x: Double, _: Double, _: Double) -> Double { average.next(difference.next(x, 0, 0), 0, 0) }
  }

  static func mean(_ values: ColumnMemory<Double>, _ rows: Range<Int>) -> Double {
    rows.reduce(0) { $0 + values[$1] } / Double(rows.count)
  }

  private static func exponentialFactor(_ count: Int) -> Double { 2 / (Double(count) + 1) }

  private static func firstPresent(_ values: [Double]) -> Int {
    values.firstIndex { !$0.isMissing } ?? values.count
  }
}
