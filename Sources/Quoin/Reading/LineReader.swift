/// A file, or a text in memory, as chunks of whole lines.
///
/// The beginning of a line that follows a chunk is copied to the front of the next chunk, and reading goes on after it.
struct LineReader: ~Copyable {
  /// What errors call the text: the path, or `standard input`; with the name in an archive of several files.
  private(set) var file: String
  /// The number of bytes of text, or nil for a stream and a packed file, whose length is unknown.
  let totalByteCount: Int?
  /// Nil for a text in memory.
  private var input: InputFile?
  private let readByteCount: Int
  private let lineByteCountMax: Int
  /// The text that was read and isn't handed out yet.
  private var chunk: TextChunk
  private var isAtEnd = false
  /// What is done to the bytes that are read; nil while the first of a file aren't there.
  private var form: TextForm?
  /// The number of bytes of text read.
  private(set) var byteCount = 0

  /// How the file is packed; nil if it isn't.
  let packing: Packing?

  /// The name of the file in an archive that is being read.
  private(set) var entryName: String?

  /// The names in the archive of files that are passed over.
  mutating func takePassedOver() -> [String] { input?.takePassedOver() ?? [] }

  /// Begins the next file of an archive, after the one before is read to its end.
  ///
  /// - Returns: whether there is one.
  mutating func beginEntry() throws(ImportError) -> Bool {
    guard isAtEnd, let (name, entry) = try input?.beginEntry() else { return false }
    (file, entryName, isAtEnd, byteCount, form) = (name, entry, false, 0, nil)
    return true
  }

  init(_ input: consuming InputFile, readByteCount: Int, lineByteCountMax: Int) {
    (file, entryName, packing) = (input.name, input.entryName, input.packing)
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
    packing = nil
    readByteCount = 1
    self.lineByteCountMax = lineByteCountMax
    chunk = TextChunk(capacity: bytes.count)
    chunk.append(bytes)
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
    return chunk.withText { Array($0.prefix(byteCountMax)) }
  }

  /// Finds out by the first bytes how the text is encoded and how its lines end. From here on the text is in UTF-8, with line feeds.
  mutating func recognizeForm(byteCountMax: Int) throws(ImportError) {
    var form = TextForm(of: try peek(byteCountMax: byteCountMax))
    if !form.isUTF8 {
      let text = form.decoded(chunk.withText { Array($0) })
      chunk = TextChunk(capacity: text.count + readByteCount)
      chunk.append(text)
    }
    if !form.isPlain { chunk.normalize(from: 0, &form) }
    self.form = form
  }

  /// Lets line feeds in quotation marks belong to their cells, from `start` of the next bytes on.
  mutating func joinQuotedLines(from start: Int) {
    var form = form ?? TextForm(of: [])
    form.joinsQuotedLines = true
    chunk.normalize(from: min(start, chunk.byteCount), &form)
    self.form = form
  }

  /// Reads so many bytes ahead, or all that are left.
  mutating func readAhead(byteCount: Int) throws(ImportError) {
    while !isAtEnd, chunk.byteCount < byteCount || lastLineFeed == nil {
      if lastLineFeed == nil, chunk.byteCount > lineByteCountMax {
        throw .lineTooLong(file: file, line: 1, byteCountMax: lineByteCountMax)
      }
      try readMore()
    }
  }

  /// Calls `body` with the whole lines that were read ahead, and whether they are all of the file's.
  func withLinesAhead<Result>(_ body: (TextView, Bool) throws(ImportError) -> Result) throws(ImportError) -> Result {
    let isWhole = isAtEnd
    let end = isWhole ? nil : lastLineFeed
    return try chunk.withText { (text) throws(ImportError) in
      try body(end.map { text.part(0..<($0 + 1)) } ?? text, isWhole)
    }
  }

  /// Whether more than so many bytes are left, which are read ahead for that.
  mutating func has(moreThan byteCountMax: Int) throws(ImportError) -> Bool {
    if !isAtEnd, let total = totalByteCount, total <= byteCountMax { grow(to: total + readByteCount) }
    while !isAtEnd, chunk.byteCount <= byteCountMax { try readMore() }
    return chunk.byteCount > byteCountMax
  }

  /// Calls `body` with all that was read ahead, and whether the text ends with it.
  func withTextAhead<Result>(_ body: (TextView, Bool) throws(ImportError) -> Result) throws(ImportError) -> Result {
    let isWhole = isAtEnd
    return try chunk.withText { (text) throws(ImportError) in try body(text, isWhole) }
  }

  /// Passes over bytes that were read ahead.
  mutating func skip(_ byteCount: Int) { chunk.removeFirst(byteCount) }

  /// Reads at least so many bytes more, or all that are left.
  mutating func readMore(byteCount: Int) throws(ImportError) {
    let wanted = chunk.byteCount + max(byteCount, 1)
    while !isAtEnd, chunk.byteCount < wanted { try readMore() }
  }

  /// All text that is left, whether or not its lines are whole.
  mutating func readAll(byteCountMax: Int) throws(ImportError) -> TextChunk {
    guard try !has(moreThan: byteCountMax) else { throw .documentTooLong(file: file, byteCountMax: byteCountMax) }
    return take(upTo: chunk.byteCount)
  }

  /// Hands out the text before `end`, and begins the next chunk with the rest.
  private mutating func take(upTo end: Int) -> TextChunk {
    let taken = chunk
    let next = TextChunk(capacity: taken.byteCount - end + readByteCount)
    taken.withText { next.append($0.part(from: end)) }
    taken.end(at: end)
    chunk = next
    return taken
  }

  private mutating func readMore() throws(ImportError) {
    if chunk.byteCount + readByteCount > chunk.capacity { grow(to: 2 * chunk.byteCount + readByteCount) }
    let start = chunk.byteCount
    let count = try chunk.append(upTo: readByteCount, from: &input)
    byteCount += count
    isAtEnd = count == 0
    guard var form, !form.isPlain, count > 0 else { return }
    if !form.isUTF8 {
      let text = form.decoded(chunk.removeLast(count))
      if chunk.byteCount + text.count > chunk.capacity { grow(to: 2 * (chunk.byteCount + text.count)) }
      chunk.append(text)
    }
    chunk.normalize(from: start, &form)
    self.form = form
  }

  private mutating func grow(to capacity: Int) {
    if capacity <= chunk.capacity { return }
    let larger = TextChunk(capacity: capacity)
    chunk.withText { larger.append($0) }
    chunk = larger
  }

  private var lastLineFeed: Int? { chunk.withText { $0.lastIndex(of: UInt8(ascii: "\n")) } }
}
