/// The bytes of a file in order, with a look at the next ones before they are taken.
struct InputBytes: ~Copyable {
  private static let bufferByteCount = 64 << 10

  /// Nil for bytes in memory, all of which are ahead.
  private let file: ReadableFile?
  /// What errors call the file: the path, or `standard input`.
  let name: String
  /// The bytes ahead are `start ..< end`.
  private var buffer = [UInt8](repeating: 0, count: bufferByteCount)
  private var start = 0
  private var end = 0
  /// The offset of the next byte in the file.
  private(set) var offset = 0

  init(_ file: ReadableFile) { (self.file, name) = (file, ShownText.path(file.name)) }

  /// Bytes in memory.
  init(_ bytes: [UInt8], name: String) {
    (file, self.name) = (nil, ShownText.path(name))
    // A look ahead needs room for as much as it may ask for.
    buffer = bytes + [UInt8](repeating: 0, count: max(0, Self.bufferByteCount - bytes.count))
    end = bytes.count
  }

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
      let read = try buffer.withMutableRawSpan { (bytes) throws(ImportError) in
        try Self.read(file, into: &bytes, at: used)
      }
      if read == 0 { break }
      end += read
    }
    return end - start
  }

  /// Moves the bytes ahead, mostly none, in place: a slice of the buffer would copy all of it.
  private mutating func moveToFront() {
    for index in start..<end { buffer[index - start] = buffer[index] }
    (start, end) = (0, end - start)
  }

  /// The bytes ahead that were read.
  var ahead: ArraySlice<UInt8> { buffer[start..<end] }

  /// Calls `body` with the bytes ahead that were read.
  func withAhead<Result>(_ body: (RawSpan) -> Result) -> Result {
    buffer.withRawSpan { body($0.extracting(start..<end)) }
  }

  /// Passes over bytes ahead that were read.
  mutating func skip(_ count: Int) {
    precondition(count <= end - start)
    start += count
    offset += count
  }

  static let endsEarly = "the archive ends too early; it may be truncated"

  /// Takes exactly `count` bytes.
  ///
  /// - Throws: `ImportError.cannotUnpack` if the file ends before.
  mutating func take(_ count: Int) throws(ImportError) -> [UInt8] {
    guard try fill(count) >= count else {
      skip(end - start)
      throw error(Self.endsEarly)
    }
    defer { skip(count) }
    return Array(ahead.prefix(count))
  }

  /// Reads some bytes into `target`, at most `countMax`; 0 at the end. Neither `target` nor `countMax` is 0.
  mutating func read(into target: inout MutableRawSpan, countMax: Int = .max) throws(ImportError) -> Int {
    let count = min(end - start, target.byteCount, countMax)
    if count > 0 {
      for index in 0..<count { target.storeBytes(of: buffer[start + index], toByteOffset: index, as: UInt8.self) }
      skip(count)
      return count
    }
    let read = try Self.read(file, into: &target, at: 0, countMax: countMax)
    offset += read
    return read
  }

  private static func read(
    _ file: ReadableFile?, into target: inout MutableRawSpan, at start: Int, countMax: Int = .max
  ) throws(ImportError) -> Int {
    guard let file else { return 0 }
    do throws(FileSystemError) { return try file.read(into: &target, at: start, countMax: countMax) } catch {
      throw .cannotRead(file: ShownText.path(file.name), errno: error.code)
    }
  }
}
