#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file as pieces of whole lines.
///
/// One buffer holds the piece being parsed; the beginning of a line that follows moves to the front before more is
/// read.
/// After a piece that lacks its last line feed one can be read, as the parsers ask for.
@safe struct LineReader: ~Copyable {
  private var input: InputFile
  private let readByteCount: Int
  private let lineByteCountMax: Int
  private var buffer: UnsafeMutableRawBufferPointer
  /// The text that is read and not yet handed out.
  private var pending = 0..<0
  private var isAtEnd = false
  /// Bytes of text read.
  private(set) var byteCount = 0

  init(_ input: consuming InputFile, readByteCount: Int, lineByteCountMax: Int) {
    self.input = input
    self.readByteCount = max(readByteCount, 1)
    self.lineByteCountMax = lineByteCountMax
    unsafe buffer = Self.allocate(self.readByteCount)
  }

  deinit { unsafe buffer.deallocate() }

  var file: String { input.name }
  var totalByteCount: Int? { input.totalByteCount }

  /// The next whole lines, good until the next call; nil at the end. Only the file's last line may lack its line feed.
  ///
  /// - Throws: `ImportError.lineTooLong` for line `number`, the next one's number.
  mutating func nextLines(number: Int) throws(ImportError) -> UnsafeRawBufferPointer? {
    while true {
      if let end = lastLineFeed(in: pending) { return unsafe take(upTo: end + 1) }
      if isAtEnd { return pending.isEmpty ? nil : unsafe take(upTo: pending.upperBound) }
      if pending.count > lineByteCountMax {
        throw .lineTooLong(file: file, line: number, byteCountMax: lineByteCountMax)
      }
      try readMore()
    }
  }

  /// The first bytes of what comes next: a whole line, or `byteCountMax` bytes, or all there is.
  mutating func peek(byteCountMax: Int) throws(ImportError) -> [UInt8] {
    while !isAtEnd, pending.count < byteCountMax, lastLineFeed(in: pending) == nil { try readMore() }
    return unsafe Array(buffer[pending].prefix(byteCountMax))
  }

  /// All the bytes that come next.
  mutating func readAll(byteCountMax: Int) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(input.totalByteCount ?? 0, byteCountMax))
    repeat {
      unsafe bytes.append(contentsOf: unsafe buffer[pending])
      pending = 0..<0
      guard bytes.count <= byteCountMax else { throw .documentTooLong(file: file, byteCountMax: byteCountMax) }
      if !isAtEnd { try readMore() }
    } while !pending.isEmpty
    return bytes
  }

  private mutating func take(upTo end: Int) -> UnsafeRawBufferPointer {
    let start = pending.lowerBound
    // Behind the last line there is nothing to spoil; behind any other one the line feed is already there.
    if end == pending.upperBound { unsafe buffer[end] = UInt8(ascii: "\n") }
    pending = end..<pending.upperBound
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<end])
  }

  private mutating func readMore() throws(ImportError) {
    if pending.lowerBound > 0 {
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[pending]))
      pending = 0..<pending.count
    }
    if unsafe pending.count + readByteCount > buffer.count - Self.paddingByteCount { grow() }
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[pending.count..<pending.count + readByteCount])
    let count = try unsafe input.read(into: free)
    byteCount += count
    isAtEnd = count == 0
    pending = 0..<pending.count + count
  }

  private mutating func grow() {
    let larger = unsafe Self.allocate(2 * pending.count + readByteCount)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[pending]))
    unsafe buffer.deallocate()
    unsafe buffer = larger
  }

  private static func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount + paddingByteCount, alignment: 16)
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
    return unsafe buffer
  }

  private static let paddingByteCount = 1

  private func lastLineFeed(in range: Range<Int>) -> Int? {
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      if unsafe buffer[index] == UInt8(ascii: "\n") { return index }
    }
    return nil
  }

  /// Where the line that starts at `start` ends: at its line feed, or the text's end.
  @inline(__always)
  static func lineEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = text.baseAddress,
      let found = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), text.count - start)
    else { return text.count }
    return unsafe UnsafeRawPointer(found) - base
  }
}
