#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Some bytes of a text in memory, which another object keeps.
@safe struct TextView: RandomAccessCollection {
  // Sound: each index is checked. The memory is kept while the closures run that get a view, and no view is stored longer.

  /// The bytes, for reading without checks.
  let bytes: UnsafeRawBufferPointer

  /// A view of bytes that outlive it.
  @unsafe init(unsafe bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

  /// Calls `body` with the bytes of `text`, in UTF-8.
  static func with<Result>(_ text: String, _ body: (TextView) throws -> Result) rethrows -> Result {
    var copy = text
    return try copy.withUTF8 { try body(unsafe TextView(unsafe: UnsafeRawBufferPointer($0))) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { unsafe bytes.count }
  var count: Int { endIndex }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    // One comparison: a negative index is a large one.
    precondition(UInt(bitPattern: index) < UInt(bitPattern: endIndex))
    return unsafe bytes[index]
  }

  /// Whether these are the same bytes.
  @inline(__always)
  func isEqual(to other: [UInt8]) -> Bool {
    guard count == other.count, let start = unsafe bytes.baseAddress else { return count == other.count }
    return unsafe memcmp(start, other, count) == 0
  }

  /// The 8 bytes from `index` on as a little-endian word.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= endIndex - 8)
    return unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// A part of the text, whose first byte has the index 0.
  @inline(__always)
  func part(_ range: Range<Int>) -> TextView {
    precondition(range.lowerBound >= 0 && range.upperBound <= endIndex)
    return unsafe TextView(unsafe: UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// The text from `index` on.
  @inline(__always)
  func part(from index: Int) -> TextView { part(index..<endIndex) }

  /// Whether a byte is in the text; some twenty times faster than `contains`.
  func has(_ byte: UInt8) -> Bool {
    guard let base = unsafe bytes.baseAddress, !isEmpty else { return false }
    return unsafe memchr(base, Int32(byte), endIndex) != nil
  }

  /// Where the line that starts at `start` ends: at its line feed, or at the text's end.
  @inline(__always)
  func lineEnd(from start: Int) -> Int {
    precondition(start >= 0 && start <= endIndex)
    guard let base = unsafe bytes.baseAddress,
      let found = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), endIndex - start)
    else { return endIndex }
    return unsafe UnsafeRawPointer(found) - base
  }
}

extension [UInt8] {
  /// Calls `body` with a view of the bytes.
  func withText<Result, Failure: Error>(_ body: (TextView) throws(Failure) -> Result) throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = unsafe withUnsafeBytes { bytes in
      do throws(Failure) { return .success(try body(unsafe TextView(unsafe: bytes))) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// Whole lines of a file, in memory of their own.
///
/// The lines are followed by readable bytes, as the fast reading of cells requires: by a line feed if the last line lacks its
/// own, and by as many bytes as a look at a cell takes.
@safe final class TextChunk: @unchecked Sendable {
  // Sound to share: once the reader has handed out the chunk, nothing writes to it. Sound to use: each range is checked, and
  // `readableByteCount` bytes follow the capacity, which `byteCount` never exceeds.
  private let memory: UnsafeMutableRawBufferPointer
  private let block: MemoryBlock
  private(set) var byteCount = 0

  /// The number of bytes that can be read from any place in the text on.
  static let readableByteCount = max(
    DecimalWords.readableByteCount, PlainDecimal.byteCountMax, Limits.tickerByteCount)

  init(capacity: Int) {
    block = MemoryPool.shared.take(capacity + Self.readableByteCount)
    unsafe memory = UnsafeMutableRawBufferPointer(start: block.address, count: capacity + Self.readableByteCount)
    let padding = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[capacity...])
    unsafe padding.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { MemoryPool.shared.giveBack(block) }

  var capacity: Int { unsafe memory.count - Self.readableByteCount }

  /// Calls `body` with the lines.
  func withText<Result, Failure: Error>(
    _ body: (TextView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(unsafe TextView(unsafe: UnsafeRawBufferPointer(rebasing: memory[..<byteCount])))
  }

  /// Appends bytes, for which there must be room.
  func append(_ text: TextView) {
    precondition(text.count <= capacity - byteCount)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[byteCount...]).copyMemory(from: text.bytes)
    byteCount += text.count
  }

  /// Appends bytes, for which there must be room.
  func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { append(unsafe TextView(unsafe: $0)) }
  }

  /// Reads at most `count` bytes from `input`, for which there must be room; returns how many, 0 at the end.
  func append(upTo count: Int, from input: inout InputFile?) throws(ImportError) -> Int {
    precondition(count <= capacity - byteCount)
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[byteCount..<byteCount + count])
    var span = unsafe room.mutableBytes
    let read = try input?.read(into: &span) ?? 0
    precondition(read <= count)
    byteCount += read
    return read
  }

  /// Cuts the text off at `end`, where a line feed is put: the last line may lack its own, and one more does no harm.
  func end(at end: Int) {
    precondition(end >= 0 && end <= byteCount)
    byteCount = end
    unsafe memory[end] = UInt8(ascii: "\n")
  }

  /// Removes the first `count` bytes; the others move to the front.
  func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= byteCount)
    guard count > 0, let base = unsafe memory.baseAddress else { return }
    unsafe memmove(base, base + count, byteCount - count)
    byteCount -= count
  }

  /// Removes the last `count` bytes.
  func removeLast(_ count: Int) -> [UInt8] {
    precondition(count >= 0 && count <= byteCount)
    byteCount -= count
    return unsafe Array(memory[byteCount..<byteCount + count])
  }

  /// Replaces the bytes from `start` on, each by what `form` makes of it.
  func normalize(from start: Int, _ form: inout TextForm) {
    precondition(start >= 0 && start <= byteCount)
    for index in start..<byteCount { unsafe memory[index] = form.normalized(memory[index]) }
  }

  /// Removes the text.
  func removeAll() { byteCount = 0 }
}
