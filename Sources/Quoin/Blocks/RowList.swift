/// Some rows of a block, both as an ascending list, which is short to walk, and as bits, which are quick to test.
@safe
struct RowList {
  let indices: UnsafeBufferPointer<UInt16>
  private let mask: UnsafePointer<RowMask>

  /// The rows `indices`, which must be the rows of `mask`. Both must outlive the value.
  init(_ indices: UnsafeBufferPointer<UInt16>, _ mask: UnsafePointer<RowMask>) {
    unsafe self.indices = unsafe indices
    unsafe self.mask = unsafe mask
  }

  var count: Int { unsafe indices.count }

  @inline(__always)
  subscript(index: Int) -> Int { unsafe Int(indices[index]) }

  /// Whether row `row` is in the list.
  @inline(__always)
  func contains(_ row: Int) -> Bool {
    // Sound: rows of a block are below 1,024, and a mask is that many bits.
    let words = unsafe UnsafeRawPointer(mask).assumingMemoryBound(to: UInt64.self)
    return unsafe words[row >> 6] & 1 << UInt64(row & 63) != 0
  }
}
