/// Working memory to encode blocks in: one for each thread that writes.
@safe
final class EncoderScratch {
  let decoding = BlockScratch()
  /// The best way to scale the block so far, and room to try another.
  private(set) var scaled = ScaledColumn()
  private(set) var spare = ScaledColumn()
  let planes: UnsafeMutableRawBufferPointer
  /// Room for two compressed payloads, which are to be shorter than what they were made of.
  let compressed: (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)

  init() {
    unsafe planes = Self.allocate()
    unsafe compressed = (Self.allocate(), Self.allocate())
  }

  deinit {
    unsafe planes.deallocate()
    unsafe compressed.0.deallocate()
    unsafe compressed.1.deallocate()
  }

  /// Makes what was tried in `spare` the best.
  func keepSpare() { swap(&scaled, &spare) }

  private static func allocate() -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: Limits.rowsPerBlock * 8, alignment: 64)
  }
}

/// A block's values as integers at one exponent, and as offsets from the smallest; rows that can't be said so are
/// exceptions, whose offset is 0.
@safe
final class ScaledColumn {
  let integers: UnsafeMutableBufferPointer<Int64>
  let offsets: UnsafeMutableBufferPointer<UInt32>
  private let rows: UnsafeMutableBufferPointer<UInt16>
  private(set) var exceptionCount = 0

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

  var exceptionRows: UnsafeBufferPointer<UInt16> { unsafe UnsafeBufferPointer(rebasing: rows[..<exceptionCount]) }

  func removeExceptions() { exceptionCount = 0 }

  /// Adds an exception. Each row is added once.
  @inline(__always)
  func addException(_ row: Int) {
    precondition(exceptionCount < Limits.rowsPerBlock)
    // Sound: by the precondition.
    unsafe rows[exceptionCount] = UInt16(truncatingIfNeeded: row)
    exceptionCount += 1
  }

  func sortExceptions() {
    var listed = unsafe UnsafeMutableBufferPointer(rebasing: rows[..<exceptionCount])
    unsafe listed.sort()
  }
}
