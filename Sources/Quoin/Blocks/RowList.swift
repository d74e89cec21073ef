/// Some rows of a block, both as an ascending list, which is short to walk, and as bits, which are quick to test.
@safe
struct RowList {
  let indices: UnsafeBufferPointer<UInt16>
  private let bits: UnsafePointer<RowMask>

  /// The rows `indices`, which must be the rows of `mask`. Both must outlive the value.
  init(_ indices: UnsafeBufferPointer<UInt16>, _ mask: UnsafePointer<RowMask>) {
    unsafe self.indices = unsafe indices
    unsafe bits = unsafe mask
  }

  var mask: RowMask { unsafe bits.pointee }

  var count: Int { unsafe indices.count }

  @inline(__always)
  subscript(index: Int) -> Int { unsafe Int(indices[index]) }

  /// Whether row `row` is in the list.
  @inline(__always)
  func contains(_ row: Int) -> Bool {
    // Sound: rows of a block are below 1,024, and a mask is that many bits.
    let words = unsafe UnsafeRawPointer(bits).assumingMemoryBound(to: UInt64.self)
    return unsafe words[row >> 6] & 1 << UInt64(row & 63) != 0
  }
}

/// The rows of many blocks in place: one block's after another's, and a mask for each block.
///
/// Sound: `with` holds both buffers while its body runs, and the rows of a block are looked up in range.
@safe
struct RowLists {
  private let rows: UnsafeBufferPointer<UInt16>
  private let masks: UnsafeBufferPointer<RowMask>

  /// Calls `body` with the rows and masks of these buffers.
  static func with<Value, Failure>(
    _ rows: ColumnBuffer<UInt16>, _ masks: ColumnBuffer<RowMask>, _ body: (RowLists) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    unsafe try rows.withUnsafeBufferPointer { rows throws(Failure) in
      unsafe try masks.withUnsafeBufferPointer { masks throws(Failure) in
        unsafe try body(RowLists(rows: rows, masks: masks))
      }
    }
  }

  /// The rows at `range`, which are those of mask `mask`.
  @inline(__always)
  func list(_ range: Range<Int>, mask: Int) -> RowList {
    precondition(unsafe range.upperBound <= rows.count && mask < masks.count, "no rows \(range)")
    return unsafe RowList(UnsafeBufferPointer(rebasing: rows[range]), masks.baseAddress! + mask)
  }
}
