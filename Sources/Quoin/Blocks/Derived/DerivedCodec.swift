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

  /// The source as a number, and the unrounded products between which `value` lies; nil when the row doesn't tell.
  ///
  /// - Parameter decade: where the last value lay, for values of neighboring rows mostly lie together.
  static func products(
    from source: Self, to value: Self, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) -> (source: Double, low: Double, high: Double)?

  /// How many of the rows from `first` on say nothing new of a factor between `lower` and `upper`: a quick look, which
  /// may stop anywhere.
  static func agreeing(
    from first: Int, _ values: UnsafeBufferPointer<Self>, _ source: UnsafeBufferPointer<Self>,
    _ lower: Double, _ upper: Double, _ decade: RoundingDecade
  ) -> Int

  /// Adds the rows of a stretch that the decoder would compute otherwise to `rows`.
  static func appendExceptions(
    of stretch: Range<Int>, _ values: UnsafeBufferPointer<Self>, from source: UnsafeBufferPointer<Self>,
    factor: Double, _ digits: SignificantDigits, to rows: inout [UInt16])

  /// Writes to `output` what `DerivedCodec.computed` makes of the values `range` of `source`, which may be the same memory.
  ///
  /// - Parameter decade: where the last value lay, for values of neighboring rows mostly lie together.
  static func derive(
    _ range: Range<Int>, from source: UnsafeBufferPointer<Self>, into output: UnsafeMutableBufferPointer<Self>,
    factor: Double, _ digits: SignificantDigits, _ decade: inout RoundingDecade)

  /// The nearest float64.
  var approximately: Double { get }

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

  var approximately: Double { self }

  @inline(__always)
  static func products(
    from source: Double, to value: Double, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) -> (source: Double, low: Double, high: Double)? {
    guard source > 0, value > 0, value < .infinity else { return nil }
    if !decade.contains(value) { decade = digits.decade(of: value) }
    return (source, value - decade.halfUnit, value + decade.halfUnit)
  }

  /// Four rows at a time: both ends of a row's products lie beyond those of the interval's.
  static func agreeing(
    from first: Int, _ values: UnsafeBufferPointer<Double>, _ source: UnsafeBufferPointer<Double>,
    _ lower: Double, _ upper: Double, _ decade: RoundingDecade
  ) -> Int {
    var row = first
    while row &+ 4 <= values.count {
      let (value, size) = unsafe (four(values, row), four(source, row))
      let isInDecade = value .>= decade.low .& value .< decade.high
      let isWide = value - decade.halfUnit .<= size * lower .& value + decade.halfUnit .>= size * upper
      guard isAll(isInDecade .& isWide .& size .> 0) else { break }
      row &+= 4
    }
    return row &- first
  }

  /// Does what `derived` does, four rows at a time, and finds out only where the products change size how they are
  /// rounded.
  static func appendExceptions(
    of stretch: Range<Int>, _ values: UnsafeBufferPointer<Double>, from source: UnsafeBufferPointer<Double>,
    factor: Double, _ digits: SignificantDigits, to rows: inout [UInt16]
  ) {
    var decade = RoundingDecade.none
    var row = stretch.lowerBound
    while row < stretch.upperBound {
      if row &+ 4 <= stretch.upperBound, let scale = decade.scale {
        let product = unsafe four(source, row) * factor
        let scaled = product * scale
        let nearest = (scaled + 0x1.8p52) - 0x1.8p52
        let isInDecade = product .>= decade.low .& product .< decade.high
        // A tie has to be settled, a half away from both.
        let distance = scaled - nearest
        let isSettled = distance .< 0.5 .& distance .> -0.5
        if isAll(isInDecade .& isSettled .& bits(nearest / scale) .== bits(unsafe four(values, row))) {
          row &+= 4
          continue
        }
      }
      for row in row..<Swift.min(row &+ 4, stretch.upperBound) {
        let computed = unsafe DerivedCodec.computed(source[row], factor, digits)
        if unsafe computed.bitPattern != values[row].bitPattern { rows.append(UInt16(truncatingIfNeeded: row)) }
      }
      let product = unsafe source[row] * factor
      if product > 0, product < .infinity, !decade.contains(product) { decade = digits.decade(of: product) }
      row &+= 4
    }
  }

  /// Four rows at a time where their products are rounded alike.
  @inline(__always)
  static func derive(
    _ range: Range<Int>, from source: UnsafeBufferPointer<Double>, into output: UnsafeMutableBufferPointer<Double>,
    factor: Double, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) {
    var row = range.lowerBound
    while row < range.upperBound {
      if row &+ 4 <= range.upperBound, let scale = decade.scale {
        let product = unsafe four(source, row) * factor
        let scaled = product * scale
        let nearest = (scaled + 0x1.8p52) - 0x1.8p52
        let distance = scaled - nearest
        if isAll(product .>= decade.low .& product .< decade.high .& distance .< 0.5 .& distance .> -0.5) {
          // Sound: four values begin at `row`.
          unsafe UnsafeMutableRawPointer(output.baseAddress! + row).storeBytes(
            of: nearest / scale, as: SIMD4<Double>.self)
          row &+= 4
          continue
        }
      }
      let product = unsafe source[row] * factor
      if let scale = decade.scale, decade.contains(product) {
        let scaled = product * scale
        let nearest = (scaled + 0x1.8p52) - 0x1.8p52
        if (scaled - nearest).magnitude != 0.5 {
          unsafe output[row] = nearest / scale
          row &+= 1
          continue
        }
      } else if product > 0, product < .infinity {
        decade = digits.decade(of: product)
      }
      unsafe output[row] = DerivedCodec.computed(source[row], factor, digits)
      row &+= 1
    }
  }

  @inline(__always)
  private static func four(_ values: UnsafeBufferPointer<Double>, _ row: Int) -> SIMD4<Double> {
    // Sound: callers make sure that four values begin at `row`.
    unsafe UnsafeRawPointer(values.baseAddress!).loadUnaligned(fromByteOffset: row &* 8, as: SIMD4<Double>.self)
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

  @inline(__always)
  static func derive(
    _ range: Range<Int>, from source: UnsafeBufferPointer<Int64>, into output: UnsafeMutableBufferPointer<Int64>,
    factor: Double, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) {
    for row in range { unsafe output[row] = DerivedCodec.computed(source[row], factor, digits) }
  }

  static func slack(around integer: Double, factor: Double, _ digits: SignificantDigits) -> Double {
    // From 2^51 on the product is not rounded but cut off.
    integer.magnitude * factor < 0x1p51 ? integer.magnitude * 1e-9 + 1 / factor : .infinity
  }

  var approximately: Double { Double(self) }

  @inline(__always)
  static func products(
    from source: Int64, to value: Int64, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) -> (source: Double, low: Double, high: Double)? {
    guard source > 0, value > 0 else { return nil }
    return (Double(source), Double(value) - 0.5, Double(value) + 0.5)
  }

  static func agreeing(
    from first: Int, _ values: UnsafeBufferPointer<Int64>, _ source: UnsafeBufferPointer<Int64>,
    _ lower: Double, _ upper: Double, _ decade: RoundingDecade
  ) -> Int { 0 }

  static func appendExceptions(
    of stretch: Range<Int>, _ values: UnsafeBufferPointer<Int64>, from source: UnsafeBufferPointer<Int64>,
    factor: Double, _ digits: SignificantDigits, to rows: inout [UInt16]
  ) {
    for row in stretch where unsafe DerivedCodec.computed(source[row], factor, digits) != values[row] {
      rows.append(UInt16(truncatingIfNeeded: row))
    }
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
      if plan.header.exceptionCount * 32 <= values.count { break }
    }
    return best
  }

  private static func plan(
    _ values: UnsafeBufferPointer<Value>, _ source: UnsafeBufferPointer<Value>, _ stretches: [DerivedStretch],
    _ digits: SignificantDigits
  ) -> BlockPlan<Value> {
    var exceptions: [UInt16] = []
    for (index, stretch) in stretches.enumerated() {
      let end = index + 1 < stretches.count ? stretches[index + 1].firstRow : values.count
      unsafe Value.appendExceptions(
        of: stretch.firstRow..<end, values, from: source, factor: stretch.factor, digits, to: &exceptions)
    }
    var header = BlockHeader(encoding: .derived, rowCount: values.count)
    header.stretchCount = stretches.count
    header.exponent = digits.digits
    header.exceptionCount = exceptions.count
    var plan = BlockPlan<Value>(header: header)
    plan.stretches = stretches
    plan.derivedExceptions = exceptions
    return plan
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
    var decade = RoundingDecade.none
    func close() { stretches.append(DerivedStretch(firstRow: firstRow, factor: factor(lower, upper))) }
    var (row, nextLook) = (0, 4)
    while row < values.count {
      if row >= nextLook {
        unsafe row += Value.agreeing(from: row, values, source, lower, upper, decade)
        // Where a look ended, the next few rows are no better.
        nextLook = row + 4
        guard row < values.count else { break }
      }
      defer { row += 1 }
      guard let (size, low, high) = unsafe Value.products(from: source[row], to: values[row], digits, &decade) else {
        continue
      }
      // Most rows say nothing new, and multiplications tell.
      if low <= upper * size, high >= lower * size {
        if low > lower * size { lower = min(low / size, upper) }
        if high < upper * size { upper = max(high / size, lower) }
      } else if unsafe !agrees(row + 1, values, source, digits, lower, upper) {
        close()
        if stretches.count >= limit { return nil }
        (firstRow, lower, upper) = (row, low / size, high / size)
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
    var decade = RoundingDecade.none
    guard row < values.count,
      let (source, low, high) = unsafe Value.products(from: source[row], to: values[row], digits, &decade)
    else { return false }
    return low <= upper * source && high >= lower * source
  }

  /// A factor between two bounds: 1 or another whole number where there is one, else the middle.
  private static func factor(_ lower: Double, _ upper: Double) -> Double {
    guard upper < .infinity else { return 1 }
    let whole = lower.rounded(.up)
    return whole <= upper && whole >= 1 ? whole : lower + (upper - lower) / 2
  }
}
