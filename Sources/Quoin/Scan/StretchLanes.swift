/// A small integer of which eight are compared at once. (Generic SIMD comparisons are compiled into loops over lanes.)
protocol LaneInteger: FixedWidthInteger, UnsignedInteger, SIMDScalar, Codable {
  static func smaller(_ a: SIMD8<Self>, _ b: SIMD8<Self>) -> SIMD8<Self>
  static func larger(_ a: SIMD8<Self>, _ b: SIMD8<Self>) -> SIMD8<Self>
}

extension UInt16: LaneInteger {
  @inline(__always)
  static func smaller(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> { a.replacing(with: b, where: b .< a) }
  @inline(__always)
  static func larger(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> { a.replacing(with: b, where: b .> a) }
}

extension UInt32: LaneInteger {
  @inline(__always)
  static func smaller(_ a: SIMD8<UInt32>, _ b: SIMD8<UInt32>) -> SIMD8<UInt32> { a.replacing(with: b, where: b .< a) }
  @inline(__always)
  static func larger(_ a: SIMD8<UInt32>, _ b: SIMD8<UInt32>) -> SIMD8<UInt32> { a.replacing(with: b, where: b .> a) }
}

/// Small integers, one a row of a block, of which stretches are reduced to one.
@safe
struct StretchLanes<Lane: LaneInteger> {
  private let start: UnsafeRawPointer
  private static var size: Int { MemoryLayout<Lane>.size }

  /// - Parameter start: where a lane for every row of the block is.
  init(_ start: UnsafeRawPointer) { unsafe self.start = start }

  /// The smallest of these rows' lanes.
  @inline(__always)
  func minimum(_ rows: Range<Int>) -> Lane {
    reduce(rows) {
      Lane.smaller($0, $1)
    } one: {
      min($0, $1)
    }
  }

  /// The largest of these rows' lanes.
  @inline(__always)
  func maximum(_ rows: Range<Int>) -> Lane {
    reduce(rows) {
      Lane.larger($0, $1)
    } one: {
      max($0, $1)
    }
  }

  private subscript(row: Int) -> Lane {
    // Sound: callers pass rows of the block.
    @inline(__always) get { unsafe start.loadUnaligned(fromByteOffset: row * Self.size, as: Lane.self) }
  }

  @inline(__always)
  private func load(_ row: Int) -> SIMD8<Lane> {
    // Sound: callers pass rows that have seven more after them.
    unsafe (start + row * Self.size).loadUnaligned(as: SIMD8<Lane>.self)
  }

  /// Reduces a stretch by an operation that may meet a row twice: the last eight rows overlap those before.
  @inline(__always)
  private func reduce(
    _ rows: Range<Int>, _ eight: (SIMD8<Lane>, SIMD8<Lane>) -> SIMD8<Lane>, one: (Lane, Lane) -> Lane
  ) -> Lane {
    var row = rows.lowerBound
    guard rows.count >= 8 else {
      var result = self[row]
      row += 1
      while row < rows.upperBound {
        result = one(result, self[row])
        row += 1
      }
      return result
    }
    var lanes = load(rows.upperBound - 8)
    while row + 8 <= rows.upperBound {
      lanes = eight(lanes, load(row))
      row += 8
    }
    var result = lanes[0]
    for lane in 1..<8 { result = one(result, lanes[lane]) }
    return result
  }
}

/// The offsets of a scaled block, of which stretches are added up.
@safe
struct OffsetSums {
  private let start: UnsafeRawPointer
  private let width: Int
  private let rowCount: Int

  /// - Parameter start: where the offsets are, laid out as a payload of this width.
  init(_ start: UnsafeRawPointer, width: Int, rowCount: Int) {
    unsafe self.start = start
    (self.width, self.rowCount) = (width, rowCount)
  }

  /// Calls `body` with the index and the sum of each stretch.
  @inline(__always)
  func forEachSum(_ stretches: Stretches, count: Int, _ body: (Int, UInt64) -> Void) {
    switch width {
    case 1: for index in 0..<count { body(index, sumOfBytes(stretches.rows(index), at: 0)) }
    case 2: for index in 0..<count { body(index, sumOfPairs(stretches.rows(index))) }
    case 3:
      for index in 0..<count {
        let rows = stretches.rows(index)
        body(index, sumOfPairs(rows) + sumOfBytes(rows, at: 2 * rowCount) << 16)
      }
    default:
      for index in 0..<count {
        var sum: UInt64 = 0
        for row in stretches.rows(index) {
          sum += unsafe UInt64(start.loadUnaligned(fromByteOffset: 4 * row, as: UInt32.self))
        }
        body(index, sum)
      }
    }
  }

  /// The sum of the 16-bit integers of some rows.
  @inline(__always)
  private func sumOfPairs(_ rows: Range<Int>) -> UInt64 {
    // Sound: callers pass rows of the block. 1,024 of 16 bits add up in 32 bits.
    var sums = SIMD4<UInt32>.zero
    var row = rows.lowerBound
    while row + 8 <= rows.upperBound {
      let pairs = unsafe (start + 2 * row).loadUnaligned(as: SIMD4<UInt32>.self)
      sums &+= (pairs & 0xFFFF) &+ (pairs &>> 16)
      row += 8
    }
    var sum = (sums[0] &+ sums[1]) &+ (sums[2] &+ sums[3])
    while row < rows.upperBound {
      sum &+= unsafe UInt32(start.loadUnaligned(fromByteOffset: 2 * row, as: UInt16.self))
      row += 1
    }
    return UInt64(sum)
  }

  /// The sum of the bytes of some rows.
  @inline(__always)
  private func sumOfBytes(_ rows: Range<Int>, at offset: Int) -> UInt64 {
    // Sound: as above. The 128 bytes of a lane add up in 16 bits.
    let start = unsafe start + offset
    var sums = SIMD8<UInt16>.zero
    var row = rows.lowerBound
    while row + 8 <= rows.upperBound {
      sums &+= unsafe SIMD8<UInt16>(truncatingIfNeeded: (start + row).loadUnaligned(as: SIMD8<UInt8>.self))
      row += 8
    }
    var sum: UInt32 = 0
    for lane in 0..<8 { sum &+= UInt32(sums[lane]) }
    while row < rows.upperBound {
      sum &+= unsafe UInt32(start.load(fromByteOffset: row, as: UInt8.self))
      row += 1
    }
    return UInt64(sum)
  }
}
