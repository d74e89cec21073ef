import Charts
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How often the values of an attribute lie between some edges.
struct Distribution: Sendable {
  /// Ascending: the smallest value, round numbers, the largest value. Empty without values.
  private(set) var edges: [Double] = []
  /// The number of values between two edges each.
  private(set) var counts: [Int] = []

  private static let binCount = 40

  /// - Parameters:
  ///   - values: all of them or a sample, NaN where missing.
  ///   - range: the smallest and the largest value of all.
  init(of values: [Double], in range: ClosedRange<Double>?) {
    guard let range, range.upperBound > range.lowerBound else {
      edges = range.map { [$0.lowerBound] } ?? []
      return
    }
    edges = Self.edges(range, smallest: values.lazy.filter { $0 > 0 }.min())
    counts = [Int](repeating: 0, count: edges.count - 1)
    for value in values where value >= range.lowerBound && value <= range.upperBound {
      counts[min(edges.partitioningIndex(above: value), counts.count) - 1] += 1
    }
  }

  /// Equal steps, or equal ratios where the values are of many sizes.
  private static func edges(_ range: ClosedRange<Double>, smallest: Double?) -> [Double] {
    var edges = [range.lowerBound]
    let start = max(range.lowerBound, smallest ?? 0)
    let isWide = range.lowerBound >= 0 && start > 0 && range.upperBound / start > 20
    for index in 1..<binCount {
      let share = Double(index) / Double(binCount)
      let edge =
        isWide
        ? start * pow(range.upperBound / start, share)
        : range.lowerBound + (range.upperBound - range.lowerBound) * share
      let rounded = edge.rounded(toSignificant: 3)
      if rounded > edges[edges.count - 1], rounded < range.upperBound { edges.append(rounded) }
    }
    return edges + [range.upperBound]
  }

  /// The values between which half of all lie, to the nearest edges; nil without values.
  var middle: (lower: Double, upper: Double)? {
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    var (sum, lower) = (0, edges[0])
    for (index, count) in counts.enumerated() {
      if sum * 4 <= total { lower = edges[index] }
      sum += count
      if sum * 4 >= total * 3 { return (lower, edges[index + 1]) }
    }
    return (lower, edges[edges.count - 1])
  }

  /// The bars whose values may lie in a range, and the others, in a picture of 200 by 40. A bar's height is the root of its share,
  /// so that few values are seen too.
  func paths(in range: (low: Double?, high: Double?)) -> (inside: String, outside: String) {
    var paths = (inside: "", outside: "")
    let (most, width) = (Double(counts.max() ?? 0), 200 / Double(max(1, counts.count)))
    for (index, count) in counts.enumerated() where count > 0 {
      let height = max(1, 40 * (Double(count) / most).squareRoot())
      let bar =
        "M\((Double(index) * width).rounded(toDigits: 2)) 40h\(width.rounded(toDigits: 2))v-\(height.rounded(toDigits: 1))h-\(width.rounded(toDigits: 2))Z"
      let isInside = edges[index + 1] > range.low ?? -.infinity && edges[index] < range.high ?? .infinity
      if isInside { paths.inside += bar } else { paths.outside += bar }
    }
    return paths
  }
}

extension [Double] {
  /// The number of elements up to `value`, which are ascending.
  fileprivate func partitioningIndex(above value: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
