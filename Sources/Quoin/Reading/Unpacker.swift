import Deflate

/// A form in which a file is packed, by the file's first bytes.
enum Packing {
  case gzip, zip

  /// The bytes that tell the form.
  static let magicByteCount = 4

  init?(_ magic: some Sequence<UInt8>) {
    if magic.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if magic.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .zip
    } else {
      return nil
    }
  }

  /// A new unpacker of a file of this form.
  var unpacker: any Unpacker {
    switch self {
    case .gzip: GzipUnpacker()
    case .zip: ZipUnpacker()
    }
  }
}

/// Unpacks a file on the way, in memory that doesn't depend on the file's size.
protocol Unpacker {
  /// Begins the next file of the archive, after the one before is read to its end.
  ///
  /// - Returns: whether there is one.
  mutating func beginEntry(_ input: inout InputBytes) throws(ImportError) -> Bool

  /// The name of the file that was begun; nil if archives of this form hold one file.
  var entryName: [UInt8]? { get }

  /// Unpacks some bytes into `buffer`, which isn't empty; 0 at the end.
  ///
  /// - Throws: `ImportError.cannotUnpack` if the archive is damaged, truncated, or of a kind that isn't read here. What
  ///   was unpacked until then isn't to be trusted: checksums and sizes come after the data.
  mutating func read(
    into buffer: inout MutableRawSpan, from input: inout InputBytes
  ) throws(ImportError) -> Int
}

/// Unpacks a gzip: one member or several, whose texts follow each other. Zeros may follow the last member, as tapes and
/// disks pad files with them; anything else is an error, because it may be a member whose beginning is damaged.
struct GzipUnpacker: Unpacker {
  private let inflater = Inflater.gzip
  private var isBegun = false
  private var isInMember = true

  var entryName: [UInt8]? { nil }

  mutating func beginEntry(_ input: inout InputBytes) -> Bool {
    defer { isBegun = true }
    return !isBegun
  }

  mutating func read(
    into buffer: inout MutableRawSpan, from input: inout InputBytes
  ) throws(ImportError) -> Int {
    while true {
      if !isInMember { try beginMember(&input) }
      if !isInMember { return 0 }
      let (count, isAtEnd) = try input.inflate(into: &buffer, with: inflater)
      isInMember = !isAtEnd
      if count > 0 { return count }
    }
  }

  /// Begins the next member, if there is one before the file's end.
  private mutating func beginMember(_ input: inout InputBytes) throws(ImportError) {
    _ = try input.fill(Packing.magicByteCount)
    guard Packing(input.ahead) == .gzip else { return try input.skipZeros() }
    inflater.reset()
    isInMember = true
  }
}

extension InputBytes {
  /// Passes over all bytes to the file's end, which must be zeros.
  mutating func skipZeros() throws(ImportError) {
    while try fill(1) > 0 {
      guard let index = ahead.firstIndex(where: { $0 != 0 }) else {
        skip(ahead.count)
        continue
      }
      skip(index - ahead.startIndex)
      throw error("there are other bytes after the archive's end")
    }
  }
}
