#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whole lines of a file, in memory of their own.
///
/// After lines of which the last lacks its line feed one can be read, as the parsers ask for, and after any lines as many
/// bytes as the fast reading of a cell looks at.
@safe final class TextPiece: @unchecked Sendable {
  // Sound to share: once the reader has handed the piece out, nobody writes to it.
  fileprivate let memory: UnsafeMutableRawBufferPointer
  fileprivate var byteCount = 0

  fileprivate init(capacity: Int) {
    unsafe memory = .allocate(byteCount: capacity + DecimalWords.readableByteCount, alignment: 16)
    // Sound: there are `readableByteCount` bytes behind the capacity, and `byteCount` never passes it.
    let padding = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[capacity...])
    unsafe padding.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  fileprivate var capacity: Int { unsafe memory.count - DecimalWords.readableByteCount }

  /// The lines; good as long as the piece is.
  var text: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<byteCount]) }
}

/// A file, or a text in memory, as pieces of whole lines.
///
/// The beginning of a line that comes after a piece is copied to the front of the next one, where more is read behind it.
struct LineReader: ~Copyable {
  /// What errors call the text: the path, or `standard input`.
  let file: String
  /// Bytes of text, or nil for a stream and a packed file, where nobody knows.
  let totalByteCount: Int?
  /// Nil for a text in memory.
  private var input: InputFile?
  private let readByteCount: Int
  private let lineByteCountMax: Int
  /// The text that is read and not yet handed out.
  private var piece: TextPiece
  private var isAtEnd = false
  /// Bytes of text read.
  private(set) var byteCount = 0

  init(_ input: consuming InputFile, readByteCount: Int, lineByteCountMax: Int) {
    file = input.name
    totalByteCount = input.totalByteCount
    self.input = consume input
    self.readByteCount = max(readByteCount, 1)
    self.lineByteCountMax = lineByteCountMax
    piece = TextPiece(capacity: self.readByteCount)
  }

  /// A text that is in memory; all of it is the first piece.
  init(_ bytes: [UInt8], name: String, lineByteCountMax: Int) {
    file = name
    totalByteCount = bytes.count
    input = nil
    readByteCount = 1
    self.lineByteCountMax = lineByteCountMax
    piece = TextPiece(capacity: bytes.count)
    unsafe piece.memory.copyBytes(from: bytes)
    piece.byteCount = bytes.count
    byteCount = bytes.count
    isAtEnd = true
  }

  /// The next whole lines; nil at the end. Only the file's last line may lack its line feed.
  ///
  /// - Throws: `ImportError.lineTooLong`, with the first line of those that come next as line 1.
  mutating func nextLines() throws(ImportError) -> TextPiece? {
    while true {
      if let end = lastLineFeed { return take(upTo: end + 1) }
      if isAtEnd { return piece.byteCount == 0 ? nil : take(upTo: piece.byteCount) }
      if piece.byteCount > lineByteCountMax {
        throw .lineTooLong(file: file, line: 1, byteCountMax: lineByteCountMax)
      }
      try readMore()
    }
  }

  /// The first bytes of what comes next: a whole line, or `byteCountMax` bytes, or all there is.
  mutating func peek(byteCountMax: Int) throws(ImportError) -> [UInt8] {
    while !isAtEnd, piece.byteCount < byteCountMax, lastLineFeed == nil { try readMore() }
    return unsafe Array(piece.text.prefix(byteCountMax))
  }

  /// All the bytes that come next.
  mutating func readAll(byteCountMax: Int) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(totalByteCount ?? 0, byteCountMax))
    repeat {
      unsafe bytes.append(contentsOf: piece.text)
      piece.byteCount = 0
      guard bytes.count <= byteCountMax else { throw .documentTooLong(file: file, byteCountMax: byteCountMax) }
      if !isAtEnd { try readMore() }
    } while piece.byteCount > 0
    return bytes
  }

  /// Hands out the text before `end`, and begins the next piece with the rest.
  private mutating func take(upTo end: Int) -> TextPiece {
    let taken = piece
    let rest = unsafe UnsafeRawBufferPointer(rebasing: taken.memory[end..<taken.byteCount])
    piece = TextPiece(capacity: rest.count + readByteCount)
    unsafe piece.memory.copyMemory(from: rest)
    piece.byteCount = rest.count
    taken.byteCount = end
    // Behind a last line without a line feed nothing is spoilt, behind any other line it does no harm.
    unsafe taken.memory[end] = UInt8(ascii: "\n")
    return taken
  }

  private mutating func readMore() throws(ImportError) {
    if piece.byteCount + readByteCount > piece.capacity { grow() }
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: piece.memory[piece.byteCount..<piece.capacity])
    let count = try unsafe input?.read(into: UnsafeMutableRawBufferPointer(rebasing: free[..<readByteCount])) ?? 0
    byteCount += count
    isAtEnd = count == 0
    piece.byteCount += count
  }

  private mutating func grow() {
    let larger = TextPiece(capacity: 2 * piece.byteCount + readByteCount)
    unsafe larger.memory.copyMemory(from: piece.text)
    larger.byteCount = piece.byteCount
    piece = larger
  }

  private var lastLineFeed: Int? {
    let text = unsafe piece.text
    var index = text.count
    while index > 0 {
      index -= 1
      if unsafe text[index] == UInt8(ascii: "\n") { return index }
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
