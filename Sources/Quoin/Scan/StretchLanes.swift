/// Small integers, one a row of a block, of which stretches are reduced to one.
@safe
struct StretchLanes<Lane: FixedWidthInteger & UnsignedInteger & SIMDScalar> {
  private let start: UnsafeRawPointer
  private static var size: Int { MemoryLayout<Lane>.size }

  /// - Parameter start: where a lane for every row of the block is.
  init(_ start: UnsafeRawPointer) { unsafe self.start = start }

  /// The smallest of these rows' lanes.
  @inline(__always)
  func minimum(_ rows: Range<Int>) -> Lane {
    reduce(rows) { $0.replacing(with: $1, where: $1 .< $0) } one: { min($0, $1) }
  }

  /// The largest of these rows' lanes.
  @inline(__always)
  func maximum(_ rows: Range<Int>) -> Lane {
    reduce(rows) { $0.replacing(with: $1, where: $1 .> $0) } one: { max($0, $1) }
  }

  /// The sum of these rows' lanes, which are below 2^24 or else few enough.
  @inline(__always)
  func sum(_ rows: Range<Int>) -> UInt64 {
    var sums = SIMD4<UInt32>.zero
    var total: UInt64 = 0
    var row = rows.lowerBound
    while row + 4 <= rows.upperBound {
      sums &+= unsafe SIMD4<UInt32>(truncatingIfNeeded: (start + row * Self.size).loadUnaligned(as: SIMD4<Lane>.self))
      row += 4
    }
    while row < rows.upperBound {
      total += UInt64(self[row])
      row += 1
    }
    for lane in 0..<4 { total += UInt64(sums[lane]) }
    return total
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
