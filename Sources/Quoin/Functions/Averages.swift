/// Moving averages. Missing values are only at the beginning, and are passed over.
enum Averages {
  /// The mean of the last `count` values.
  static func simple(_ values: [Double], _ count: Int) -> [Double] {
    let start = firstPresent(values)
    let means = WindowFunction.mean.values(of: Array(values[start...]), rows: count)
    return Array(repeating: .missing, count: start) + means
  }

  static func exponential(_ values: [Double], _ count: Int) -> [Double] {
    seeded(firstPresent(values)..<values.count, count, factor: exponentialFactor(count)) { values[$0] }
  }

  /// Begins with the first value, for there is no number of rows.
  static func weighted(_ values: [Double], _ weight: Double) -> [Double] {
    seeded(firstPresent(values)..<values.count, 1, factor: weight) { values[$0] }
  }

  static func wilder(_ values: [Double], _ count: Int) -> [Double] {
    seeded(firstPresent(values)..<values.count, count, factor: 1 / Double(count)) { values[$0] }
  }

  /// Both averages begin at the same row, so the seed of the fast one leaves out the values before.
  static func macd(_ values: [Double], _ fast: Int, _ slow: Int) -> [Double] {
    let (fast, slow) = (min(fast, slow), max(fast, slow))
    var differences = [Double](repeating: .missing, count: values.count)
    guard slow <= values.count else { return differences }
    let factors = SIMD2(exponentialFactor(fast), exponentialFactor(slow))
    var averages = SIMD2(mean(values[slow - fast..<slow]), mean(values[..<slow]))
    differences[slow - 1] = averages[0] - averages[1]
    for row in slow..<values.count {
      averages += factors * (SIMD2(repeating: values[row]) - averages)
      differences[row] = averages[0] - averages[1]
    }
    return differences
  }

  /// An average of the values of these rows. It begins with the mean of the first `count`, and moves towards each later value
  /// by a part of the way.
  @inline(__always)
  static func seeded(_ rows: Range<Int>, _ count: Int, factor: Double, _ value: (Int) -> Double) -> [Double] {
    var averages = [Double](repeating: .missing, count: rows.upperBound)
    guard count <= rows.count else { return averages }
    let first = rows.lowerBound + count - 1
    var average = rows.prefix(count).reduce(0) { $0 + value($1) } / Double(count)
    averages[first] = average
    for row in first + 1..<rows.upperBound {
      average += factor * (value(row) - average)
      averages[row] = average
    }
    return averages
  }

  private static func mean(_ values: ArraySlice<Double>) -> Double { values.reduce(0, +) / Double(values.count) }

  private static func exponentialFactor(_ count: Int) -> Double { 2 / (Double(count) + 1) }

  private static func firstPresent(_ values: [Double]) -> Int {
    values.firstIndex { !$0.isMissing } ?? values.count
  }
}
