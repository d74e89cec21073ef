/// Where the blocks of one section of a column file are, and what is known of each without reading it.
///
/// The arrays lie in the mapped file, one after another (see ColumnFileLayout.swift).
@safe
struct SectionDirectory {
  let blockCount: Int
  /// Whether there are sums. Every section has them except the days.
  let hasSums: Bool
  private let base: UnsafeRawPointer

  /// Bytes of a directory of `blockCount` blocks.
  static func byteCount(blockCount: Int, hasSums: Bool) -> Int {
    offsetsOffset(blockCount, hasSums) + padded((blockCount + 1) * 4) + padded(blockCount * 2)
  }

  /// The directory in these bytes, whose count and alignment the header's reader has checked.
  init(_ bytes: UnsafeRawBufferPointer, blockCount: Int, hasSums: Bool) {
    precondition(
      bytes.count == Self.byteCount(blockCount: blockCount, hasSums: hasSums), "\(bytes.count) bytes of directory")
    self.blockCount = blockCount
    self.hasSums = hasSums
    // Sound: a directory has at least one offset, so there is a base address.
    unsafe base = bytes.baseAddress!
  }

  /// Checks that the offsets rise within a section of `sectionByteCount` bytes.
  func check(sectionByteCount: Int) throws(Damage) {
    var previous = 0
    for index in 0...blockCount {
      let offset = blockOffset(index)
      guard offset >= previous, offset <= sectionByteCount else {
        throw Damage(offset: offsetsOffset, "block \(index) begins outside its section")
      }
      previous = offset
    }
  }

  /// Bytes from the section's first block to block `index`; at `blockCount`, to the end.
  func blockOffset(_ index: Int) -> Int {
    precondition(index >= 0 && index <= blockCount, "block \(index) of \(blockCount)")
    return Int(load(offsetsOffset + index * 4, as: UInt32.self)) * 8
  }

  func checksum(_ index: Int) -> Checksum {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return Checksum(value: load(index * 8, as: UInt64.self))
  }

  /// Missing cells of block `index`.
  func missingCount(_ index: Int) -> Int {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return unsafe Int(UInt16(littleEndian: missingCounts[index]))
  }

  /// The missing cells of every block.
  var missingCounts: UnsafeBufferPointer<UInt16> {
    let start = unsafe base + offsetsOffset + Self.padded((blockCount + 1) * 4)
    // Sound: the last array of the directory, 8-byte aligned, has blockCount 16-bit counts.
    return unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt16.self), count: blockCount)
  }

  /// The sum of block `index`. The section must not be that of the days.
  func sum(_ index: Int) -> BlockSum {
    precondition(hasSums && index >= 0 && index < blockCount, "the sum of block \(index) of \(blockCount)")
    let offset = blockCount * 24 + index * 16
    return BlockSum(first: load(offset, as: UInt64.self), second: load(offset + 8, as: UInt64.self))
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

  private var offsetsOffset: Int { Self.offsetsOffset(blockCount, hasSums) }
  private static func offsetsOffset(_ blockCount: Int, _ hasSums: Bool) -> Int { blockCount * (hasSums ? 40 : 24) }
  private static func padded(_ count: Int) -> Int { (count + 7) / 8 * 8 }
}

/// What a directory says of one block.
struct BlockEntry: Sendable {
  var checksum: Checksum
  var minimum: UInt64
  var maximum: UInt64
  var missingCount: Int
  var sum: BlockSum
}

extension BlockEntry {
  init<Value>(_ image: BlockImage<Value>) {
    checksum = unsafe image.bytes.withUnsafeBytes { unsafe Checksum(of: $0) }
    minimum = image.statistics.minimum.bits
    maximum = image.statistics.maximum.bits
    missingCount = image.statistics.missingCount
    sum = image.statistics.sum
  }
}

extension SectionDirectory {
  /// What the directory says of block `index`.
  func entry(_ index: Int) -> BlockEntry {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    // Sound: by the precondition.
    return BlockEntry(
      checksum: checksum(index), minimum: UInt64(littleEndian: unsafe minima[index]),
      maximum: UInt64(littleEndian: unsafe maxima[index]), missingCount: missingCount(index),
      sum: hasSums ? sum(index) : .zero)
  }
}

/// The arrays of a directory that is being built.
struct SectionDirectoryBuilder {
  let hasSums: Bool
  private var checksums: [UInt8] = []
  private var minima: [UInt8] = []
  private var maxima: [UInt8] = []
  private var sums: [UInt8] = []
  private var offsets: [UInt8] = []
  private var missingCounts: [UInt8] = []

  init(hasSums: Bool) { self.hasSums = hasSums }

  /// Appends what is known of a block that begins at `offset`.
  mutating func append(_ entry: BlockEntry, offset: Int) {
    checksums.append(littleEndian: entry.checksum.value)
    minima.append(littleEndian: entry.minimum)
    maxima.append(littleEndian: entry.maximum)
    if hasSums {
      sums.append(littleEndian: entry.sum.first)
      sums.append(littleEndian: entry.sum.second)
    }
    offsets.append(littleEndian: UInt32(offset / 8))
    missingCounts.append(littleEndian: UInt16(entry.missingCount))
  }

  /// The directory's bytes, for blocks that end at `end`.
  func bytes(end: Int) -> [UInt8] {
    var bytes = checksums + minima + maxima + sums + offsets
    bytes.append(littleEndian: UInt32(end / 8))
    bytes.pad(to: 8)
    bytes += missingCounts
    bytes.pad(to: 8)
    return bytes
  }
}
