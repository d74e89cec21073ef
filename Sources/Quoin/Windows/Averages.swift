/// Moving averages. Missing values are only at the beginning, and are passed over.
enum Averages {
  /// The mean of the last `count` values.
  static func simple(_ values: [Double], _ count: Int) -> [Double] {
    let start = firstPresent(values)
    let means = WindowFunction.mean.values(of: Array(values[start...]), rows: count)
    return Array(repeating: .missing, count: start) + means
  }

  static func exponential(_ values: [Double], _ count: Int) -> [Double] {
    let factor = 2 / (Double(count) + 1)
    return seeded(values, count) { average, value in average + factor * (value - average) }
  }

  static func wilder(_ values: [Double], _ count: Int) -> [Double] {
    let count = Double(count)
    return seeded(values, Int(count)) { average, value in (average * (count - 1) + value) / count }
  }

  /// Both averages begin at the same row, so the seed of the fast one leaves out the values before.
  static func macd(_ values: [Double], _ fast: Int, _ slow: Int) -> [Double] {
    let (fast, slow) = (min(fast, slow), max(fast, slow))
    let fastAverages = exponential(Array(values.dropFirst(slow - fast)), fast)
    var differences = exponential(values, slow)
    for row in values.indices.dropFirst(slow - fast) {
      differences[row] = fastAverages[row - (slow - fast)] - differences[row]
    }
    return differences
  }

  /// An average that begins with the mean of the first `count` values, and takes in the others one by one.
  @inline(__always)
  private static func seeded(
    _ values: [Double], _ count: Int, _ takingIn: (_ average: Double, _ value: Double) -> Double
  ) -> [Double] {
    var averages = [Double](repeating: .missing, count: values.count)
    let first = firstPresent(values) + count - 1
    guard first < values.count else { return averages }
    var average = values[first - count + 1...first].reduce(0, +) / Double(count)
    averages[first] = average
    for row in first + 1..<values.count {
      average = takingIn(average, values[row])
      averages[row] = average
    }
    return averages
  }

  private static func firstPresent(_ values: [Double]) -> Int {
    values.firstIndex { !$0.isMissing } ?? values.count
  }
}
