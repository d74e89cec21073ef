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
