// The bytes of one encoded block: up to 1,024 values of one attribute of one ticker.
//
//   offset size
//        0    1  encoding          0 constant, 1 scaled, 2 plain, 3 day set, 4 derived, 5 runs
//        1    1  payload storage   0 raw, 1 LZ4, 2 LZ4 over byte planes; scaled also: 3 bits, 4 bits of differences
//        2    2  row count         1 ... 1024
//        4    2  patch count       0 ... row count
//        6    2  stored payload byte count
//        8    8  base              constant: the value; scaled: the smallest integer; day set: the first day;
//                                  derived: the type of the values that these are computed from, 0 float64, 1 int64
//       16    4  step              scaled: what the offsets count in; derived, runs: the number of stretches
//       20    1  width             scaled: bytes of one offset, 0 ... 4
//       21    1  exponent          scaled: the value is the integer over 10^exponent; derived: significant digits, 0 if whole
//       22    2  zero
//       24    8  derived, runs: the factor or the value of each stretch
//              2  derived, runs: the first row of each stretch, rising from 0; then zeros to a multiple of 8
//              8  the value of each patch
//              2  the row of each patch, rising; then zeros to a multiple of 8
//                 the payload; then zeros to a multiple of 8
//
// A patch (an exception, in the words of PFOR) is a row whose value the encoding can't express. It replaces whatever the
// payload has in its place.

/// How a block's payload is kept. The raw value is part of the format.
package enum PayloadStorage: UInt8, CaseIterable, Sendable {
  case raw, lz4, lz4Planes
  /// See PackedBits.swift.
  case bits, differenceBits

  var isBits: Bool { self == .bits || self == .differenceBits }
}

/// The fixed part of an encoded block.
struct BlockHeader: Equatable, Sendable {
  static let byteCount = 24

  var encoding: BlockEncoding
  var storage = PayloadStorage.raw
  var rowCount: Int
  var patchCount = 0
  var storedPayloadByteCount = 0
  var base: UInt64 = 0
  var step: UInt32 = 0
  var width = 0
  var exponent = 0

  /// Entries of the encoding's own list, which follows the header.
  var listCount: Int { encoding.hasList ? Int(step) : 0 }

  /// Bytes of that list, and of the patches that follow it.
  var listByteCount: Int { Self.listByteCount(listCount) }
  var patchByteCount: Int { Self.listByteCount(patchCount) }

  /// Bytes of a list of values and rows.
  private static func listByteCount(_ count: Int) -> Int { count * 8 + (count * 2 + 7) / 8 * 8 }
}

extension BlockHeader {
  /// Reads and checks a header: every field in its range and the fields consistent with each other.
  init(_ reader: inout ByteReader) throws(Damage) {
    let start = reader.offset
    let bytes = unsafe try reader.slice(Self.byteCount)
    guard let encoding = unsafe BlockEncoding(rawValue: bytes[0]) else {
      throw unsafe Damage(offset: start, "the block encoding \(bytes[0])", isUnknown: true)
    }
    guard let storage = unsafe PayloadStorage(rawValue: bytes[1]) else {
      throw unsafe Damage(offset: start + 1, "the payload storage \(bytes[1])", isUnknown: true)
    }
    self.encoding = encoding
    self.storage = storage
    // Sound: the slice has the header's 24 bytes, and no offset plus size passes that.
    rowCount = unsafe Int(bytes.integer(at: 2, as: UInt16.self))
    patchCount = unsafe Int(bytes.integer(at: 4, as: UInt16.self))
    storedPayloadByteCount = unsafe Int(bytes.integer(at: 6, as: UInt16.self))
    base = unsafe bytes.integer(at: 8)
    step = unsafe bytes.integer(at: 16)
    width = unsafe Int(bytes[20])
    exponent = unsafe Int(bytes[21])
    guard unsafe bytes.integer(at: 22, as: UInt16.self) == 0, (1...Limits.rowsPerBlock).contains(rowCount),
      patchCount <= rowCount, isConsistent
    else { throw Damage(offset: start, "impossible block header") }
  }

  /// Reads a header that was read and checked before: the same bytes, without the checks.
  @inline(__always)
  init(trusting bytes: UnsafeRawPointer) {
    // Sound: the first reading has established that a header is there, and that its fields are in their ranges.
    func word(_ offset: Int) -> UInt64 {
      unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let (first, last) = (word(0), word(16))
    encoding = BlockEncoding(rawValue: UInt8(truncatingIfNeeded: first)) ?? .plain
    storage = PayloadStorage(rawValue: UInt8(truncatingIfNeeded: first >> 8)) ?? .raw
    rowCount = Int(first >> 16 & 0xFFFF)
    patchCount = Int(first >> 32 & 0xFFFF)
    storedPayloadByteCount = Int(first >> 48)
    base = word(8)
    step = UInt32(truncatingIfNeeded: last)
    width = Int(last >> 32 & 0xFF)
    exponent = Int(last >> 40 & 0xFF)
  }

  /// Bytes of the payload once it is unpacked.
  var payloadByteCount: Int { encoding.codec.payloadByteCount(self) }

  /// Whether the fields agree with each other.
  var isConsistent: Bool {
    guard encoding.codec.isConsistent(self), !storage.isBits || encoding.codec.hasOffsets else { return false }
    return storage == .raw
      ? storedPayloadByteCount == payloadByteCount
      : storedPayloadByteCount < payloadByteCount && storedPayloadByteCount > 0
  }

  /// Whether step, width and exponent are all unused.
  var hasNoScale: Bool { width == 0 && exponent == 0 && step == 0 }

  /// Its bytes as integers, the first byte lowest.
  var words: (UInt64, UInt64, UInt64) {
    let kinds = UInt64(encoding.rawValue) | UInt64(storage.rawValue) << 8
    let counts = UInt64(UInt16(rowCount)) << 16 | UInt64(UInt16(patchCount)) << 32
    return (
      kinds | counts | UInt64(UInt16(storedPayloadByteCount)) << 48, base,
      UInt64(step) | UInt64(UInt8(width)) << 32 | UInt64(UInt8(exponent)) << 40
    )
  }

  /// Writes the header to the beginning of `bytes`.
  func write(to bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count >= Self.byteCount)
    let words = words
    // Sound: by the precondition, as when reading.
    unsafe bytes.store(words.0, at: 0)
    unsafe bytes.store(words.1, at: 8)
    unsafe bytes.store(words.2, at: 16)
  }
}
