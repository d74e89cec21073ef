// Scaled integers with a frame of reference: value = (base + offset * step) / 10^exponent, offset in 0 ... 4 bytes.
//
// Prices are decimals: a division by a power of ten, correctly rounded, gives back every price of up to 15 digits to
// the last bit (a multiplication by 0.01 would not). Int64 values have exponent 0. The step is the greatest common
// divisor of the block's offsets: volumes in round lots of 100, prices in eighths. The map from offset to value is
// monotone, so a range of values is a range of offsets and a scan compares offsets without decoding.
//
// Payload by width: 1, 2 and 4 bytes are arrays of that integer; 3 bytes are an array of the low 16 bits and then
// an array of the high 8. Idea: DuckDB's ALP (Afroozeh, Kuffo and Boncz 2023) and its patched frames of reference
// (PFOR, Zukowski et al. 2006).

/// How a column's values become small integers.
enum ScaledCodec<Value: BlockValue> {
  private static var largestWidth: Int { 4 }

  /// The cheapest way to scale these values, whose offsets are then in `scratch.scaled`; nil when hardly any of them is
  /// a decimal.
  static func analyze(_ values: UnsafeBufferPointer<Value>, _ scratch: EncoderScratch) -> BlockPlan<Value>? {
    var best: BlockPlan<Value>?
    for exponent in Value.exponents {
      guard let (plan, isExact) = unsafe analyze(values, exponent: exponent, scratch.spare) else { continue }
      if plan.byteCount < best?.byteCount ?? .max {
        best = plan
        scratch.keepSpare()
      }
      // Nothing is left to gain from a finer scale once every value fits this one.
      if isExact { break }
    }
    return best
  }

  private static func analyze(
    _ values: UnsafeBufferPointer<Value>, exponent: Int, _ column: ScaledColumn
  ) -> (plan: BlockPlan<Value>, isExact: Bool)? {
    column.removeExceptions()
    // Half the rows as exceptions cost more than plain storage does.
    guard let range = unsafe Value.scale(values, exponent: exponent, into: column, exceptionLimit: values.count / 2)
    else { return nil }
    let isExact = column.exceptionCount == 0
    for index in unsafe column.exceptionRows.indices {
      unsafe column.integers[Int(column.exceptionRows[index])] = range.lowerBound
    }
    var header = BlockHeader(encoding: .scaled, rowCount: values.count)
    header.base = range.lowerBound.bits
    header.exponent = exponent
    header.step = unsafe step(UnsafeBufferPointer(rebasing: column.integers[..<values.count]), range)
    setOffsets(column, range, header)
    let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    chooseWidth(column, &header, largestOffset: min(span / UInt64(header.step), UInt64(UInt32.max)))
    let plan = BlockPlan<Value>(header: header)
    return plan.header.isConsistent ? (plan, isExact) : nil
  }

  /// The greatest common divisor of the distances to the smallest integer; 1 when it is too large to store.
  private static func step(_ integers: UnsafeBufferPointer<Int64>, _ range: ClosedRange<Int64>) -> UInt32 {
    let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    guard span <= UInt64(UInt32.max) else { return unsafe wideStep(integers, range.lowerBound) }
    var divisor = ExactDivisor(max(1, UInt32(truncatingIfNeeded: span)))
    for row in integers.indices {
      if divisor.value == 1 { break }
      let distance = UInt32(truncatingIfNeeded: unsafe integers[row] &- range.lowerBound)
      if divisor.divides(distance) { continue }
      var (common, remainder) = (divisor.value, distance % divisor.value)
      while remainder != 0 { (common, remainder) = (remainder, common % remainder) }
      divisor = ExactDivisor(common)
    }
    return divisor.value
  }

  private static func wideStep(_ integers: UnsafeBufferPointer<Int64>, _ base: Int64) -> UInt32 {
    var divisor: UInt64 = 0
    for row in integers.indices {
      if divisor == 1 { break }
      var remainder = UInt64(bitPattern: unsafe integers[row] &- base)
      while remainder != 0 { (divisor, remainder) = (remainder, divisor == 0 ? 0 : divisor % remainder) }
    }
    return UInt32(exactly: divisor).map { max($0, 1) } ?? 1
  }

  /// Sets the offsets; rows whose offset takes more than 32 bits become exceptions.
  private static func setOffsets(_ column: ScaledColumn, _ range: ClosedRange<Int64>, _ header: BlockHeader) {
    let base = range.lowerBound
    guard UInt64(bitPattern: range.upperBound &- base) <= UInt64(UInt32.max) else {
      return setWideOffsets(column, base, header)
    }
    for row in 0..<header.rowCount {
      unsafe column.offsets[row] = UInt32(truncatingIfNeeded: column.integers[row] &- base)
    }
    if header.step == 1 { return }
    let step = ExactDivisor(header.step)
    for row in 0..<header.rowCount { unsafe column.offsets[row] = step.quotient(column.offsets[row]) }
  }

  private static func setWideOffsets(_ column: ScaledColumn, _ base: Int64, _ header: BlockHeader) {
    for row in 0..<header.rowCount {
      let offset = UInt64(bitPattern: unsafe column.integers[row] &- base) / UInt64(header.step)
      unsafe column.offsets[row] = UInt32(exactly: offset) ?? 0
      if offset > UInt64(UInt32.max) { column.addException(row) }
    }
    column.sortExceptions()
  }

  /// Sets the width and the number of exceptions to what takes the fewest bytes: at each width, rows whose offset
  /// doesn't fit are exceptions too. Widths are tried from the one that all offsets fit downward, until one doesn't pay.
  private static func chooseWidth(_ column: ScaledColumn, _ header: inout BlockHeader, largestOffset: UInt64) {
    header.width = min(largestWidth, (71 - largestOffset.leadingZeroBitCount) / 8)
    header.exceptionCount = column.exceptionCount
    var best = (byteCount: header.payloadByteCount + header.exceptionByteCount, width: header.width)
    while header.width > 0 {
      header.width -= 1
      header.exceptionCount = column.exceptionCount + wideCount(column, header)
      let byteCount = header.payloadByteCount + header.exceptionByteCount
      // Narrower still, there are no fewer exceptions: nothing but the offsets' own bytes is left to save.
      if byteCount < best.byteCount {
        best = (byteCount, header.width)
      } else if header.exceptionByteCount >= best.byteCount {
        break
      }
    }
    header.width = best.width
    header.exceptionCount =
      column.exceptionCount + (UInt64(1) << UInt64(8 * best.width) > largestOffset ? 0 : wideCount(column, header))
  }

  /// How many offsets don't fit the width, which is below 4.
  private static func wideCount(_ column: ScaledColumn, _ header: BlockHeader) -> Int {
    let highest = Int32(bitPattern: 1 << UInt32(8 * header.width)) &- 1
    var lanes = SIMD8<Int32>.zero
    let wholeCount = header.rowCount & ~7
    // Sound: a column has room for a block's rows, of which the header has no more; eight at a time end before the
    // last.
    let start = UnsafeRawPointer(unsafe column.offsets.baseAddress!)
    // A comparison of unsigned integers is one of signed ones with the highest bits flipped.
    let limit = SIMD8<Int32>(repeating: highest ^ .min)
    for row in stride(from: 0, to: wholeCount, by: 8) {
      let offsets = unsafe start.loadUnaligned(fromByteOffset: row &* 4, as: SIMD8<Int32>.self) ^ .min
      lanes.replace(with: lanes &+ 1, where: offsets .> limit)
    }
    var count = Int(lanes.wrappedSum())
    for row in wholeCount..<header.rowCount where unsafe column.offsets[row] > UInt32(bitPattern: highest) {
      count += 1
    }
    return count
  }

  /// Makes the rows whose offset doesn't fit the plan's width exceptions, and the offsets of all exceptions 0.
  static func settle(_ column: ScaledColumn, _ header: BlockHeader) {
    let fits = header.width == largestWidth ? UInt32.max : (1 << UInt32(8 * header.width)) - 1
    if column.exceptionCount < header.exceptionCount {
      for row in 0..<header.rowCount where unsafe column.offsets[row] > fits { column.addException(row) }
      column.sortExceptions()
    }
    for index in unsafe column.exceptionRows.indices { unsafe column.offsets[Int(column.exceptionRows[index])] = 0 }
  }

  /// Writes the payload, `width` bytes an offset.
  static func write(_ column: ScaledColumn, _ header: BlockHeader, to payload: UnsafeMutableRawBufferPointer) {
    let count = header.rowCount
    precondition(payload.count == count * header.width)
    let offsets = unsafe column.offsets
    switch header.width {
    case 1: for row in 0..<count { unsafe payload[row] = UInt8(truncatingIfNeeded: offsets[row]) }
    case 2: for row in 0..<count { unsafe payload.store(UInt16(truncatingIfNeeded: offsets[row]), at: row &* 2) }
    case 3:
      for row in 0..<count { unsafe payload.store(UInt16(truncatingIfNeeded: offsets[row]), at: row &* 2) }
      for row in 0..<count { unsafe payload[count &* 2 &+ row] = UInt8(truncatingIfNeeded: offsets[row] &>> 16) }
    case 4: for row in 0..<count { unsafe payload.store(offsets[row], at: row &* 4) }
    default: break
    }
  }
}

/// A divisor above 0 whose multiples are told and divided without a division: by a shift and a multiplication by the
/// inverse of the odd part modulo 2^32. Of all numbers the multiples are those for which that gives a small quotient
/// (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994).
private struct ExactDivisor {
  let value: UInt32
  private let shift: UInt32
  private let inverse: UInt32
  private let largestQuotient: UInt32

  init(_ value: UInt32) {
    self.value = value
    let shift = UInt32(value.trailingZeroBitCount)
    self.shift = shift
    // Newton's iteration: each step doubles the bits that are right, of which an odd number has three.
    let odd = value >> shift
    inverse = (0..<4).reduce(odd) { inverse, _ in inverse &* (2 &- odd &* inverse) }
    largestQuotient = .max / value
  }

  @inline(__always)
  func divides(_ number: UInt32) -> Bool {
    // The bits below the shift must be zero; rotated, they make the quotient too large.
    let product = number &* inverse
    return (product &>> shift | product &<< ((32 &- shift) & 31)) <= largestQuotient
  }

  /// The quotient of a multiple.
  @inline(__always)
  func quotient(_ multiple: UInt32) -> UInt32 { (multiple &>> shift) &* inverse }
}
