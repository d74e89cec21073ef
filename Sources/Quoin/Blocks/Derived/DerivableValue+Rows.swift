// Prices, rounded to significant digits, four rows at a time where these are rounded alike.
//
// Sound throughout: callers pass rows of both buffers, and four rows are read only where four are left.
extension Double: DerivableValue {
  static let roundings = [14, 12, 13, SignificantDigits.all, 10].map(SignificantDigits.init)

  @inline(__always)
  static func derived(from source: Double, by factor: DerivedFactor) -> Double {
    factor.digits.rounded(source * factor.value)
  }

  /// Rounding to 10 significant digits moves a value by 5e-10 of it at most, each of the other operations by 2e-16.
  static func slack(around integer: Double, by factor: DerivedFactor) -> Double {
    factor.digits.digits >= 10 ? integer.magnitude * 1e-9 : .infinity
  }

  var approximately: Double { self }

  @inline(__always)
  static func product(
    from source: Double, to value: Double, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) -> DerivedProduct? {
    guard source > 0, value > 0, value < .infinity else { return nil }
    if !decade.contains(value) { decade = digits.decade(of: value) }
    return DerivedProduct(source: source, low: value - decade.halfUnit, high: value + decade.halfUnit)
  }

  /// Both ends of a row's products lie beyond those of the interval's.
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

  static func appendPatches(
    of stretch: Range<Int>, _ values: UnsafeBufferPointer<Double>, from source: UnsafeBufferPointer<Double>,
    by factor: DerivedFactor, to rows: inout [UInt16]
  ) {
    var decade = RoundingDecade.none
    var row = stretch.lowerBound
    while row < stretch.upperBound {
      if row &+ 4 <= stretch.upperBound, let computed = unsafe decade.rounded(four(source, row) * factor.value),
        isAll(bits(computed) .== bits(unsafe four(values, row)))
      {
        row &+= 4
        continue
      }
      for row in row..<Swift.min(row &+ 4, stretch.upperBound) {
        let computed = unsafe factor.value(from: source[row])
        if unsafe computed.bitPattern != values[row].bitPattern { rows.append(UInt16(truncatingIfNeeded: row)) }
      }
      decade.follow(unsafe source[row] * factor.value, factor.digits)
      row &+= 4
    }
  }

  @inline(__always)
  static func derive(
    _ range: Range<Int>, from source: UnsafeBufferPointer<Double>, into output: UnsafeMutableBufferPointer<Double>,
    by factor: DerivedFactor, _ decade: inout RoundingDecade
  ) {
    var row = range.lowerBound
    while row < range.upperBound {
      if row &+ 4 <= range.upperBound, let computed = unsafe decade.rounded(four(source, row) * factor.value) {
        unsafe UnsafeMutableRawPointer(output.baseAddress! + row).storeBytes(of: computed, as: SIMD4<Double>.self)
        row &+= 4
        continue
      }
      let product = unsafe source[row] * factor.value
      if let computed = decade.rounded(product) {
        unsafe output[row] = computed
      } else {
        decade.follow(product, factor.digits)
        unsafe output[row] = factor.value(from: source[row])
      }
      row &+= 1
    }
  }

  @inline(__always)
  private static func four(_ values: UnsafeBufferPointer<Double>, _ row: Int) -> SIMD4<Double> {
    unsafe UnsafeRawPointer(values.baseAddress!).loadUnaligned(fromByteOffset: row &* 8, as: SIMD4<Double>.self)
  }
}

// Whole shares.
extension Int64 {
  @inline(__always)
  static func derive(
    _ range: Range<Int>, from source: UnsafeBufferPointer<Int64>, into output: UnsafeMutableBufferPointer<Int64>,
    by factor: DerivedFactor, _ decade: inout RoundingDecade
  ) {
    for row in range { unsafe output[row] = factor.value(from: source[row]) }
  }

  static func appendPatches(
    of stretch: Range<Int>, _ values: UnsafeBufferPointer<Int64>, from source: UnsafeBufferPointer<Int64>,
    by factor: DerivedFactor, to rows: inout [UInt16]
  ) {
    for row in stretch where unsafe factor.value(from: source[row]) != values[row] {
      rows.append(UInt16(truncatingIfNeeded: row))
    }
  }
}
