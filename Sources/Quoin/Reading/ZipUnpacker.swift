import Deflate

// A zip of one file, as it comes through a pipe:
//
//   local header       flags, method, checksum, sizes (or zeros, when they follow the data); name, extra fields
//   data               deflated, or stored as it is
//   data descriptor    if the flags say so: checksum and sizes, which were not known before
//   central directory  one entry, which repeats checksum and sizes
//   zip64 end, locator where something doesn't fit in 32 bits
//   end                the number of entries; a comment

/// Unpacks a zip that holds exactly one file, deflated or stored.
struct ZipUnpacker: Unpacker {
  private enum State { case beforeData, inData, atEnd }

  private let inflater = Inflater.plain
  private var state = State.beforeData
  private var header = ZipLocalHeader()
  private var dataOffset = 0
  /// Of the bytes unpacked so far.
  private var found = ZipContent()

  mutating func read(
    into buffer: inout MutableRawSpan, from input: inout InputBytes
  ) throws(ImportError) -> Int {
    if state == .atEnd { return 0 }
    if state == .beforeData {
      header = try ZipLocalHeader(taking: &input)
      dataOffset = input.offset
      state = .inData
    }
    let (count, isAtEnd) =
      header.isStored ? try copy(to: &buffer, from: &input) : try input.inflate(into: &buffer, with: inflater)
    found.checksum = checksum32(of: buffer.bytes.extracting(first: count), after: found.checksum)
    found.byteCount += UInt64(count)
    found.packedByteCount = UInt64(input.offset - dataOffset)
    if isAtEnd {
      try finish(&input)
      state = .atEnd
    }
    return count
  }

  /// Copies some stored bytes.
  private func copy(
    to buffer: inout MutableRawSpan, from input: inout InputBytes
  ) throws(ImportError) -> (count: Int, isAtEnd: Bool) {
    let rest = Int(clamping: header.content.byteCount - found.byteCount)
    if rest == 0 { return (0, true) }
    let count = try input.read(into: &buffer, countMax: rest)
    guard count > 0 else { throw input.error(InputBytes.endsEarly) }
    return (count, count == rest)
  }

  /// Compares what was unpacked with what the zip says of it in each place, up to the file's end.
  private func finish(_ input: inout InputBytes) throws(ImportError) {
    if header.hasDescriptor {
      try input.takeDescriptor(of: found)
    } else if found != header.content {
      throw input.error(ZipContent.differs)
    }
    try input.takeDirectory(of: found)
    try input.skipZeros()
  }
}

/// The checksum and the sizes of a zip's file.
struct ZipContent: Equatable {
  var checksum: UInt32 = 0
  var packedByteCount: UInt64 = 0
  var byteCount: UInt64 = 0

  static let differs = "the archive is damaged (checksum or size differ)"

  init() {}

  /// The content that 12 bytes of a header say, with the sizes that are too large for them in an extra field.
  init(_ fields: ArraySlice<UInt8>, extra: [UInt8]) {
    checksum = UInt32(fields.littleEndian(at: 0, byteCount: 4))
    packedByteCount = fields.littleEndian(at: 4, byteCount: 4)
    byteCount = fields.littleEndian(at: 8, byteCount: 4)
    var sizes = Self.zip64Sizes(extra)
    if byteCount == UInt64(UInt32.max) { byteCount = Self.takeSize(&sizes) ?? byteCount }
    if packedByteCount == UInt64(UInt32.max) { packedByteCount = Self.takeSize(&sizes) ?? packedByteCount }
  }

  /// The content of the extra field for sizes of 64 bits; empty when there is none.
  private static func zip64Sizes(_ extra: [UInt8]) -> ArraySlice<UInt8> {
    var rest = extra[...]
    while rest.count >= 4 {
      let (id, count) = (rest.littleEndian(at: 0, byteCount: 2), Int(rest.littleEndian(at: 2, byteCount: 2)))
      rest = rest.dropFirst(4)
      if id == 1 { return rest.prefix(count) }
      rest = rest.dropFirst(count)
    }
    return []
  }

  private static func takeSize(_ sizes: inout ArraySlice<UInt8>) -> UInt64? {
    guard sizes.count >= 8 else { return nil }
    defer { sizes = sizes.dropFirst(8) }
    return sizes.littleEndian(at: 0, byteCount: 8)
  }
}

extension Collection<UInt8> where Index == Int {
  /// The number in `byteCount` bytes from `offset` on, which there must be.
  func littleEndian(at offset: Int, byteCount: Int) -> UInt64 {
    let first = startIndex + offset
    return (first..<first + byteCount).reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) }
  }
}
