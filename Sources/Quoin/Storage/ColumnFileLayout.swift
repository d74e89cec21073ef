// The bytes of a column file. All integers are little-endian; a file is written once and never changed.
//
//   offset size
//        0    8  "QUOINCOL"
//        8    4  format version
//       12    4  header byte count H
//       16    8  file id
//       24    4  block count B
//       28    4  run count R
//       32    4  column count C
//       36    4  count S of further statistics
//       40   24  extent of the block table:  B row counts (u16), zeros to a multiple of 8,
//                                            R runs: ticker (32 bytes), first block (u32), block count (u32)
//       64   24  extent of the record table
//       88   88  for each column:            name (32, zeros at the end), kind (u32: 0 days, 1 float64, 2 int64),
//                                            column that it is derived from, counted from 1 (u32; 0 for none),
//                                            extent of its directory, extent of its blocks (together its section)
//            56  for each of the statistics: name (32, zeros at the end), extent
//      H-8    8  checksum of bytes 0 ..< H-8
//
//   An extent is offset, byte count and checksum (0 for blocks, which have their own).
//   A directory is, for the B blocks of one section, arrays, each padded to a multiple of 8 bytes:
//       B checksums (u64); B minima (8 bytes each); B maxima (8 bytes each);
//       B sums (16 bytes each: of int64 the low and the high word, of float64 two float64 whose sum is the sum of the
//       block; BlockSum.swift), but not of days;
//       B+1 offsets into the section's blocks in units of 8 bytes (u32); B missing counts (u16)
//   Further statistics are the extremes of ratios (Blocks/Ratios), such as close/open, or close/close-5, which is over the close five rows
//   before. For each block they have two halves of float32s (u16), rounded outward: the least quotient less 1, and the largest. Where rows
//   before are meant, those of the same block are; then two for the first rows of the block, as many, and two for the last follow. A NaN
//   says that nothing is known.
//   Because of these arrays, pruning the market is one pass over two of them.
//
// Version 4 is written, and 2 and 3 are read. Volumes are int64, or float64 because some have a fraction: then all volumes of the
// file are. Version 2 knew no float64, and only version 4 has a packed record table.
//
// The header says what the columns are. A known column that a file lacks is missing in all its rows. Columns and statistics
// that a reader doesn't know are skipped by it: a new attribute needs no new version. A writer refuses a store with columns
// that it doesn't know, because it would lose them.

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

/// What a column file says of one of its columns.
struct StoredColumn: Equatable, Sendable {
  static let byteCount = StoredName.byteCount + 8 + 2 * Extent.byteCount

  var name: String
  /// 0 days, 1 float64, 2 int64; others may come.
  var kind: UInt32
  /// The place of the column that this one is derived from, in the same file.
  var source: Int?
  var directory: Extent
  var blocks: Extent

  init(_ section: ColumnSection, hasFractions: Bool = false, directory: Extent, blocks: Extent) {
    name = section.description
    kind = hasFractions ? section.fractionKind : section.kind
    source = section.derivationSource?.index
    (self.directory, self.blocks) = (directory, blocks)
  }

  init(_ reader: inout ByteReader, in fileByteCount: Int) throws(Damage) {
    name = try StoredName.read(&reader)
    kind = try reader.read()
    let source = Int(try reader.read(UInt32.self))
    self.source = source == 0 ? nil : source - 1
    directory = try Extent(&reader, in: fileByteCount)
    blocks = try Extent(&reader, in: fileByteCount)
  }

  func append(to bytes: inout [UInt8]) {
    StoredName.append(name, to: &bytes)
    bytes.append(littleEndian: kind)
    bytes.append(littleEndian: UInt32(source.map { $0 + 1 } ?? 0))
    directory.append(to: &bytes)
    blocks.append(to: &bytes)
  }
}

/// Further statistics of the blocks of a file.
struct StoredStatistics: Equatable, Sendable {
  static let byteCount = StoredName.byteCount + Extent.byteCount

  var name: String
  var extent: Extent

  init(_ name: String, _ extent: Extent) { (self.name, self.extent) = (name, extent) }

  /// What errors call it.
  var noun: String { "the statistics \(name)" }

  init(_ reader: inout ByteReader, in fileByteCount: Int) throws(Damage) {
    name = try StoredName.read(&reader)
    extent = try Extent(&reader, in: fileByteCount)
  }

  func append(to bytes: inout [UInt8]) {
    StoredName.append(name, to: &bytes)
    extent.append(to: &bytes)
  }
}

/// Names in headers: 1 to 32 bytes of UTF-8 with zeros at the end.
private enum StoredName {
  static let byteCount = 32

  static func read(_ reader: inout ByteReader) throws(Damage) -> String {
    let start = reader.offset
    let bytes = try reader.view(byteCount).array
    let text = bytes.prefix { $0 != 0 }
    guard !text.isEmpty, bytes.dropFirst(text.count).allSatisfy({ $0 == 0 }),
      let name = String(validating: text, as: UTF8.self)
    else { throw Damage(offset: start, "no name") }
    return name
  }

  static func append(_ name: String, to bytes: inout [UInt8]) {
    let text = Array(name.utf8.prefix(byteCount))
    bytes += text + Array(repeating: 0, count: byteCount - text.count)
  }
}
