// The bytes of a column file. All integers are little-endian; a file is written once and never changed.
//
//   offset size
//        0    8  "QUOINCOL"
//        8    4  format version
//       12    4  section count: 13, the days and the twelve attributes
//       16    8  file id
//       24    4  block count B
//       28    4  run count R
//       32   24  extent of the block table:  B row counts (u16), zeros to a multiple of 8,
//                                            R runs: ticker (32 bytes), first block (u32), block count (u32)
//       56   24  extent of the record table
//       80   48  for each section: extent of its directory, extent of its blocks
//      704    8  checksum of bytes 0 ..< 704
//
//   An extent is offset, byte count and checksum (0 for blocks, which have their own).
//   A directory is, for the B blocks of one section, arrays, each padded to a multiple of 8 bytes:
//       B checksums (u64); B minima (8 bytes each); B maxima (8 bytes each);
//       B sums (16 bytes each: of volumes the low and the high word, of prices two float64 whose sum is the sum of the
//       block; BlockSum.swift), but not of days;
//       B+1 offsets into the section's blocks in units of 8 bytes (u32); B missing counts (u16)
//   Because of these arrays, pruning the market is one pass over two of them.

/// A part of a column file.
struct Extent: Equatable, Sendable {
  static let byteCount = 24

  var offset = 0
  var byteCount = 0
  var checksum: UInt64 = 0

  init(offset: Int, byteCount: Int, checksum: UInt64) {
    self.offset = offset
    self.byteCount = byteCount
    self.checksum = checksum
  }

  init(_ reader: inout ByteReader, in fileByteCount: Int) throws(Damage) {
    let start = reader.offset
    let (offset, count) = (try reader.read(UInt64.self), try reader.read(UInt64.self))
    checksum = try reader.read()
    guard offset <= UInt64(fileByteCount), count <= UInt64(fileByteCount) - offset else {
      throw Damage(offset: start, "a part reaches past the end of the file")
    }
    self.offset = Int(offset)
    byteCount = Int(count)
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: UInt64(offset))
    bytes.append(littleEndian: UInt64(byteCount))
    bytes.append(littleEndian: checksum)
  }
}

/// The first bytes of a column file: where everything else is.
struct ColumnFileHeader: Equatable, Sendable {
  static let magic = Array("QUOINCOL".utf8)
  static let byteCount = 32 + (2 + 2 * ColumnSection.count) * Extent.byteCount + 8

  var fileID: UInt64
  var blockCount: Int
  var runCount: Int
  var blockTable: Extent
  var recordTable: Extent
  var directories: [Extent]
  var blocks: [Extent]

  /// The header's bytes, its checksum last.
  var bytes: [UInt8] {
    var bytes = checkedBytes
    bytes.append(littleEndian: checksum)
    return bytes
  }

  var checksum: UInt64 { Checksum(of: checkedBytes).value }

  private var checkedBytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: StoreFormat.version)
    bytes.append(littleEndian: UInt32(ColumnSection.count))
    bytes.append(littleEndian: fileID)
    bytes.append(littleEndian: UInt32(blockCount))
    bytes.append(littleEndian: UInt32(runCount))
    blockTable.append(to: &bytes)
    recordTable.append(to: &bytes)
    for section in 0..<ColumnSection.count {
      directories[section].append(to: &bytes)
      blocks[section].append(to: &bytes)
    }
    return bytes
  }
}

extension ColumnFileHeader {
  /// Reads and checks the header of a file of these bytes.
  init(_ file: ByteView, path: String) throws(StoreError) {
    try StoreFormat.check(file.prefix(Self.byteCount), magic: Self.magic, path: path)
    self = try StoreFormat.reading(path) { () throws(Damage) in try Self(checked: file) }
  }

  private init(checked file: ByteView) throws(Damage) {
    var whole = ByteReader(file)
    let bytes = try whole.view(Self.byteCount)
    var checksum = ByteReader(bytes, at: Self.byteCount - 8)
    guard try Checksum(of: bytes.prefix(Self.byteCount - 8)).value == checksum.read() else {
      throw Damage(offset: 0, "the header's checksum differs")
    }
    var reader = ByteReader(bytes, at: 12)
    guard try reader.read(UInt32.self) == ColumnSection.count else { throw Damage(offset: 12, "unknown sections") }
    fileID = try reader.read()
    blockCount = Int(try reader.read(UInt32.self))
    runCount = Int(try reader.read(UInt32.self))
    blockTable = try Extent(&reader, in: file.count)
    recordTable = try Extent(&reader, in: file.count)
    (directories, blocks) = ([], [])
    for _ in 0..<ColumnSection.count {
      directories.append(try Extent(&reader, in: file.count))
      blocks.append(try Extent(&reader, in: file.count))
    }
    guard blockCount <= Limits.blocksPerFile, runCount <= blockCount,
      zip(ColumnSection.all, directories).allSatisfy({ section, extent in
        extent.byteCount == SectionDirectory.byteCount(blockCount: blockCount, hasSums: section.hasSums)
      }),
      blockTable.byteCount == (blockCount * 2 + 7) / 8 * 8 + runCount * FileRun.byteCount
    else { throw Damage(offset: 24, "the parts don't have the sizes that \(blockCount) blocks need") }
    guard (directories + blocks).allSatisfy({ $0.offset % 8 == 0 }) else {
      throw Damage(offset: 80, "a part doesn't begin at a multiple of 8 bytes")
    }
  }
}
