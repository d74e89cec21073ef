/// Where the blocks of one section of a column file are, and what is known of each without reading it.
///
/// The arrays lie in the mapped file, one after another (see ColumnFileLayout.swift).
@safe
struct SectionDirectory {
  let blockCount: Int
  private let base: UnsafeRawPointer

  /// Bytes of a directory of `blockCount` blocks.
  static func byteCount(blockCount: Int) -> Int {
    offsetsOffset(blockCount) + padded((blockCount + 1) * 4) + padded(blockCount * 2)
  }

  /// The directory in these bytes, whose count and alignment the header's reader has checked.
  init(_ bytes: UnsafeRawBufferPointer, blockCount: Int) {
    precondition(bytes.count == Self.byteCount(blockCount: blockCount), "\(bytes.count) bytes of directory")
    self.blockCount = blockCount
    // Sound: a directory has at least one offset, so there is a base address.
    unsafe base = bytes.baseAddress!
  }

  /// Checks that the offsets rise within a section of `sectionByteCount` bytes.
  func check(sectionByteCount: Int) throws(Damage) {
    var previous = 0
    for index in 0...blockCount {
      let offset = blockOffset(index)
      guard offset >= previous, offset <= sectionByteCount else {
        throw Damage(offset: Self.offsetsOffset(blockCount), "block \(index) begins outside its section")
      }
      previous = offset
    }
  }

  /// Bytes from the section's first block to block `index`; at `blockCount`, to the end.
  func blockOffset(_ index: Int) -> Int {
    precondition(index >= 0 && index <= blockCount, "block \(index) of \(blockCount)")
    return Int(load(Self.offsetsOffset(blockCount) + index * 4, as: UInt32.self)) * 8
  }

  func checksum(_ index: Int) -> Checksum {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return Checksum(value: load(index * 8, as: UInt64.self))
  }

  /// Missing cells of block `index`.
  func missingCount(_ index: Int) -> Int {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    let offset = Self.offsetsOffset(blockCount) + Self.padded((blockCount + 1) * 4) + index * 2
    return Int(load(offset, as: UInt16.self))
  }

  /// The bits of every block's minimum, and of every block's maximum.
  var minima: UnsafeBufferPointer<UInt64> { unsafe words(at: blockCount * 8) }
  var maxima: UnsafeBufferPointer<UInt64> { unsafe words(at: blockCount * 16) }

  private func words(at offset: Int) -> UnsafeBufferPointer<UInt64> {
    // Sound: the directory is 8-byte aligned in a page-aligned mapping and has three arrays of blockCount words.
    unsafe UnsafeBufferPointer(start: (base + offset).assumingMemoryBound(to: UInt64.self), count: blockCount)
  }

  private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: T.Type) -> T {
    // Sound: callers check their index, and the arrays have the sizes that `byteCount` adds up.
    T(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: type))
  }

  private static func offsetsOffset(_ blockCount: Int) -> Int { blockCount * 24 }
  private static func padded(_ count: Int) -> Int { (count + 7) / 8 * 8 }
}

/// The arrays of a directory that is being built.
struct SectionDirectoryBuilder {
  private var checksums: [UInt8] = []
  private var minima: [UInt8] = []
  private var maxima: [UInt8] = []
  private var offsets: [UInt8] = []
  private var missingCounts: [UInt8] = []

  mutating func append(checksum: Checksum, minimum: UInt64, maximum: UInt64, missingCount: Int, offset: Int) {
    checksums.append(littleEndian: checksum.value)
    minima.append(littleEndian: minimum)
    maxima.append(littleEndian: maximum)
    offsets.append(littleEndian: UInt32(offset / 8))
    missingCounts.append(littleEndian: UInt16(missingCount))
  }

  /// The directory's bytes, for blocks that end at `end`.
  func bytes(end: Int) -> [UInt8] {
    var bytes = checksums + minima + maxima + offsets
    bytes.append(littleEndian: UInt32(end / 8))
    bytes.pad(to: 8)
    bytes += missingCounts
    bytes.pad(to: 8)
    return bytes
  }
}
