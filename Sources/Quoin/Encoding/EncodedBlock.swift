/// An encoded block in place: its header, parsed and checked, and pointers to its parts in the mapped file.
///
/// Parsing establishes every bound that decoding and scanning rely on: exceptions rise and lie inside the block, the
/// payload has the size that the header says. It doesn't compare the checksum; who maps the bytes does, once.
@safe
struct EncodedBlock {
  let header: BlockHeader
  private let exceptions: UnsafeRawPointer
  private let storedPayload: UnsafeRawBufferPointer

  /// Parses the block that begins `bytes`. The bytes must outlive the value.
  init(_ bytes: UnsafeRawBufferPointer) throws(Damage) {
    var reader = unsafe ByteReader(bytes)
    header = try BlockHeader(&reader)
    let exceptionBytes = unsafe try reader.slice(header.exceptionByteCount)
    unsafe storedPayload = try reader.slice(header.storedPayloadByteCount)
    // Sound: a block has at least a header, so there is a base address.
    unsafe exceptions = exceptionBytes.baseAddress ?? bytes.baseAddress!
    try checkExceptions()
    if header.encoding == .daySet { try checkDaySet() }
  }

  var rowCount: Int { header.rowCount }

  /// Exception `index`: its row and its value's bits.
  @inline(__always)
  func exception(_ index: Int) -> (row: Int, bits: UInt64) {
    // Sound: parsing sliced `exceptionCount` values and as many rows.
    let bits = unsafe exceptions.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
    let row = unsafe exceptions.loadUnaligned(fromByteOffset: header.exceptionCount * 8 + index * 2, as: UInt16.self)
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
        UnsafeRawBufferPointer(scratch.planes(count)), into: scratch.payload(count), planeCount: count / header.rowCount)
    }
    return unsafe UnsafeRawBufferPointer(scratch.payload(count))
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

  init() { unsafe memory = .allocate(byteCount: 4 * Self.size, alignment: 64) }

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

  private func part(_ index: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
    precondition(count >= 0 && count <= Self.size, "\(count) bytes of scratch")
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(index * Self.size)..<(index * Self.size + count)])
  }
}
