/// The places of the blocks in one section of a column file, and what is known of each block without reading it.
///
/// The arrays lie in the mapped file, one after another (see ColumnFileLayout.swift).
struct SectionDirectory {
  let blockCount: Int
  /// Whether there are sums. Every section has them except the days.
  let hasSums: Bool
  private let bytes: ByteView
  /// Where the blocks' offsets begin.
  private let offsetsOffset: Int

  /// Bytes of a directory of `blockCount` blocks.
  static func byteCount(blockCount: Int, hasSums: Bool) -> Int {
    offsetsOffset(blockCount, hasSums) + padded((blockCount + 1) * 4) + padded(blockCount * 2)
  }

  /// The directory in these bytes, whose count and alignment the header's reader has checked.
  init(_ bytes: ByteView, blockCount: Int, hasSums: Bool) {
    precondition(
      bytes.count == Self.byteCount(blockCount: blockCount, hasSums: hasSums), "\(bytes.count) bytes of directory")
    self.blockCount = blockCount
    self.hasSums = hasSums
    self.bytes = bytes
    offsetsOffset = Self.offsetsOffset(blockCount, hasSums)
  }

  init(_ bytes: ByteView, blockCount: Int, _ section: ColumnSection) {
    self.init(bytes, blockCount: blockCount, hasSums: section.hasSums)
  }

  /// Checks that the offsets rise within a section of `sectionByteCount` bytes.
  func check(sectionByteCount: Int) throws(Damage) {
    var previous = 0
    for index in 0...blockCount {
      let offset = blockOffset(index)
      guard offset >= previous, offset <= sectionByteCount else {
        throw Damage(offset: offsetsOffset, "block \(index) begins outside its section")
      }
      guard offset - previous <= Limits.blockByteCount || index == 0 else {
        throw Damage(offset: offsetsOffset, "block \(index - 1) has \(offset - previous) bytes")
      }
      previous = offset
    }
  }

  /// Bytes from the section's first block to block `index`; at `blockCount`, to the end.
  @inline(__always)
  func blockOffset(_ index: Int) -> Int {
    precondition(index >= 0 && index <= blockCount, "block \(index) of \(blockCount)")
    return Int(bytes.integer(at: offsetsOffset + index * 4, as: UInt32.self)) * 8
  }

  func checksum(_ index: Int) -> Checksum {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return Checksum(value: bytes.integer(at: index * 8))
  }

  /// Missing cells of block `index`.
  func missingCount(_ index: Int) -> Int {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return Int(bytes.integer(at: missingCountsOffset + index * 2, as: UInt16.self))
  }

  /// The sum of block `index`. The section must not be that of the days.
  func sum(_ index: Int) -> BlockSum {
    precondition(hasSums && index >= 0 && index < blockCount, "the sum of block \(index) of \(blockCount)")
    let offset = blockCount * 24 + index * 16
    return BlockSum(first: bytes.integer(at: offset), second: bytes.integer(at: offset + 8))
  }

  /// The bits of the minimum of block `index`.
  func minimum(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return bytes.integer(at: (blockCount + index) * 8)
  }

  /// The bits of the maximum of block `index`.
  func maximum(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return bytes.integer(at: (2 * blockCount + index) * 8)
  }

  /// The extremes and missing counts of all blocks.
  var zoneMap: ZoneMap {
    let (minima, maxima, end) = (blockCount * 8, blockCount * 16, blockCount * 24)
    return ZoneMap(
      blockCount: blockCount, minima: bytes.slice(minima..<maxima), maxima: bytes.slice(maxima..<end),
      missingCounts: bytes.slice(missingCountsOffset..<(missingCountsOffset + blockCount * 2)))
  }

  private var missingCountsOffset: Int { offsetsOffset + Self.padded((blockCount + 1) * 4) }
  private static func offsetsOffset(_ blockCount: Int, _ hasSums: Bool) -> Int { blockCount * (hasSums ? 40 : 24) }
  private static func padded(_ count: Int) -> Int { (count + 7) / 8 * 8 }
}

/// What a directory says of one block.
struct BlockEntry: Sendable {
  /// A multiple of 8.
  var byteCount: Int
  var checksum: Checksum
  var minimum: UInt64
  var maximum: UInt64
  var missingCount: Int
  var sum: BlockSum
}

extension BlockEntry {
  init<Value>(_ image: BlockImage<Value>) {
    self.init(image.statistics, byteCount: image.bytes.count, Checksum(of: image.bytes))
  }

  init<Value>(_ statistics: BlockStatistics<Value>, byteCount: Int, _ checksum: Checksum) {
    self.init(
      byteCount: byteCount, checksum: checksum, minimum: statistics.minimum.bits, maximum: statistics.maximum.bits,
      missingCount: statistics.missingCount, sum: statistics.sum)
  }
}

extension SectionDirectory {
  /// What the directory says of block `index`.
  func entry(_ index: Int) -> BlockEntry {
    BlockEntry(
      byteCount: blockOffset(index + 1) - blockOffset(index), checksum: checksum(index), minimum: minimum(index),
      maximum: maximum(index), missingCount: missingCount(index), sum: hasSums ? sum(index) : .zero)
  }
}

extension SectionDirectory {
  /// The bytes of the directory of blocks that lie one after another.
  static func bytes(of blocks: [BlockEntry], hasSums: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount(blockCount: blocks.count, hasSums: hasSums))
    bytes.append(littleEndian: blocks.map(\.checksum.value))
    bytes.append(littleEndian: blocks.map(\.minimum))
    bytes.append(littleEndian: blocks.map(\.maximum))
    if hasSums {
      var sums: [UInt64] = []
      sums.reserveCapacity(2 * blocks.count)
      for block in blocks {
        sums.append(block.sum.first)
        sums.append(block.sum.second)
      }
      bytes.append(littleEndian: sums)
    }
    var offsets: [UInt32] = [0]
    offsets.reserveCapacity(blocks.count + 1)
    var offset = 0
    for block in blocks {
      offset += block.byteCount
      offsets.append(UInt32(offset / 8))
    }
    bytes.append(littleEndian: offsets)
    bytes.pad(to: 8)
    bytes.append(littleEndian: blocks.map { UInt16($0.missingCount) })
    bytes.pad(to: 8)
    return bytes
  }
}
