import Dispatch
import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct MemoryPoolTests {
  private static let sizes = [1, 63, 64, 4096, 4097, 5000, 5120, 5121, 8192, 8193, 100_000, 1 << 20, 1 << 21, 5 << 20]

  @Test(arguments: sizes) func a_block_is_aligned_and_large_enough(size: Int) {
    let pool = MemoryPool(heldByteCountMax: 1 << 24, idleByteCountMax: 1 << 24)
    let block = pool.take(size)
    #expect(unsafe Int(bitPattern: block.address) % MemoryBlock.alignment == 0)
    #expect(block.byteCount >= size && (size <= 4096 || block.byteCount * 4 <= size * 5))
    // Every byte may be written.
    unsafe block.address.initializeMemory(as: UInt8.self, repeating: 0xA5, count: block.byteCount)
    pool.giveBack(block)
    #expect(pool.idleByteCount == (size <= 4096 ? 0 : block.byteCount))
  }

  @Test(arguments: sizes.filter { $0 > 4096 }) func a_block_is_handed_out_again(size: Int) {
    let pool = MemoryPool(heldByteCountMax: 1 << 24, idleByteCountMax: 1 << 24)
    let first = pool.take(size)
    pool.giveBack(first)
    let second = pool.take(size)
    #expect(unsafe second.address == first.address && second.byteCount == first.byteCount)
    #expect(pool.idleByteCount == 0)
    // The exact size of a block is in the class of the block.
    pool.giveBack(second)
    let third = pool.take(first.byteCount)
    #expect(unsafe third.address == first.address)
    pool.giveBack(third)
  }

  @Test func idle_blocks_stay_within_the_bound_and_the_oldest_go_first() {
    let pool = MemoryPool(heldByteCountMax: 100_000, idleByteCountMax: 100_000)
    let old = (0..<3).map { _ in pool.take(16_384) }
    let new = (0..<3).map { _ in pool.take(20_480) }
    for block in old + new {
      pool.giveBack(block)
      #expect(pool.idleByteCount <= 100_000)
    }
    // 16,384 + 3 * 20,480 bytes and not one block more.
    #expect(pool.idleByteCount == 77_824 || pool.idleByteCount == 94_208)
    let kept = (0..<3).map { _ in pool.take(20_480) }
    #expect(unsafe Set(kept.map(\.address)) == Set(new.map(\.address)))
    for block in kept { pool.giveBack(block) }
    pool.giveBack(pool.take(200_000))
    #expect(pool.idleByteCount <= 100_000, "a block beyond the bound is not kept")
  }

  @Test func threads_never_hold_the_same_block() {
    let pool = MemoryPool(heldByteCountMax: 1 << 20, idleByteCountMax: 1 << 20)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var dice = SeededRandom(seed: UInt64(thread))
      var held: [MemoryBlock] = []
      for _ in 0..<2000 {
        if held.count > 6 || (!held.isEmpty && dice.chance(0.5)) {
          let block = held.remove(at: dice.below(held.count))
          let words = unsafe UnsafeMutableBufferPointer(
            start: block.address.assumingMemoryBound(to: Int.self), count: block.byteCount / 8)
          precondition(unsafe words.allSatisfy { $0 == thread }, "another thread wrote to the block")
          pool.giveBack(block)
        } else {
          let block = pool.take(4097 + dice.below(20_000))
          unsafe block.address.initializeMemory(as: Int.self, repeating: thread, count: block.byteCount / 8)
          held.append(block)
        }
      }
      for block in held { pool.giveBack(block) }
    }
    #expect(pool.idleByteCount <= 1 << 20)
  }
}
