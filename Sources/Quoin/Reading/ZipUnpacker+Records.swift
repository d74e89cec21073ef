// The records of a zip around its data.

/// The signatures that records begin with, as little-endian numbers.
private enum ZipSignature {
  static let localHeader: UInt64 = 0x0403_4b50
  static let descriptor: UInt64 = 0x0807_4b50
  static let entry: UInt64 = 0x0201_4b50
  static let zip64End: UInt64 = 0x0606_4b50
  static let zip64Locator: UInt64 = 0x0706_4b50
  static let end: UInt64 = 0x0605_4b50
}

/// What stands at a zip's end, after the directory.
enum ZipEnd {
  static let byteCount = 22

  /// Whether a zip with these last bytes says that it holds one file. One with a comment doesn't end so.
  static func saysOneFile(_ bytes: [UInt8]) -> Bool {
    bytes.count == byteCount && bytes.littleEndian(at: 0, byteCount: 4) == ZipSignature.end
      && bytes.littleEndian(at: 10, byteCount: 2) == 1
  }
}

/// What stands before a file's data.
struct ZipLocalHeader {
  private(set) var isStored = false
  /// Whether the content is told after the data.
  private(set) var hasDescriptor = false
  /// What the header says of the content; zeros, mostly, with a descriptor.
  private(set) var content = ZipContent()
  private(set) var name: [UInt8] = []

  /// Flags for data that is encrypted, in one way or another.
  private static let encrypted: UInt64 = 1 << 0 | 1 << 6 | 1 << 13
  private static let described: UInt64 = 1 << 3

  init() {}

  init(taking input: inout InputBytes) throws(ImportError) {
    let fields = try input.take(30)
    let (flags, method) = (fields.littleEndian(at: 6, byteCount: 2), fields.littleEndian(at: 8, byteCount: 2))
    guard flags & Self.encrypted == 0 else {
      throw input.error("the file in it is encrypted; decrypt it, and import the result")
    }
    guard method == 0 || method == 8 else {
      throw input.error("it is compressed by method \(method), and only deflate is known here; unpack it first")
    }
    isStored = method == 0
    hasDescriptor = flags & Self.described != 0
    let counts = [26, 28].map { Int(fields.littleEndian(at: $0, byteCount: 2)) }
    name = try input.take(counts[0])
    content = ZipContent(fields[14...], extra: try input.take(counts[1]))
    if isStored { try checkStored(input) }
  }

  /// Nothing but its size says where stored data ends.
  private func checkStored(_ input: borrowing InputBytes) throws(ImportError) {
    guard content.byteCount == content.packedByteCount else { throw input.error(ZipContent.differs) }
    if hasDescriptor && content.byteCount == 0 {
      throw input.error("it is stored without its size, so it cannot be read from a stream; unpack it first")
    }
  }
}

extension InputBytes {
  /// Takes what follows the data if a flag says so.
  ///
  /// There are four forms: with or without a signature, and with sizes of 64 or 32 bits. Sizes of 32 bits lack the upper
  /// half of a large number. The right form has the checksum and the sizes that were found, and another record follows it.
  mutating func takeDescriptor(of content: ZipContent) throws(ImportError) {
    let largest = 4 + 4 + 2 * 8
    guard try fill(largest + 4) >= largest + 4 else {
      skip(ahead.count)
      throw error(Self.endsEarly)
    }
    for signature in [ZipSignature.descriptor.littleEndianBytes(4), []] {
      for width in [4, 8] {
        let form =
          signature + UInt64(content.checksum).littleEndianBytes(4) + content.packedByteCount.littleEndianBytes(width)
          + content.byteCount.littleEndianBytes(width)
        guard ahead.starts(with: form) else { continue }
        let next = ahead.littleEndian(at: form.count, byteCount: 4)
        if next == ZipSignature.entry || next == ZipSignature.localHeader { return skip(form.count) }
      }
    }
    throw error(ZipContent.differs)
  }

  /// Whether the next record is a file's, and not the directory.
  var isBeforeZipFile: Bool {
    mutating get throws(ImportError) {
      try fill(4) >= 4 && ahead.littleEndian(at: 0, byteCount: 4) == ZipSignature.localHeader
    }
  }

  /// Takes the central directory and what follows it, all of which must tell of these files, and of no others.
  mutating func takeDirectory(of files: [[UInt8]: ZipContent]) throws(ImportError) {
    var rest = files
    while true {
      let signature = try take(4).littleEndian(at: 0, byteCount: 4)
      switch signature {
      case ZipSignature.entry where !rest.isEmpty: try takeEntry(of: &rest)
      case ZipSignature.zip64End where rest.isEmpty: try takeZip64End()
      case ZipSignature.zip64Locator where rest.isEmpty: _ = try take(16)
      case ZipSignature.end where rest.isEmpty: return try takeEnd(fileCount: files.count)
      default: throw damagedDirectory
      }
    }
  }

  private mutating func takeEntry(of files: inout [[UInt8]: ZipContent]) throws(ImportError) {
    let fields = try take(42)
    let counts = [24, 26, 28].map { Int(fields.littleEndian(at: $0, byteCount: 2)) }
    let name = try take(counts[0])
    let extra = try take(counts[1])
    _ = try take(counts[2])
    guard let content = files.removeValue(forKey: name) else { throw damagedDirectory }
    guard ZipContent(fields[12...], extra: extra) == content else { throw error(ZipContent.differs) }
  }

  private mutating func takeEnd(fileCount: Int) throws(ImportError) {
    let fields = try take(18)
    guard [UInt64(fileCount), UInt64(UInt16.max)].contains(fields.littleEndian(at: 6, byteCount: 2)) else {
      throw damagedDirectory
    }
    _ = try take(Int(fields.littleEndian(at: 16, byteCount: 2)))
  }

  /// Takes a record that says first how long its rest is: 44 bytes, and what a later version of zip may add.
  private mutating func takeZip64End() throws(ImportError) {
    let byteCount = try take(8).littleEndian(at: 0, byteCount: 8)
    guard byteCount <= 1 << 16 else { throw damagedDirectory }
    var rest = Int(byteCount)
    while rest > 0 {
      guard try fill(1) > 0 else { throw error(Self.endsEarly) }
      let count = min(rest, ahead.count)
      skip(count)
      rest -= count
    }
  }

  private var damagedDirectory: ImportError { error("the archive is damaged (its directory)") }
}

extension UInt64 {
  fileprivate func littleEndianBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: self >> UInt64(8 * $0)) }
  }
}
