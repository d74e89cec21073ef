import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    get {
      precondition(row >= 0 && row < count, "row \(row) of \(count)")
      return unsafe base[row]
    }
    set {
      precondition(row >= 0 && row < count, "row \(row) of \(count)")
      unsafe base[row] = newValue
    }
  }

  /// Sets some rows to one value.
  func update(_ rows: Range<Int>, repeating value: Value) { unsafe self[rows].update(repeating: value) }

  /// Sets some rows to those of another column from row `first` on.
  func update(_ rows: Range<Int>, from column: ColumnMemory, _ first: Int) {
    unsafe _ = self[rows].update(fromContentsOf: column[first..<(first + rows.count)])
  }

  /// Reverses the order of some rows.
  func reverse(_ rows: Range<Int>) {
    var part = unsafe self[rows]
    unsafe part.reverse()
  }

  /// Some rows. Traps when they don't lie inside.
  private subscript(rows: Range<Int>) -> UnsafeMutableBufferPointer<Value> {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows \(rows) of \(count)")
    return unsafe UnsafeMutableBufferPointer(rebasing: values[rows])
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

/// Raw memory of some size.
///
/// Sound to send and to share: the value is only the address. The code that takes a block from the pool decides who uses it.
@safe
struct MemoryBlock: @unchecked Sendable {
  let address: UnsafeMutableRawPointer
  let byteCount: Int

  /// Blocks up to this size are freed after use.
  static let unpooledByteCountMax = 4096
  /// A multiple of a cache line's 64 bytes, as Arrow recommends, and enough for any value of a column.
  static let alignment = 128

  private static let pageByteCount = 4096
  private static let largePageByteCount = 1 << 21

  /// Memory of the system's, in large pages where that saves time.
  init(allocating byteCount: Int) {
    let isLarge = byteCount >= Self.largePageByteCount
    unsafe address = .allocate(
      byteCount: byteCount, alignment: isLarge ? Self.largePageByteCount : Self.alignment)
    self.byteCount = byteCount
    #if canImport(Glibc)
      // Sound: this is advice about whole pages of the block, which starts at one, and changes no content.
      let advised = byteCount / Self.pageByteCount * Self.pageByteCount
      if isLarge { unsafe _ = madvise(address, advised, MADV_HUGEPAGE) }
    #endif
  }

  func free() { unsafe address.deallocate() }

  /// Lets the system take back the pages of a large block, if it needs memory, and clear them. Until then to use the block again
  /// costs nothing.
  func relinquish() {
    #if canImport(Glibc)
      // Sound: the content is not needed any more, and only whole pages of the block are meant.
      if byteCount >= Self.largePageByteCount {
        unsafe _ = madvise(address, byteCount / Self.pageByteCount * Self.pageByteCount, MADV_FREE)
      }
    #endif
  }
}
