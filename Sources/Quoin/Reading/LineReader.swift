#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whole lines of a file, in memory of their own.
///
/// The lines are followed by readable bytes, as the parsers require: by a line feed if the last line lacks its own, and by as
/// many bytes as the fast reading of a cell looks at.
@safe final class TextChunk: @unchecked Sendable {
  // Sound to share: once the reader has handed out the chunk, no one writes to it.
  fileprivate let memory: UnsafeMutableRawBufferPointer
  fileprivate var byteCount = 0

  fileprivate init(capacity: Int) {
    unsafe memory = .allocate(byteCount: capacity + DecimalWords.readableByteCount, alignment: 16)
    // Sound: `readableByteCount` bytes follow the capacity, which `byteCount` never exceeds.
    let padding = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[capacity...])
    unsafe padding.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  fileprivate var capacity: Int { unsafe memory.count - DecimalWords.readableByteCount }

  /// The lines; valid as long as the chunk is.
  var text: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<byteCount]) }
}

/// A file, or a text in memory, as chunks of whole lines.
///
/// The beginning of a line that follows a chunk is copied to the front of the next chunk, and reading goes on after it.
struct LineReader: ~Copyable {
  /// What errors call the text: the path, or `standard input`.
  let file: String
  /// The number of bytes of text, or nil for a stream and a packed file, whose length is unknown.
  let totalByteCount: Int?
  /// Nil for a text in memory.
  private var input: InputFile?
  private let readByteCount: Int
  private let lineByteCountMax: Int
  /// The text that was read and isn't handed out yet.
  private var chunk: TextChunk
  private var isAtEnd = false
  /// The number of bytes of text read.
  private(set) var byteCount = 0

  init(_ input: consuming InputFile, readByteCount: Int, lineByteCountMax: Int) {
    file = input.name
    totalByteCount = input.totalByteCount
    self.input = consume input
    self.readByteCount = max(readByteCount, 1)
    self.lineByteCountMax = lineByteCountMax
    chunk = TextChunk(capacity: self.readByteCount)
  }

  /// A text in memory, all of which is the first chunk.
  init(_ bytes: [UInt8], name: String, lineByteCountMax: Int) {
    file = name
    totalByteCount = bytes.count
    input = nil
    readByteCount = 1
    self.lineByteCountMax = lineByteCountMax
    chunk = TextChunk(capacity: bytes.count)
    unsafe chunk.memory.copyBytes(from: bytes)
    chunk.byteCount = bytes.count
    byteCount = bytes.count
    isAtEnd = true
  }

  /// The next whole lines; nil at the end. Only the file's last line may lack its line feed.
  ///
  /// - Throws: `ImportError.lineTooLong`, with the first line of those that come next as line 1.
  mutating func nextLines() throws(ImportError) -> TextChunk? {
    while true {
      if let end = lastLineFeed { return take(upTo: end + 1) }
      if isAtEnd { return chunk.byteCount == 0 ? nil : take(upTo: chunk.byteCount) }
      if chunk.byteCount > lineByteCountMax {
        throw .lineTooLong(file: file, line: 1, byteCountMax: lineByteCountMax)
      }
      try readMore()
    }
  }

  /// The next bytes, which aren't taken: at least a whole line, or `byteCountMax` bytes, or all that are left.
  mutating func peek(byteCountMax: Int) throws(ImportError) -> [UInt8] {
    while !isAtEnd, chunk.byteCount < byteCountMax, lastLineFeed == nil { try readMore() }
    return unsafe Array(chunk.text.prefix(byteCountMax))
  }

  /// All bytes that are left.
  mutating func readAll(byteCountMax: Int) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(totalByteCount ?? 0, byteCountMax))
    repeat {
      unsafe bytes.append(contentsOf: chunk.text)
      chunk.byteCount = 0
      guard bytes.count <= byteCountMax else { throw .documentTooLong(file: file, byteCountMax: byteCountMax) }
      if !isAtEnd { try readMore() }
    } while chunk.byteCount > 0
    return bytes
  }

  /// Hands out the text before `end`, and begins the next chunk with the rest.
  private mutating func take(upTo end: Int) -> TextChunk {
    let taken = chunk
    let rest = unsafe UnsafeRawBufferPointer(rebasing: taken.memory[end..<taken.byteCount])
    chunk = TextChunk(capacity: rest.count + readByteCount)
    unsafe chunk.memory.copyMemory(from: rest)
    chunk.byteCount = rest.count
    taken.byteCount = end
    // A last line may lack its line feed; after any other line, one more does no harm.
    unsafe taken.memory[end] = UInt8(ascii: "\n")
    return taken
  }

  private mutating func readMore() throws(ImportError) {
    if chunk.byteCount + readByteCount > chunk.capacity { grow() }
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: chunk.memory[chunk.byteCount..<chunk.capacity])
    let count = try unsafe input?.read(into: UnsafeMutableRawBufferPointer(rebasing: free[..<readByteCount])) ?? 0
    byteCount += count
    isAtEnd = count == 0
    chunk.byteCount += count
  }

  private mutating func grow() {
    let larger = TextChunk(capacity: 2 * chunk.byteCount + readByteCount)
    unsafe larger.memory.copyMemory(from: chunk.text)
    larger.byteCount = chunk.byteCount
    chunk = larger
  }

  private var lastLineFeed: Int? {
    let text = unsafe chunk.text
    var index = text.count
    while index > 0 {
      index -= 1
      if unsafe text[index] == UInt8(ascii: "\n") { return index }
    }
    return nil
  }

  /// Where the line that starts at `start` ends: at its line feed, or at the text's end.
  @inline(__always)
  static func lineEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = text.baseAddress,
      let found = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), text.count - start)
    else { return text.count }
    return unsafe UnsafeRawPointer(found) - base
  }
}
