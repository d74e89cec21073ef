#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file, or standard input, read from its beginning to its end; a gzip or a one-file zip is unpacked on the way.
struct InputFile: ~Copyable {
  /// The path, or `standard input`.
  let name: String
  /// Bytes of text, or nil for a stream and a packed file, where nobody knows.
  let totalByteCount: Int?
  private let descriptor: Descriptor
  private var unpacker: Unpacker?

  /// Opens the file at `path`; `-` is standard input.
  init(path: String) throws(ImportError) {
    let name = path == "-" ? "standard input" : path
    let descriptor = path == "-" ? Descriptor(borrowing: STDIN_FILENO) : try Self.open(path)
    let position = lseek(descriptor.number, 0, Int32(SEEK_CUR))
    let packing = Self.packing(of: descriptor, at: position)
    self.unpacker = try Self.unpacker(packing, descriptor, file: name)
    self.totalByteCount = packing == nil ? Self.byteCount(of: descriptor, from: position) : nil
    self.name = name
    self.descriptor = descriptor
  }

  /// How the file is packed. The read position stays; a stream's bytes cannot be looked at without taking them.
  private static func packing(of descriptor: borrowing Descriptor, at position: off_t) -> Packing? {
    var magic: [UInt8] = [0, 0, 0, 0]
    let count = position < 0 ? 0 : unsafe pread(descriptor.number, &magic, magic.count, position)
    return Packing(magic.prefix(max(0, count)))
  }

  private static func unpacker(
    _ packing: Packing?, _ descriptor: borrowing Descriptor, file: String
  ) throws(ImportError) -> Unpacker? {
    guard let packing else { return nil }
    return try Unpacker(packing, input: descriptor, file: file)
  }

  /// Reads some bytes into `buffer`; 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    if let count = try unsafe unpacker?.read(into: buffer) { return count }
    return try unsafe descriptor.read(into: buffer, file: name)
  }

  private static func open(_ path: String) throws(ImportError) -> Descriptor {
    while true {
      let number = unsafe path.withCString { unsafe systemOpen($0, O_RDONLY | O_CLOEXEC) }
      if number >= 0 { return Descriptor(owning: number) }
      if errno != EINTR { throw .cannotOpen(file: path, errno: errno) }
    }
  }

  private static func byteCount(of descriptor: borrowing Descriptor, from position: off_t) -> Int? {
    var status = stat()
    guard position >= 0, unsafe fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return max(0, Int(status.st_size) - Int(position))
  }
}

/// `open(2)` under a name that `InputFile.open` does not hide.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { unsafe open(path, flags) }

/// A form in which a file is packed, by the file's first bytes.
enum Packing {
  case gzip, zip

  init?(_ magic: some Sequence<UInt8>) {
    if magic.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if magic.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .zip
    } else {
      return nil
    }
  }
}

/// A file descriptor that is closed when it goes out of use.
struct Descriptor: ~Copyable {
  let number: Int32
  private let isOwned: Bool

  init(owning number: Int32) { (self.number, isOwned) = (number, true) }
  init(borrowing number: Int32) { (self.number, isOwned) = (number, false) }

  deinit { if isOwned { _ = close(number) } }

  /// Reads some bytes; 0 at the end. An interrupted call is made again.
  func read(into buffer: UnsafeMutableRawBufferPointer, file: String) throws(ImportError) -> Int {
    while true {
      let count = unsafe systemRead(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw .cannotRead(file: file, errno: errno) }
    }
  }
}

private func systemRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(number, start, count)
}
