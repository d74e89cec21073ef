/// The bytes of a file in order, with a look at the next ones before they are taken.
struct InputBytes: ~Copyable {
  // Sound: the file gets each pointer with the true size of its memory, and keeps none of them.

  private static let bufferByteCount = 64 << 10

  private let file: ReadableFile
  /// The bytes ahead are `start ..< end`.
  private var buffer = [UInt8](repeating: 0, count: bufferByteCount)
  private var start = 0
  private var end = 0
  /// The offset of the next byte in the file.
  private(set) var offset = 0

  init(_ file: ReadableFile) { self.file = file }

  /// What errors call the file: the path, or `standard input`.
  var name: String { file.name }

  /// The error for bytes that cannot be unpacked, with the offset of the next byte.
  func error(_ reason: String) -> ImportError { .cannotUnpack(file: name, offset: offset, reason: reason) }

  /// Reads on until `count` bytes are ahead, or the file ends.
  ///
  /// - Returns: how many bytes are ahead, perhaps more than `count`, which is at most 64 kB.
  mutating func fill(_ count: Int) throws(ImportError) -> Int {
    precondition(count <= Self.bufferByteCount)
    if end - start < count { moveToFront() }
    while end - start < count {
      let (file, used) = (file, end)
      let read = try unsafe buffer.withUnsafeMutableBufferPointer { (bytes) throws(ImportError) in
        try unsafe Self.read(
          file, into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[used...]))
      }
      if read == 0 { break }
      end += read
    }
    return end - start
  }

  private mutating func moveToFront() {
    buffer.replaceSubrange(..<(end - start), with: buffer[start..<end])
    (start, end) = (0, end - start)
  }

  /// The bytes ahead that were read.
  var ahead: ArraySlice<UInt8> { buffer[start..<end] }

  /// Passes over bytes ahead that were read.
  mutating func skip(_ count: Int) {
    precondition(count <= end - start)
    start += count
    offset += count
  }

  /// Takes exactly `count` bytes.
  ///
  /// - Throws: `ImportError.cannotUnpack` if the file ends before.
  mutating func take(_ count: Int) throws(ImportError) -> [UInt8] {
    guard try fill(count) >= count else {
      skip(end - start)
      throw error(Inflater.endsEarly)
    }
    defer { skip(count) }
    return Array(ahead.prefix(count))
  }

  /// Reads some bytes into `target`, at most `countMax`; 0 at the end. Neither `target` nor `countMax` is 0.
  mutating func read(into target: inout MutableRawSpan, countMax: Int = .max) throws(ImportError) -> Int {
    let count = min(end - start, target.byteCount, countMax)
    if count > 0 {
      unsafe target.withUnsafeMutableBytes { unsafe $0.copyBytes(from: ahead.prefix(count)) }
      skip(count)
      return count
    }
    let file = file
    let read = try unsafe target.withUnsafeMutableBytes { (bytes) throws(ImportError) in
      try unsafe Self.read(file, into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(countMax)))
    }
    offset += read
    return read
  }

  private static func read(_ file: ReadableFile, into target: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int
  {
    do throws(FileSystemError) { return try unsafe file.read(into: target) } catch {
      throw .cannotRead(file: file.name, errno: error.code)
    }
  }
}
