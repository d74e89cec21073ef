/// A block's values as integers at one exponent, and as offsets from the smallest one. Rows that no integer expresses are
/// patches with offset 0. This is working memory, so only one thread may use it at a time.
@safe
final class ScaledColumn {
  let integers: UnsafeMutableBufferPointer<Int64>
  let offsets: UnsafeMutableBufferPointer<UInt32>
  private let rows: UnsafeMutableBufferPointer<UInt16>
  private(set) var patchCount = 0

  init() {
    unsafe integers = .allocate(capacity: Limits.rowsPerBlock)
    unsafe offsets = .allocate(capacity: Limits.rowsPerBlock)
    unsafe rows = .allocate(capacity: Limits.rowsPerBlock)
    unsafe integers.initialize(repeating: 0)
    unsafe offsets.initialize(repeating: 0)
    unsafe rows.initialize(repeating: 0)
  }

  deinit {
    unsafe integers.deallocate()
    unsafe offsets.deallocate()
    unsafe rows.deallocate()
  }

  var patchRows: UnsafeBufferPointer<UInt16> { unsafe UnsafeBufferPointer(rebasing: rows[..<patchCount]) }

  func removePatches() { patchCount = 0 }

  /// Adds a patch. Each row is added once.
  @inline(__always)
  func addPatch(_ row: Int) {
    precondition(patchCount < Limits.rowsPerBlock)
    // Sound: by the precondition.
    unsafe rows[patchCount] = UInt16(truncatingIfNeeded: row)
    patchCount += 1
  }

  func sortPatches() {
    var listed = unsafe UnsafeMutableBufferPointer(rebasing: rows[..<patchCount])
    unsafe listed.sort()
  }
}

// From values to scaled integers, a block at a time.

extension Int64 {
  static func scale(
    _ values: UnsafeBufferPointer<Int64>, exponent: Int, into column: ScaledColumn, patchLimit: Int
  ) -> ClosedRange<Int64>? {
    var (smallest, largest) = (Int64.max, Int64.min)
    for row in values.indices {
      let value = unsafe values[row]
      if value.isMissing {
        column.addPatch(row)
      } else {
        smallest = Swift.min(smallest, value)
        largest = Swift.max(largest, value)
      }
      unsafe column.integers[row] = value
    }
    return column.patchCount <= patchLimit && smallest <= largest ? smallest...largest : nil
  }
}

extension Double {
  /// Scales four rows at a time. The product is rounded by adding and subtracting 1.5 * 2^52: below 2^51 the sum has no bit for
  /// a fraction, and the integer in its low bits. Then comes the decoder's own division, whose result is compared bit for bit.
  /// If not all four values come back, they are scaled one by one.
  static func scale(
    _ values: UnsafeBufferPointer<Double>, exponent: Int, into column: ScaledColumn, patchLimit: Int
  ) -> ClosedRange<Int64>? {
    let power = powersOfTen[exponent]
    var (low, high) = (SIMD4<Double>(repeating: .infinity), SIMD4<Double>(repeating: -.infinity))
    var (smallest, largest) = (Double.infinity, -Double.infinity)
    let start = unsafe UnsafeRawPointer(values.baseAddress!)
    let end = unsafe UnsafeMutableRawPointer(column.integers.baseAddress!)
    var row = 0
    while row < values.count {
      if row &+ 4 <= values.count {
        // Sound: four values begin at `row`, and the column has room for a whole block.
        let four = unsafe start.loadUnaligned(fromByteOffset: row &* 8, as: SIMD4<Double>.self)
        let product = four * power
        let shifted = product + magic
        let rounded = shifted - magic
        let isBack = bits(rounded / power) .== bits(four)
        let isSmall = product .< 0x1p51 .& product .> -0x1p51
        if isAll(isBack .& isSmall) {
          unsafe end.storeBytes(of: bits(shifted) &- magicBits, toByteOffset: row &* 8, as: SIMD4<Int64>.self)
          low.replace(with: rounded, where: rounded .< low)
          high.replace(with: rounded, where: rounded .> high)
          row &+= 4
          continue
        }
      }
      for row in row..<Swift.min(row &+ 4, values.count) {
        if let integer = unsafe values[row].scaled(power: power) {
          unsafe column.integers[row] = Int64(integer)
          smallest = Swift.min(smallest, integer)
          largest = Swift.max(largest, integer)
        } else {
          column.addPatch(row)
        }
      }
      if column.patchCount > patchLimit { return nil }
      row &+= 4
    }
    for lane in 0..<4 {
      smallest = Swift.min(smallest, low[lane])
      largest = Swift.max(largest, high[lane])
    }
    return smallest <= largest ? Int64(smallest)...Int64(largest) : nil
  }

  private static var magic: Double { 0x1.8p52 }
  private static var magicBits: SIMD4<Int64> { SIMD4(repeating: Int64(bitPattern: magic.bitPattern)) }

  @inline(__always)
  static func bits(_ values: SIMD4<Double>) -> SIMD4<Int64> {
    // Sound: four lanes of 8 bytes on both sides. The same holds below, where a mask's lanes are all ones or all zeros.
    unsafe unsafeBitCast(values, to: SIMD4<Int64>.self)
  }

  @inline(__always)
  static func isAll(_ mask: SIMDMask<SIMD4<Int64>>) -> Bool {
    let lanes = unsafe unsafeBitCast(mask, to: SIMD4<Int64>.self)
    let pair = lanes.lowHalf & lanes.highHalf
    return pair[0] & pair[1] == -1
  }

  /// The integer that expresses the value to the last bit, if there is one.
  @inline(__always)
  private func scaled(power: Double) -> Double? {
    let product = self * power
    // No integer expresses -0.0. Adding zero makes it +0.0, so that the comparison fails.
    let rounded =
      product.magnitude < 0x1p51 ? (product + Self.magic) - Self.magic : product.rounded(.toNearestOrEven) + 0
    return rounded.magnitude < Self.largestScaled && (rounded / power).bitPattern == bitPattern ? rounded : nil
  }
}
