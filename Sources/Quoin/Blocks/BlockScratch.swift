/// Working memory to unpack blocks in. Each thread that reads has its own.
@safe
final class BlockScratch {
  private let memory: UnsafeMutableRawBufferPointer
  private static let size = Limits.rowsPerBlock * 8

  init() { unsafe memory = .allocate(byteCount: Limits.unpackedByteCount, alignment: 64) }

  deinit { unsafe memory.deallocate() }

  /// Room for `count` bytes of unpacked payload, or of one that is being packed.
  func payload(_ count: Int) -> UnsafeMutableRawBufferPointer { unsafe part(0, count) }

  /// Room for `count` bytes of byte planes.
  func planes(_ count: Int) -> UnsafeMutableRawBufferPointer { unsafe part(1, count) }

  /// More room for `count` bytes of a payload that is being packed.
  func packed(_ count: Int) -> UnsafeMutableRawBufferPointer { unsafe part(3, count) }

  /// Room for one block of values; not used by unpacking.
  func values<Value: BlockValue>(_ type: Value.Type = Value.self) -> UnsafeMutableBufferPointer<Value> {
    // Sound: the room is aligned to 64 bytes and every `BlockValue` is 8 bytes of plain data.
    unsafe part(2, Self.size).bindMemory(to: Value.self)
  }

  /// Room for `count` selected values; not used while a block is decoded.
  func output<Value: BlockValue>(_ type: Value.Type, count: Int) -> UnsafeMutableBufferPointer<Value> {
    // Sound: as above.
    unsafe part(3, count * 8).bindMemory(to: Value.self)
  }

  /// Room for one block of the values that others are derived from.
  func source<Value: BlockValue>(_ type: Value.Type, count: Int) -> UnsafeMutableBufferPointer<Value> {
    // Sound: as above.
    unsafe part(4, count * 8).bindMemory(to: Value.self)
  }

  private func part(_ index: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
    precondition(count >= 0 && count <= Self.size, "\(count) bytes of scratch")
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(index * Self.size)..<(index * Self.size + count)])
  }
}
