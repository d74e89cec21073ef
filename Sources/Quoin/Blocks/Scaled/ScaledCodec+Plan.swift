// From values to offsets: the cheapest exponent, step and width, and the rows that are left to patches.
//
// Sound throughout: a `ScaledColumn` has room for a block's rows, of which the values and the header have no more.

extension ScaledCodec {
  /// The cheapest way to scale these values, whose offsets are then in `scratch.scaled`. Nil if hardly any of them is a
  /// decimal, or if this encoding can't beat the known plan, which takes a byte for each row or nearly nothing.
  static func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    if knownByteCount <= BlockHeader.byteCount + max(32, input.count) { return nil }
    var best: BlockPlan<Value>?
    for exponent in unsafe Value.exponents(of: input.values) {
      guard let (plan, isExact) = self.plan(input, exponent: exponent, input.scratch.spare) else { continue }
      if plan.byteCount < best?.byteCount ?? .max {
        best = plan
        input.scratch.keepSpare()
      }
      // A finer scale gains nothing once every value fits this one.
      if isExact { break }
    }
    return best
  }

  private static func plan<Value>(
    _ input: BlockInput<Value>, exponent: Int, _ column: ScaledColumn
  ) -> (plan: BlockPlan<Value>, isExact: Bool)? {
    column.removePatches()
    // Half the rows as patches cost more than a plain block.
    let limit = input.count / 2
    guard let range = unsafe Value.scale(input.values, exponent: exponent, into: column, patchLimit: limit) else {
      return nil
    }
    let isExact = column.patchCount == 0
    for index in unsafe column.patchRows.indices {
      unsafe column.integers[Int(column.patchRows[index])] = range.lowerBound
    }
    var header = BlockHeader(encoding: .scaled, rowCount: input.count)
    header.base = range.lowerBound.bits
    header.exponent = exponent
    header.step = unsafe step(UnsafeBufferPointer(rebasing: column.integers[..<input.count]), range)
    setOffsets(column, range, header)
    let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    chooseWidth(
      column, &header, largestOffset: min(span / UInt64(header.step), UInt64(UInt32.max)), fitsAll: input.packsBits)
    let plan = BlockPlan<Value>(header)
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

  /// Sets the offsets; rows whose offset takes more than 32 bits become patches.
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
      if offset > UInt64(UInt32.max) { column.addPatch(row) }
    }
    column.sortPatches()
  }

  /// Sets the width and the number of patches that take the fewest bytes. At each width, rows whose offset doesn't fit are
  /// patches too. Widths are tried downward from the one that all offsets fit, until one doesn't pay.
  ///
  /// - Parameter fitsAll: whether to keep the one that all offsets fit.
  private static func chooseWidth(
    _ column: ScaledColumn, _ header: inout BlockHeader, largestOffset: UInt64, fitsAll: Bool
  ) {
    header.width = min(largestWidth, (71 - largestOffset.leadingZeroBitCount) / 8)
    header.patchCount = column.patchCount
    if fitsAll { return }
    var best = (byteCount: header.payloadByteCount + header.patchByteCount, width: header.width)
    while header.width > 0 {
      header.width -= 1
      header.patchCount = column.patchCount + wideCount(column, header)
      let byteCount = header.payloadByteCount + header.patchByteCount
      // A narrower width has at least as many patches, so only the offsets' own bytes are left to save.
      if byteCount < best.byteCount {
        best = (byteCount, header.width)
      } else if header.patchByteCount >= best.byteCount {
        break
      }
    }
    header.width = best.width
    header.patchCount =
      column.patchCount + (UInt64(1) << UInt64(8 * best.width) > largestOffset ? 0 : wideCount(column, header))
  }

  /// How many offsets don't fit the width, which is below 4.
  private static func wideCount(_ column: ScaledColumn, _ header: BlockHeader) -> Int {
    let highest = Int32(bitPattern: 1 << UInt32(8 * header.width)) &- 1
    var lanes = SIMD8<Int32>.zero
    let wholeCount = header.rowCount & ~7
    // Sound: a column has room for a block's rows, of which the header has no more; eight at a time end no
    // later than the last.
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

  /// The rows that no integer stands for and those whose offset doesn't fit the plan's width. Their offsets become 0.
  static func patchRows<Value>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> [UInt16] {
    let (header, column) = (plan.header, input.scratch.scaled)
    let largest = header.largestOffset
    if column.patchCount < header.patchCount {
      for row in 0..<header.rowCount where unsafe column.offsets[row] > largest { column.addPatch(row) }
      column.sortPatches()
    }
    for index in unsafe column.patchRows.indices { unsafe column.offsets[Int(column.patchRows[index])] = 0 }
    return unsafe Array(column.patchRows)
  }

  /// Writes the payload, `width` bytes an offset.
  static func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {
    let (count, width) = (plan.header.rowCount, plan.header.width)
    precondition(payload.count == count * width)
    let offsets = unsafe input.scratch.scaled.offsets
    switch width {
    case 1: for row in 0..<count { unsafe payload[row] = UInt8(truncatingIfNeeded: offsets[row]) }
    case 2: for row in 0..<count { unsafe payload.store(UInt16(truncatingIfNeeded: offsets[row]), at: row &* 2) }
    case 3:
      for row in 0..<count { unsafe payload.store(UInt16(truncatingIfNeeded: offsets[row]), at: row &* 2) }
      for row in 0..<count { unsafe payload[count &* 2 &+ row] = UInt8(truncatingIfNeeded: offsets[row] &>> 16) }
    case 4: for row in 0..<count { unsafe payload.store(offsets[row], at: row &* 4) }
    default: break
    }
  }

  /// If hardly any row has the offset of the row before, as in 99.6 % of the blocks of the WIKI table, LZ4 never saves half of
  /// the payload. Trying it took a tenth of the time to encode them.
  static func largestCompressedShare(
    _ header: BlockHeader, _ choice: EncodingChoice, _ scratch: EncoderScratch
  ) -> Double? {
    let share = choice.largestCompressedScaledShare
    // With few rows there is little to save.
    if share > 0.5 || header.rowCount < 64 { return share }
    return repeatCount(header, scratch.scaled) * 8 >= header.rowCount ? share : nil
  }

  /// The number of rows that have the offset of the row before, except for a few rows at the end.
  private static func repeatCount(_ header: BlockHeader, _ column: ScaledColumn) -> Int {
    let start = UnsafeRawPointer(unsafe column.offsets.baseAddress!)
    var lanes = SIMD8<Int32>.zero
    for row in stride(from: 1, to: header.rowCount - 7, by: 8) {
      // Sound: rows up to `row + 7` are there, and one before `row`.
      let offsets = unsafe start.loadUnaligned(fromByteOffset: row &* 4, as: SIMD8<Int32>.self)
      let before = unsafe start.loadUnaligned(fromByteOffset: row &* 4 &- 4, as: SIMD8<Int32>.self)
      lanes.replace(with: lanes &+ 1, where: offsets .== before)
    }
    return Int(lanes.wrappedSum())
  }
}

/// A divisor above 0 that recognizes and divides its multiples without a division: by a shift and a multiplication by the
/// inverse of its odd part modulo 2^32. Exactly the multiples have a small quotient (Granlund and Montgomery, "Division by
/// invariant integers using multiplication", 1994).
private struct ExactDivisor {
  let value: UInt32
  private let shift: UInt32
  private let inverse: UInt32
  private let largestQuotient: UInt32

  init(_ value: UInt32) {
    self.value = value
    let shift = UInt32(value.trailingZeroBitCount)
    self.shift = shift
    // Newton's iteration: each step doubles the number of correct bits. An odd number begins with three.
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
