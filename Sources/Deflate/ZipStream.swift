// A zip of one file, written before its size is known:
//
//   local header       signature, version, flags, method, time, date; checksum and sizes are 0; name
//   data               deflated
//   data descriptor    signature, checksum, sizes
//   central directory  one entry, with checksum and sizes; in zip64, the sizes are in an extra field
//   zip64 end, locator if something doesn't fit in 32 bits
//   end                the position of the central directory
//
// The descriptor's sizes always have 32 bits; larger ones are cut off. So gzip unpacks such a zip whatever its size, and tools
// that go by the central directory (Python, unzip) don't look at them. Time and date are constant, so that equal data give
// equal bytes.

/// A zip of one file, compressed on the way out.
package struct ZipStream {
  private let name: [UInt8]
  private var deflater = Deflater(.none)
  private let limit: UInt64
  private var checksum: UInt32 = 0
  private var byteCount: UInt64 = 0
  private var compressedByteCount: UInt64 = 0

  private static let version: UInt16 = 20
  private static let zip64Version: UInt16 = 45
  private static let hasDescriptor: UInt16 = 1 << 3
  private static let deflated: UInt16 = 8
  private static let midnight: UInt16 = 0
  private static let firstDay: UInt16 = 1 << 5 | 1  // 1980-01-01
  private static let inZip64 = UInt32.max

  /// - Parameters:
  ///   - fileName: the file's name in the zip, in ASCII.
  ///   - limit: the largest size that is written in 32 bits; tests choose a smaller one.
  package init(fileName: String, limit: UInt64 = UInt64(UInt32.max) - 1) {
    name = Array(fileName.utf8.prefix(Int(UInt16.max)))
    self.limit = limit
  }

  /// The bytes before the data.
  package var head: [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(0x0403_4b50 as UInt32)
    bytes.put(Self.version)
    putDescription(to: &bytes, checksum: 0, sizes: (0, 0))
    bytes.put(0 as UInt16)
    return bytes + name
  }

  /// The next compressed bytes, if any.
  package mutating func compress(_ bytes: [UInt8]) -> [UInt8] {
    count(bytes)
    return deflate(bytes, finish: false)
  }

  /// The last compressed bytes, and the records after the data.
  package mutating func finish() -> [UInt8] {
    let last = deflate([], finish: true)
    return last + descriptor + directory
  }

  private mutating func count(_ bytes: [UInt8]) {
    byteCount += UInt64(bytes.count)
    checksum = checksum32(of: bytes, after: checksum)
  }

  private mutating func deflate(_ bytes: [UInt8], finish: Bool) -> [UInt8] {
    let compressed = deflater.compress(bytes, finish: finish)
    compressedByteCount += UInt64(compressed.count)
    return compressed
  }

  private var isZip64: Bool { byteCount > limit || compressedByteCount > limit }

  private var descriptor: [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(0x0807_4b50 as UInt32)
    bytes.put(checksum)
    for size in [compressedByteCount, byteCount] { bytes.put(UInt32(truncatingIfNeeded: size)) }
    return bytes
  }

  /// The central directory and the records after it.
  private var directory: [UInt8] {
    let offset = UInt64(head.count) + compressedByteCount + UInt64(descriptor.count)
    let entry = entry
    var bytes = entry
    if isZip64 { bytes += zip64End(directory: offset, byteCount: UInt64(entry.count)) }
    bytes.put(0x0605_4b50 as UInt32)
    bytes += [0, 0, 0, 0]  // the number of this disk and of the directory's
    for _ in 0..<2 { bytes.put(1 as UInt16) }  // entries on this disk and in all
    bytes.put(UInt32(entry.count))
    bytes.put(isZip64 ? Self.inZip64 : UInt32(offset))
    bytes.put(0 as UInt16)  // no comment
    return bytes
  }

  private var entry: [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(0x0201_4b50 as UInt32)
    bytes.put(3 << 8 | Self.zip64Version)  // made on Unix, for the file's mode
    bytes.put(isZip64 ? Self.zip64Version : Self.version)
    let sizes = isZip64 ? (Self.inZip64, Self.inZip64) : (UInt32(compressedByteCount), UInt32(byteCount))
    putDescription(to: &bytes, checksum: checksum, sizes: sizes)
    bytes.put(isZip64 ? 20 : 0 as UInt16)
    bytes += [0, 0, 0, 0, 0, 0]  // no comment, the first disk, no text
    bytes.put(0o100644 << 16 as UInt32)
    bytes.put(0 as UInt32)  // the local header is at the beginning
    bytes += name
    if isZip64 {
      bytes.put(1 as UInt16)
      bytes.put(16 as UInt16)
      for size in [byteCount, compressedByteCount] { bytes.put(size) }
    }
    return bytes
  }

  /// The fields that the local header and the directory entry share.
  private func putDescription(to bytes: inout [UInt8], checksum: UInt32, sizes: (UInt32, UInt32)) {
    for field in [Self.hasDescriptor, Self.deflated, Self.midnight, Self.firstDay] { bytes.put(field) }
    for field in [checksum, sizes.0, sizes.1] { bytes.put(field) }
    bytes.put(UInt16(name.count))
  }

  private func zip64End(directory offset: UInt64, byteCount: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(0x0606_4b50 as UInt32)
    bytes.put(44 as UInt64)  // bytes that follow in this record
    for _ in 0..<2 { bytes.put(Self.zip64Version) }
    for _ in 0..<2 { bytes.put(0 as UInt32) }  // disks
    for _ in 0..<2 { bytes.put(1 as UInt64) }  // entries
    bytes.put(byteCount)
    bytes.put(offset)
    bytes.put(0x0706_4b50 as UInt32)
    bytes.put(0 as UInt32)
    bytes.put(offset + byteCount)
    bytes.put(1 as UInt32)
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ value: some FixedWidthInteger) {
    for index in 0..<(value.bitWidth / 8) { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
