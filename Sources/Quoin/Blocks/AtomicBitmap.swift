import Synchronization

/// Bits that any thread may set and test: such as which blocks have been checked.
///
/// Setting a bit twice is harmless (two threads checked the same block), so relaxed order is enough: the bit guards no
/// other memory, because the bytes of the block never change.
@safe
final class AtomicBitmap: Sendable {
  // Sound: allocated here for `wordCount` words, initialised at once, only touched through atomic operations.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let wordCount: Int

  init(bitCount: Int) {
    wordCount = (bitCount + 63) / 64
    unsafe words = .allocate(capacity: max(1, wordCount))
    for index in 0..<wordCount { unsafe (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe words.deinitialize(count: wordCount)
    unsafe words.deallocate()
  }

  func contains(_ bit: Int) -> Bool {
    precondition(bit >= 0 && bit / 64 < wordCount, "bit \(bit)")
    // Sound, here and below: by the precondition.
    return unsafe words[bit / 64].load(ordering: .relaxed) & 1 << UInt64(bit % 64) != 0
  }

  func insert(_ bit: Int) {
    precondition(bit >= 0 && bit / 64 < wordCount, "bit \(bit)")
    unsafe words[bit / 64].bitwiseOr(1 << UInt64(bit % 64), ordering: .relaxed)
  }
}
