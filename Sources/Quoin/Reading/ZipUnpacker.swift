import Deflate

// A zip, as it comes through a pipe. For each file:
//
//   local header       flags, method, checksum, sizes (or zeros, when they follow the data); name, extra fields
//   data               deflated, or stored as it is
//   data descriptor    if the flags say so: checksum and sizes, which were not known before
//
// And at the end:
//
//   central directory  an entry for each file, which repeats checksum and sizes
//   zip64 end, locator where something doesn't fit in 32 bits
//   end                the number of entries; a comment

/// Unpacks the files of a zip one after another, deflated or stored.
struct ZipUnpacker: Unpacker {
  private enum State { case beforeFile, inData, atFileEnd, atEnd }

  private let inflater = Inflater.plain
  private var state = State.beforeFile
  private var header = ZipLocalHeader()
  private var dataOffset = 0
  /// Of the bytes unpacked so far.
  private var found = ZipContent()
  /// The files so far, by name.
  private var files: [[UInt8]: ZipContent] = [:]

  var entryName: [UInt8]? { state == .beforeFile ? nil : header.name }

  mutating func beginEntry(_ input: inout InputBytes) throws(ImportError) -> Bool {
    switch state {
    case .inData: return true
    case .atEnd: return false
    case .beforeFile, .atFileEnd: break
    }
    header = try ZipLocalHeader(taking: &input)
    if state == .beforeFile, header.name == Array("[Content_Types].xml".utf8) {
      throw .foreign(file: input.name, kind: "an Excel workbook")
    }
    (dataOffset, found, state) = (input.offset, ZipContent(), .inData)
    inflater.reset()
    return true
  }

  mutating func read(
    into buffer: inout MutableRawSpan, from input: inout InputBytes
  ) throws(ImportError) -> Int {
    guard state == .inData else { return 0 }
    let (count, isAtEnd) =
      header.isStored ? try copy(to: &buffer, from: &input) : try input.inflate(into: &buffer, with: inflater)
    found.checksum = checksum32(of: buffer.bytes.extracting(first: count), after: found.checksum)
    found.byteCount += UInt64(count)
    found.packedByteCount = UInt64(input.offset - dataOffset)
    if isAtEnd {
      try finish(&input)
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

  /// Compares what was unpacked with what the zip says of it beside the data; after the last file, up to the archive's end.
  private mutating func finish(_ input: inout InputBytes) throws(ImportError) {
    if header.hasDescriptor {
      try input.takeDescriptor(of: found)
    } else if found != header.content {
      throw input.error(ZipContent.differs)
    }
    guard files.updateValue(found, forKey: header.name) == nil else {
      throw input.error("it holds two files of the name '\(ShownText.sanitized(header.name))'")
    }
    state = .atFileEnd
    if try input.isBeforeZipFile { return }
    try input.takeDirectory(of: files)
    try input.skipZeros()
    state = .atEnd
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
