// A column computed from another: adjusted prices from prices, adjusted volumes from volumes.
//
//   value[row] = rounded(source[row] * factor)       one factor for each stretch of days between two corporate actions
//
// The vendor's factors are not among the data, but every row says where its factor must lie: the unrounded product is
// within half a unit of the value's last digit, so factor is within (value - half) / source ... (value + half) / source.
// The intervals of a stretch are intersected until the intersection is empty; the next stretch begins there. A single
// row that disagrees is an exception. Which rounding the vendor used differs between vintages (14 significant digits in
// 2018, 12 in 2016), so the likely ones are tried. Nothing is taken on trust: each row is computed as the decoder will,
// and what differs is an exception.
//
// The map from source to value is monotone within a stretch, so a range of values is a range of the source's values.

/// A stretch of rows with one factor.
struct DerivedStretch: Equatable, Sendable {
  /// The first row; the stretch ends before the next one's.
  let firstRow: Int
  let factor: Double
}

/// A value that can be computed from another of its kind by a factor.
protocol DerivableValue: AttributeValue {
  /// The value computed from `source`, which is not missing.
  static func derived(from source: Self, factor: Double, _ digits: SignificantDigits) -> Self

  /// The factors that may have led from `source` to `value`; nil when the row doesn't tell.
  static func factors(from source: Self, to value: Self, _ digits: SignificantDigits) -> (Double, Double)?

  /// The scaled integer from which `factor` leads to about `value`.
  static func scaledSource(of value: Self, factor: Double, exponent: Int) -> Double

  /// How far from `integer`, a scaled source, the first one may lie whose value is that of `integer` or more.
  static func slack(around integer: Double, factor: Double, _ digits: SignificantDigits) -> Double

  /// The roundings that are worth trying, the likeliest first.
  static var roundings: [SignificantDigits] { get }
}

extension Double: DerivableValue {
  static let roundings = [14, 12, 13, SignificantDigits.all, 10].map(SignificantDigits.init)

  @inline(__always)
  static func derived(from source: Double, factor: Double, _ digits: SignificantDigits) -> Double {
    digits.rounded(source * factor)
  }

  /// Rounding to 10 significant digits moves a value by 5e-10 of it at most, each of the other operations by 2e-16.
  static func slack(around integer: Double, factor: Double, _ digits: SignificantDigits) -> Double {
    digits.digits >= 10 ? integer.magnitude * 1e-9 : .infinity
  }

  static func scaledSource(of value: Double, factor: Double, exponent: Int) -> Double {
    value / factor * powersOfTen[exponent]
  }

  static func factors(from source: Double, to value: Double, _ digits: SignificantDigits) -> (Double, Double)? {
    guard source > 0, value > 0, value.isFinite else { return nil }
    let half = digits.halfUnit(of: value)
    return ((value - half) / source, (value + half) / source)
  }
}

extension Int64: DerivableValue {
  /// Whole shares.
  static let roundings = [SignificantDigits(digits: 0)]

  @inline(__always)
  static func derived(from source: Int64, factor: Double, _ digits: SignificantDigits) -> Int64 {
    // The factor 1 needs no rounding, and must not lose the digits of volumes past 2^53.
    if factor == 1 { return source }
    let product = Double(source) * factor
    // Past that the addition below doesn't round; the map stays monotone, and the row is an exception.
    guard product.magnitude < 0x1p51 else { return product > 0 ? .max : .min + 1 }
    return Int64((product + 0x1.8p52) - 0x1.8p52)
  }

  static func slack(around integer: Double, factor: Double, _ digits: SignificantDigits) -> Double {
    integer.magnitude * 1e-9 + 1 / factor
  }

  static func scaledSource(of value: Int64, factor: Double, exponent: Int) -> Double { Double(value) / factor }

  static func factors(from source: Int64, to value: Int64, _ digits: SignificantDigits) -> (Double, Double)? {
    guard source > 0, value > 0 else { return nil }
    return ((Double(value) - 0.5) / Double(source), (Double(value) + 0.5) / Double(source))
  }
}

enum DerivedCodec<Value: BlockValue> {
  /// The values as computed from `source`; nil when that explains too few of them.
  static func analyze(
    _ values: UnsafeBufferPointer<Value>, from source: UnsafeBufferPointer<Value>
  ) -> BlockPlan<Value>? {
    var best: BlockPlan<Value>?
    // More would cost as much as they save.
    let stretchLimit = max(2, values.count / 16)
    for digits in Value.roundings {
      guard let stretches = unsafe stretches(values, source, digits, limit: stretchLimit) else { continue }
      let plan = unsafe plan(values, source, stretches, digits)
      if plan.byteCount < best?.byteCount ?? .max { best = plan }
      if plan.exceptionRows.count * 32 <= values.count { break }
    }
    return best
  }

  private static func plan(
    _ values: UnsafeBufferPointer<Value>, _ source: UnsafeBufferPointer<Value>, _ stretches: [DerivedStretch],
    _ digits: SignificantDigits
  ) -> BlockPlan<Value> {
    var exceptions: [Int] = []
    for (index, stretch) in stretches.enumerated() {
      let end = index + 1 < stretches.count ? stretches[index + 1].firstRow : values.count
      for row in stretch.firstRow..<end {
        let value = unsafe computed(source[row], stretch.factor, digits)
        if unsafe value.bits != values[row].bits { exceptions.append(row) }
      }
    }
    var header = BlockHeader(encoding: .derived, rowCount: values.count)
    header.stretchCount = stretches.count
    header.exponent = digits.digits
    return BlockPlan(header: header, exceptionRows: exceptions, stretches: stretches)
  }

  /// What the decoder computes.
  @inline(__always)
  static func computed(_ source: Value, _ factor: Double, _ digits: SignificantDigits) -> Value {
    source.isMissing ? .missing : Value.derived(from: source, factor: factor, digits).canonical
  }

  /// The stretches of rows that one factor each can explain; nil when there are more than `limit`.
  private static func stretches(
    _ values: UnsafeBufferPointer<Value>, _ source: UnsafeBufferPointer<Value>, _ digits: SignificantDigits, limit: Int
  ) -> [DerivedStretch]? {
    var stretches: [DerivedStretch] = []
    var firstRow = 0
    var (lower, upper) = (0.0, Double.infinity)
    func close() { stretches.append(DerivedStretch(firstRow: firstRow, factor: factor(lower, upper))) }
    for row in values.indices {
      guard let (low, high) = unsafe Value.factors(from: source[row], to: values[row], digits) else { continue }
      if low <= upper, high >= lower {
        (lower, upper) = (max(lower, low), min(upper, high))
      } else if unsafe !agrees(row + 1, values, source, digits, lower, upper) {
        close()
        if stretches.count >= limit { return nil }
        (firstRow, lower, upper) = (row, low, high)
      }
    }
    close()
    return stretches
  }

  /// Whether a row's factor may lie between `lower` and `upper`.
  private static func agrees(
    _ row: Int, _ values: UnsafeBufferPointer<Value>, _ source: UnsafeBufferPointer<Value>, _ digits: SignificantDigits,
    _ lower: Double, _ upper: Double
  ) -> Bool {
    guard row < values.count, let (low, high) = unsafe Value.factors(from: source[row], to: values[row], digits) else {
      return false
    }
    return low <= upper && high >= lower
  }

  /// A factor between two bounds: 1 or another whole number where there is one, else the middle.
  private static func factor(_ lower: Double, _ upper: Double) -> Double {
    guard upper < .infinity else { return 1 }
    let whole = lower.rounded(.up)
    return whole <= upper && whole >= 1 ? whole : lower + (upper - lower) / 2
  }
}
