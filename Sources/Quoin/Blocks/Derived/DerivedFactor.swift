/// How the values of a stretch are computed: the source's as float64, multiplied, then rounded.
struct DerivedFactor {
  let value: Double
  let digits: SignificantDigits
  /// Whether the source's values are int64.
  var isOfIntegers = false

  /// Whether it makes all values missing, because it is NaN.
  @inline(__always)
  var isMissing: Bool { value.isMissing }

  /// The value that is computed from `source`.
  @inline(__always)
  func value(from source: Double) -> Double {
    source.isMissing ? .missing : digits.rounded(source * value).canonical
  }

  /// The source's value with these bits.
  @inline(__always)
  func source(bits: UInt64) -> Double { isOfIntegers ? Double.nearest(to: Int64(bits: bits)) : Double(bits: bits) }

  /// How far from `integer`, a scaled source, the first one may lie whose value is that of `integer` or more.
  ///
  /// Rounding to 10 significant digits moves a value by 5e-10 of it at most, to whole numbers by 0.5, each of the other
  /// operations by 2e-16.
  ///
  /// - Parameter scale: how far the integers of two values lie apart whose distance is 1.
  @inline(__always)
  func slack(around integer: Double, scale: Double) -> Double {
    if digits.isWhole { return integer.magnitude * 1e-9 + scale }
    return digits.digits >= 10 ? integer.magnitude * 1e-9 : .infinity
  }
}

// Sound throughout: callers pass rows of both buffers, and four rows are read only where four are left.
extension DerivedFactor {
  /// Appends the rows of a stretch that the decoder would compute wrongly to `rows`.
  func appendPatches(
    of stretch: Range<Int>, _ values: UnsafeBufferPointer<Double>, from source: UnsafeBufferPointer<Double>,
    to rows: inout [UInt16]
  ) {
    var decade = RoundingDecade.none
    var row = stretch.lowerBound
    while row < stretch.upperBound {
      if row &+ 4 <= stretch.upperBound, let computed = unsafe decade.rounded(source.four(row) * value),
        Double.isAll(Double.bits(computed) .== Double.bits(unsafe values.four(row)))
      {
        row &+= 4
        continue
      }
      for row in row..<Swift.min(row &+ 4, stretch.upperBound) {
        let computed = unsafe value(from: source[row])
        if unsafe computed.bitPattern != values[row].bitPattern { rows.append(UInt16(truncatingIfNeeded: row)) }
      }
      decade.follow(unsafe source[row] * value, digits)
      row &+= 4
    }
  }

  /// Writes to `output` the values that the factor makes of the values `range` of `source`, which may be the same memory.
  ///
  /// - Parameter decade: that of the last value, because values of neighboring rows mostly lie together.
  @inline(__always)
  func derive(
    _ range: Range<Int>, from source: UnsafeBufferPointer<Double>, into output: UnsafeMutableBufferPointer<Double>,
    _ decade: inout RoundingDecade
  ) {
    // A factor without a value makes products without one, which take the path of other such products.
    var row = range.lowerBound
    while row < range.upperBound {
      if row &+ 4 <= range.upperBound, let computed = unsafe decade.rounded(source.four(row) * value) {
        unsafe UnsafeMutableRawPointer(output.baseAddress! + row).storeBytes(of: computed, as: SIMD4<Double>.self)
        row &+= 4
        continue
      }
      let product = unsafe source[row] * value
      if let computed = decade.rounded(product) {
        unsafe output[row] = computed
      } else {
        decade.follow(product, digits)
        unsafe output[row] = value(from: source[row])
      }
      row &+= 1
    }
  }
}

// Whole numbers as float64.
//
//     v + 1.5 * 2^52, as a sum of float64      the bits of 1.5 * 2^52 and v, as a sum of integers, for |v| < 2^51
//
// So one addition of integers and one subtraction make four float64 of four int64, which the baseline instruction set has no
// instruction for.
extension Double {
  /// The nearest float64; NaN if the number is missing.
  @inline(__always)
  static func nearest(to number: Int64) -> Double { number.isMissing ? .missing : Double(number) }

  /// Writes whole numbers to `output`, which has room for as many.
  static func convert(_ numbers: UnsafeBufferPointer<Int64>, into output: UnsafeMutableBufferPointer<Double>) {
    precondition(output.count >= numbers.count, "room for \(output.count) values of \(numbers.count)")
    guard let start = numbers.baseAddress, let end = output.baseAddress else { return }
    let magic = SIMD4<Int64>(repeating: Int64(bitPattern: (0x1.8p52).bitPattern))
    var row = 0
    while row < numbers.count {
      if row &+ 4 <= numbers.count {
        let four = unsafe UnsafeRawPointer(start + row).loadUnaligned(as: SIMD4<Int64>.self)
        // Numbers below 2^51 lie between 0 and 2^52 after this.
        let shifted = four &+ SIMD4(repeating: 1 << 51)
        let pair = shifted.lowHalf | shifted.highHalf
        if (pair[0] | pair[1]) &>> 52 == 0 {
          // Sound: four lanes of 8 bytes on both sides.
          let values = unsafe unsafeBitCast(four &+ magic, to: SIMD4<Double>.self) - 0x1.8p52
          unsafe UnsafeMutableRawPointer(end + row).storeBytes(of: values, as: SIMD4<Double>.self)
          row &+= 4
          continue
        }
      }
      for row in row..<Swift.min(row &+ 4, numbers.count) { unsafe end[row] = nearest(to: start[row]) }
      row &+= 4
    }
  }
}

extension UnsafeBufferPointer<Double> {
  /// The values of four rows.
  @inline(__always)
  func four(_ row: Int) -> SIMD4<Double> {
    unsafe UnsafeRawPointer(baseAddress!).loadUnaligned(fromByteOffset: row &* 8, as: SIMD4<Double>.self)
  }
}
