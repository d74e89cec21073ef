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
  /// The values as an array, once somebody has asked for it.
  private let array = Mutex<[Value]?>(nil)

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

  /// The values as an array, which is made once.
  var asArray: [Value] {
    array.withLock { array in
      if let array { return array }
      let made = unsafe Array(values)
      array = made
      return made
    }
  }

  /// Forgets the array, before the values change.
  func willChange() { array.withLock { $0 = nil } }
}
