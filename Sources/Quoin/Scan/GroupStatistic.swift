/// What all values of a group amount to, in the order of its rows.
enum GroupStatistic: Sendable {
  case product, meanDeviation, skew, kurt

  /// Missing if there are too few values, or none that differ where that matters.
  func value(of values: [Double]) -> Double {
    guard let first = values.first else { return .missing }
    if self == .product { return values.dropFirst().reduce(first, *).ifFinite }
    var sum = ExactSum()
    for value in values { sum.add(value) }
    let n = Double(values.count)
    let mean = sum.mean(of: values.count)
    if self == .meanDeviation { return (values.reduce(0) { $0 + abs($1 - mean) } / n).ifFinite }
    guard values.count >= (self == .skew ? 3 : 4), values.contains(where: { $0 != first }) else { return .missing }
    let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)).squareRoot()
    func moment(_ power: Int) -> Double {
      values.reduce(0) { sum, value in
        let share = (value - mean) / deviation
        return sum + (0..<power).reduce(1) { product, _ in product * share }
      }
    }
    let result =
      self == .skew
      ? n / ((n - 1) * (n - 2)) * moment(3)
      : n * (n + 1) / ((n - 1) * (n - 2) * (n - 3)) * moment(4) - 3 * (n - 1) * (n - 1) / ((n - 2) * (n - 3))
    return result.ifFinite
  }
}

extension Aggregation.Function {
  /// Whether all values of a group are kept until the end.
  var keepsValues: Bool { [.distinct, .quantile, .product, .meanDeviation, .skew, .kurt].contains(self) }
}

/// Sums of the values of two inputs, of their squares and of their products, all exact: so the result depends on neither the order
/// of the rows nor the threads. Rows that lack one of the values take no part.
struct PairMoments: GroupMeasure {
  enum Result: Sendable {
    /// Of one input.
    case variance
    case correlation, covariance, slope, share
  }

  private let result: Result
  private var groups: [Moments] = []

  private struct Moments {
    var count = 0
    var x = ExactSum()
    var y = ExactSum()
    var xx = ExactSum()
    var yy = ExactSum()
    var xy = ExactSum()
    var lows = SIMD2(repeating: Double.infinity)
    var highs = SIMD2(repeating: -Double.infinity)

    mutating func add(_ a: Double, _ b: Double) {
      count += 1
      x.add(a)
      y.add(b)
      xx.add(product: a, a)
      yy.add(product: b, b)
      xy.add(product: a, b)
      (lows, highs) = (pointwiseMin(lows, SIMD2(a, b)), pointwiseMax(highs, SIMD2(a, b)))
    }

    mutating func merge(_ other: Moments) {
      count += other.count
      x.add(other.x)
      y.add(other.y)
      xx.add(other.xx)
      yy.add(other.yy)
      xy.add(other.xy)
      (lows, highs) = (pointwiseMin(lows, other.lows), pointwiseMax(highs, other.highs))
    }

    /// The sums of squares of the deviations from the means, and of their products, each multiplied with the number of rows.
    var deviations: (xx: Double, yy: Double, xy: Double) {
      (
        lows.x == highs.x ? 0 : max(0, ExactSum.crossed(x, x, xx, count)),
        lows.y == highs.y ? 0 : max(0, ExactSum.crossed(y, y, yy, count)),
        lows.x == highs.x || lows.y == highs.y ? 0 : ExactSum.crossed(x, y, xy, count)
      )
    }
  }

  init(_ result: Result) { self.result = result }

  mutating func grow(to count: Int) { groups.grow(to: count, Moments()) }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let xs = Double.values(of: columns[0])
    let ys = columns.count > 1 ? Double.values(of: columns[1]) : xs
    for (row, slot) in rows.slots.enumerated() where !xs[row].isNaN && !ys[row].isNaN {
      groups[Int(slot)].add(xs[row], ys[row])
    }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    for (slot, group) in zip(slots, same(other).groups) { groups[Int(slot)].merge(group) }
  }

  var column: GroupColumn { .doubles(ColumnBuffer(groups.map(value))) }

  private func value(of group: Moments) -> Double {
    guard group.count > 1, group.lows.min().isFinite, group.highs.max().isFinite else { return .missing }
    let (n, d) = (Double(group.count), group.deviations)
    let value: Double =
      switch result {
      case .variance: d.xx / (n * (n - 1))
      case .covariance: d.xy / (n * (n - 1))
      case .slope: d.xy / d.yy
      case .correlation: d.xy / (d.xx.squareRoot() * d.yy.squareRoot())
      case .share: (d.xy / d.xx) * (d.xy / d.yy)
      }
    switch result {
    case .correlation: return value.isFinite ? max(-1, min(1, value)) : .missing
    case .share: return value.isFinite ? min(1, value) : .missing
    default: return value.ifFinite
    }
  }
}
