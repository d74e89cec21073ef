/// An encoded block in place: its header, parsed and checked, and pointers to its parts in the mapped file.
///
/// Parsing establishes every bound that decoding and scanning rely on: exceptions rise and lie inside the block, the
/// payload has the size that the header says. It doesn't compare the checksum; who maps the bytes does, once.
@safe
struct EncodedBlock {
  let header: BlockHeader
  private let stretches: UnsafeRawPointer
  private let exceptions: UnsafeRawPointer
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
    unsafe stretches = try reader.slice(header.stretchByteCount).baseAddress ?? start
    unsafe exceptions = try reader.slice(header.exceptionByteCount).baseAddress ?? start
    unsafe storedPayload = try reader.slice(header.storedPayloadByteCount)
    unsafe sourceBytes = source.count > 0 ? source.baseAddress : nil
    try checkStretches()
    try checkExceptions()
    if header.encoding == .daySet { try checkDaySet() }
    if header.encoding == .derived, source.count > 0 { try checkSource(unsafe EncodedBlock(source)) }
  }

  /// A block that was parsed and checked before, and its source too: the same bytes, which are not checked again.
  @inline(__always)
  init(trusting bytes: UnsafeRawPointer, source: UnsafeRawPointer? = nil) {
    header = unsafe BlockHeader(trusting: bytes)
    unsafe stretches = bytes + BlockHeader.byteCount
    unsafe exceptions = stretches + header.stretchByteCount
    unsafe storedPayload = UnsafeRawBufferPointer(
      start: exceptions + header.exceptionByteCount, count: header.storedPayloadByteCount)
    unsafe sourceBytes = unsafe source
  }

  var rowCount: Int { header.rowCount }

  /// Exception `index`: its row and its value's bits.
  @inline(__always)
  func exception(_ index: Int) -> (row: Int, bits: UInt64) {
    unsafe Self.entry(index, of: header.exceptionCount, in: exceptions)
  }

  /// The rows of stretch `index` of a derived block, and their factor.
  @inline(__always)
  func stretch(_ index: Int) -> (rows: Range<Int>, factor: Double) {
    let count = header.stretchCount
    let (first, bits) = unsafe Self.entry(index, of: count, in: stretches)
    let end = index + 1 < count ? unsafe Self.entry(index + 1, of: count, in: stretches).row : rowCount
    return (first..<end, Double(bitPattern: bits))
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

  /// The unpacked payload: in place when it is stored raw, else in `scratch`. Valid until `scratch` is used again.
  func payload(_ scratch: BlockScratch) throws(Damage) -> UnsafeRawBufferPointer {
    let count = header.payloadByteCount
    switch header.storage {
    case .raw: return unsafe storedPayload
    case .lz4: unsafe try LZ4.decompress(storedPayload, into: scratch.payload(count))
    case .lz4Planes:
      unsafe try LZ4.decompress(storedPayload, into: scratch.planes(count))
      unsafe BytePlanes.join(
        UnsafeRawBufferPointer(scratch.planes(count)), into: scratch.payload(count), planeCount: count / header.rowCount
      )
    }
    return unsafe UnsafeRawBufferPointer(scratch.payload(count))
  }

  /// Where the payload is stored.
  var rawPayload: UnsafeRawPointer? { unsafe storedPayload.baseAddress }

  private func checkSource(_ source: EncodedBlock) throws(Damage) {
    guard source.rowCount == rowCount, source.header.encoding != .derived else {
      throw Damage(offset: 0, "the block that this one is computed from has other rows")
    }
  }

  private func checkStretches() throws(Damage) {
    var next = 0
    for index in 0..<header.stretchCount {
      let row = unsafe Self.entry(index, of: header.stretchCount, in: stretches).row
      guard index == 0 ? row == 0 : row >= next, row < rowCount else {
        throw Damage(offset: BlockHeader.byteCount, "stretch \(index) begins at row \(row) of \(rowCount)")
      }
      next = row + 1
    }
  }

  private func checkExceptions() throws(Damage) {
    var next = 0
    for index in 0..<header.exceptionCount {
      let row = exception(index).row
      guard row >= next, row < rowCount else {
        throw Damage(offset: BlockHeader.byteCount, "exception \(index) is at row \(row) of \(rowCount)")
      }
      next = row + 1
    }
  }

  private func checkDaySet() throws(Damage) {
    let count = unsafe DaySetCodec.dayCount(storedPayload)
    guard count == rowCount else {
      throw Damage(offset: BlockHeader.byteCount, "a set of \(count) days for \(rowCount) rows")
    }
  }
}

/// Working memory to unpack blocks in: one for each thread that reads.
@safe
final class BlockScratch {
  private let memory: UnsafeMutableRawBufferPointer
  private static let size = Limits.rowsPerBlock * 8

  init() { unsafe memory = .allocate(byteCount: Limits.unpackedByteCount, alignment: 64) }

  deinit { unsafe memory.deallocate() }

  /// Room for `count` bytes of unpacked payload.
  func payload(_ count: Int) -> UnsafeMutableRawBufferPointer { unsafe part(0, count) }

  /// Room for `count` bytes of byte planes.
  func planes(_ count: Int) -> UnsafeMutableRawBufferPointer { unsafe part(1, count) }

  /// Room for one block of values; not used by unpacking.
  func values<Value: BlockValue>(_ type: Value.Type = Value.self) -> UnsafeMutableBufferPointer<Value> {
    // Sound: the room is aligned to 64 bytes and every `BlockValue` is 8 bytes of plain data.
    unsafe part(2, Self.size).bindMemory(to: Value.self)
  }

  /// Room for `count` selected values; used by nothing in this room.
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
