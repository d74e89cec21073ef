import Synchronization

/// Memory for columns that is kept after use and handed out again.
///
/// A fresh page costs about as much as writing it full: the system has to clear it. malloc returns large blocks to the
/// system as soon as they are freed, so a program that asks the same question again would pay for its result's pages each
/// time. The pool keeps up to `idleByteCountMax` bytes of freed blocks. Of these the system may take back what is beyond
/// `heldByteCountMax`, if it needs memory. Blocks of a page or less are not kept: malloc serves those well.
final class MemoryPool: Sendable {
  /// The pool of all columns of this process.
  static let shared = MemoryPool(
    heldByteCountMax: Limits.heldColumnByteCount, idleByteCountMax: Limits.idleColumnByteCount)

  private let heldByteCountMax: Int
  private let idleByteCountMax: Int
  private let idle = Mutex(IdleBlocks())

  init(heldByteCountMax: Int, idleByteCountMax: Int) {
    (self.heldByteCountMax, self.idleByteCountMax) = (heldByteCountMax, idleByteCountMax)
  }

  /// Bytes that are kept for later.
  var idleByteCount: Int { idle.withLock { $0.byteCount } }

  /// Uninitialized memory of at least `byteCount` bytes.
  func take(_ byteCount: Int) -> MemoryBlock {
    guard byteCount > MemoryBlock.unpooledByteCountMax else {
      return MemoryBlock(allocating: max(byteCount, MemoryBlock.alignment))
    }
    let byteCount = SizeClass(of: byteCount).byteCount
    return idle.withLock { $0.take(byteCount) } ?? MemoryBlock(allocating: byteCount)
  }

  /// Takes back a block that isn't used any more. The blocks that were idle for longest go when there are too many.
  func giveBack(_ block: MemoryBlock) {
    guard block.byteCount > MemoryBlock.unpooledByteCountMax, block.byteCount <= idleByteCountMax else {
      return block.free()
    }
    if idleByteCount + block.byteCount > heldByteCountMax { block.relinquish() }
    let surplus = idle.withLock { idle in
      idle.add(block)
      var surplus: [MemoryBlock] = []
      while idle.byteCount > idleByteCountMax { surplus.append(idle.takeOldest()) }
      return surplus
    }
    for block in surplus { block.free() }
  }
}

/// The sizes that pooled blocks have: four between a power of two and the next, so at most a fifth of a block is unused.
private struct SizeClass {
  let index: Int
  let byteCount: Int

  /// The smallest size of at least `byteCount` bytes, which must be more than are left unpooled.
  init(of byteCount: Int) {
    let exponent = Int.bitWidth - 1 - (byteCount - 1).leadingZeroBitCount
    let step = 1 << (exponent - 2)
    let steps = (byteCount + step - 1) / step
    self.byteCount = steps * step
    index = (exponent - MemoryBlock.unpooledByteCountMax.trailingZeroBitCount) * 4 + steps - 5
  }
}

/// Blocks that wait for their next use, by size class, those that came last at the end.
private struct IdleBlocks {
  private var classes: [[(block: MemoryBlock, time: Int)]] = []
  private var time = 0
  private(set) var byteCount = 0

  mutating func add(_ block: MemoryBlock) {
    let index = SizeClass(of: block.byteCount).index
    while classes.count <= index { classes.append([]) }
    time += 1
    classes[index].append((block, time))
    byteCount += block.byteCount
  }

  /// The block of this size that was used last; nil when there is none.
  mutating func take(_ byteCount: Int) -> MemoryBlock? {
    let index = SizeClass(of: byteCount).index
    guard index < classes.count, let block = classes[index].popLast()?.block else { return nil }
    self.byteCount -= block.byteCount
    return block
  }

  /// The block that has waited for longest. There must be one.
  mutating func takeOldest() -> MemoryBlock {
    let index = classes.indices.min { (classes[$0].first?.time ?? .max) < (classes[$1].first?.time ?? .max) }
    guard let index, !classes[index].isEmpty else { preconditionFailure("no block is idle") }
    let block = classes[index].removeFirst().block
    byteCount -= block.byteCount
    return block
  }
}
