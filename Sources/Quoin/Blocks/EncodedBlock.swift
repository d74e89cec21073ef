import CKernels

/// An encoded block in place: its header, parsed and checked, and pointers to its parts in the mapped file.
///
/// Parsing establishes every bound that decoding and scanning rely on: patches rise and lie inside the block, the payload
/// has the size that the header says, and the codec has checked the rest. It doesn't compare the checksum: `ColumnFile`
/// does, once.
@safe
struct EncodedBlock {
  let header: BlockHeader
  private let list: UnsafeRawPointer
  private let patches: UnsafeRawPointer
  private let storedPayload: UnsafeRawBufferPointer
  private let sourceBytes: UnsafeRawPointer?

  /// Parses and checks the block that begins `bytes`.
  ///
  /// - Parameter source: the block of the same rows that a derived block is computed from. The bytes of both must
  ///   outlive the value.
  init(
    _ bytes: UnsafeRawBufferPointer,
    source: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(Damage) {
    var reader = unsafe ByteReader(bytes)
    header = try BlockHeader(&reader)
    // Sound: a block has at least a header, so there is a base address.
    let start = bytes.baseAddress!
    unsafe list = try reader.slice(header.listByteCount).baseAddress ?? start
    unsafe patches = try reader.slice(header.patchByteCount).baseAddress ?? start
    unsafe storedPayload = try reader.slice(header.storedPayloadByteCount)
    unsafe sourceBytes = source.count > 0 ? source.baseAddress : nil
    unsafe try checkRows(of: list, header.listCount, "stretch", begins: true)
    unsafe try checkRows(of: patches, header.patchCount, "patch", begins: false)
    try header.encoding.codec.check(self)
    if header.encoding.codec.needsSource, source.count > 0 { try checkSource(unsafe EncodedBlock(source)) }
  }

  /// A block that was parsed and checked before, and its source too: the same bytes, which are not checked again.
  @inline(__always)
  init(trusting bytes: UnsafeRawPointer, source: UnsafeRawPointer? = nil) {
    header = unsafe BlockHeader(trusting: bytes)
    unsafe list = bytes + BlockHeader.byteCount
    unsafe patches = list + header.listByteCount
    unsafe storedPayload = UnsafeRawBufferPointer(
      start: patches + header.patchByteCount, count: header.storedPayloadByteCount)
    unsafe sourceBytes = unsafe source
  }

  /// Parses and checks the block that begins `bytes`, as above.
  init(_ bytes: ByteView, source: ByteView) throws(Damage) {
    self = unsafe try EncodedBlock(bytes.bytes, source: source.bytes)
  }

  /// A block that was parsed and checked before, and if it is derived, the block that it is computed from too. For any
  /// other block `source` may hold anything.
  @inline(__always)
  init(trusting bytes: ByteView, at offset: Int, source: ByteView, at sourceOffset: Int) {
    precondition(Self.hasHeader(in: bytes, at: offset), "a block at byte \(offset) of \(bytes.count)")
    // Sound: the caller's word; only a derived block looks at its source.
    let hasSource = Self.hasHeader(in: source, at: sourceOffset)
    self = unsafe EncodedBlock(
      trusting: bytes.bytes.baseAddress! + offset, source: hasSource ? source.bytes.baseAddress! + sourceOffset : nil)
  }

  /// Asks the processor to fetch what gathering these rows of the block at `offset` will read. The block may be damaged: its
  /// header is read, and the addresses that it gives are not read from.
  @inline(__always)
  static func prefetch(_ rows: RowList, ofBlockAt offset: Int, in bytes: ByteView) {
    guard hasHeader(in: bytes, at: offset) else { return }
    unsafe EncodedBlock(trusting: bytes.bytes.baseAddress! + offset).prefetch(rows)
  }

  @inline(__always)
  private static func hasHeader(in bytes: ByteView, at offset: Int) -> Bool {
    offset >= 0 && offset <= bytes.count - BlockHeader.byteCount
  }

  var rowCount: Int { header.rowCount }

  /// Patch `index`: its row and its value's bits.
  @inline(__always)
  func patch(_ index: Int) -> (row: Int, bits: UInt64) {
    unsafe Self.entry(index, of: header.patchCount, in: patches)
  }

  /// The patches as they are stored: their values, then their rows.
  var patchBytes: UnsafeRawPointer { unsafe patches }

  /// Entry `index` of the encoding's own list, whose `count` the codec knows.
  @inline(__always)
  func listEntry(_ index: Int, of count: Int) -> (row: Int, bits: UInt64) {
    // Sound: parsing has sliced the list.
    unsafe Self.entry(index, of: count, in: list)
  }

  /// The block that a derived block is computed from.
  func source() throws(Damage) -> EncodedBlock {
    guard let bytes = unsafe sourceBytes else {
      throw Damage(offset: 0, "the block that this one is computed from is not there")
    }
    // Sound: parsing this block has parsed and checked that one.
    return unsafe EncodedBlock(trusting: bytes)
  }

  /// Entry `index` of a list of `count` values and then as many rows.
  @inline(__always)
  private static func entry(_ index: Int, of count: Int, in list: UnsafeRawPointer) -> (row: Int, bits: UInt64) {
    // Sound: parsing sliced `count` values and as many rows.
    let bits = unsafe list.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
    let row = unsafe list.loadUnaligned(fromByteOffset: count * 8 + index * 2, as: UInt16.self)
    return (Int(UInt16(littleEndian: row)), UInt64(littleEndian: bits))
  }

  /// The payload as it is stored.
  var stored: ByteView { unsafe ByteView(storedPayload) }

  /// The unpacked payload: in place when it is stored raw, else in `scratch`. Valid until `scratch` is used again.
  ///
  /// - Parameter rows: the rows that matter, nil for all. What the payload has of other rows may be anything.
  @inline(__always)
  func payload(
    _ scratch: BlockScratch, for rows: @autoclosure () -> RowMask? = nil
  ) throws(Damage) -> UnsafeRawBufferPointer {
    unsafe header.storage == .raw ? storedPayload : try unpacked(scratch, rows())
  }

  private func unpacked(_ scratch: BlockScratch, _ rows: RowMask?) throws(Damage) -> UnsafeRawBufferPointer {
    let count = header.payloadByteCount
    switch header.storage {
    case .raw, .lz4: unsafe try LZ4.decompress(storedPayload, into: scratch.payload(count))
    case .lz4Planes:
      unsafe try LZ4.decompress(storedPayload, into: scratch.planes(count))
      unsafe BytePlanes.join(
        UnsafeRawBufferPointer(scratch.planes(count)), into: scratch.payload(count), planeCount: count / header.rowCount
      )
    case .bits, .differenceBits:
      unsafe try PackedBits.unpack(storedPayload, header, for: rows, into: scratch.payload(count))
    }
    return unsafe UnsafeRawBufferPointer(scratch.payload(count))
  }

  /// Asks the processor to fetch the block's bytes up to `byteCount`, at most 512. The first line has the header, so it is
  /// there.
  @inline(__always)
  func prefetch(upTo byteCount: Int) {
    // Sound: nothing is read from these addresses.
    for offset in stride(from: 64, to: min(byteCount, 512), by: 64) {
      unsafe quoin_prefetch(list - BlockHeader.byteCount + offset)
    }
  }

  private func checkSource(_ source: EncodedBlock) throws(Damage) {
    guard source.rowCount == rowCount, !source.header.encoding.codec.needsSource else {
      throw Damage(offset: 0, "the block that this one is computed from has other rows")
    }
  }

  /// Checks that the rows of a list rise and lie inside the block, and that the first is row 0 where the list divides it.
  private func checkRows(
    of list: UnsafeRawPointer, _ count: Int, _ name: String, begins: Bool
  ) throws(Damage) {
    var next = 0
    for index in 0..<count {
      let row = unsafe Self.entry(index, of: count, in: list).row
      guard begins && index == 0 ? row == 0 : row >= next, row < rowCount else {
        throw Damage(
          offset: BlockHeader.byteCount, "\(name) \(index) \(begins ? "begins" : "is") at row \(row) of \(rowCount)")
      }
      next = row + 1
    }
  }
}
