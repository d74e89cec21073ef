import Synchronization

/// The memory of one column: room for `capacity` values, of which the first `count` are there. It goes back to the pool
/// when the last reference goes.
///
/// Sound to share: the values change only while there is one reference (`ColumnBuffer` makes sure), or before the object
/// is shared. Values are plain bits, so any content of the memory is valid, and nothing has to be destroyed.
@safe
final class ColumnMemory<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// The first value, on a multiple of 64 bytes.
  let base: UnsafeMutablePointer<Value>
  let capacity: Int
  var count: Int
  private let block: MemoryBlock
  /// The values as an array, once a caller has asked for it; set under the lock, as many threads may ask.
  private var array: [Value]?
  private let lock = Mutex(())

  /// Room for at least `capacity` values; the first `count` of them hold whatever was in the memory before.
  init(capacity: Int, count: Int) {
    precondition(count <= capacity && MemoryLayout<Value>.alignment <= MemoryBlock.alignment)
    block = MemoryPool.shared.take(capacity * MemoryLayout<Value>.stride)
    self.capacity = block.byteCount / MemoryLayout<Value>.stride
    self.count = count
    unsafe base = block.address.bindMemory(to: Value.self, capacity: self.capacity)
  }

  deinit { MemoryPool.shared.giveBack(block) }

  var values: UnsafeMutableBufferPointer<Value> { unsafe UnsafeMutableBufferPointer(start: base, count: count) }

  /// Value `row`. Traps when there is none.
  @inline(__always)
  subscript(row: Int) -> Value {
    precondition(row >= 0 && row < count, "row \(row) of \(count)")
    return unsafe base[row]
  }

  /// The values as an array, which is made once.
  var asArray: [Value] {
    lock.withLock { _ in
      if let array { return array }
      let made = unsafe Array(values)
      array = made
      return made
    }
  }

  /// Forgets the array, before the values change. The caller has the only reference.
  func willChange() { if array != nil { array = nil } }
}
