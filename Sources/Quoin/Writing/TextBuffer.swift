/// Text that grows at its end.
struct GrowingText {
  private var memory: [UInt8]
  private(set) var byteCount = 0

  init(byteCapacity: Int = 0) { memory = Array(repeating: 0, count: byteCapacity) }

  var bytes: ArraySlice<UInt8> { memory[..<byteCount] }

  /// Appends what `write` writes at the end of the text: it is given the memory, in which at least `byteCountMax` bytes
  /// are free, and the end, and returns the new end.
  @inline(__always)
  mutating func append(upTo byteCountMax: Int, _ write: (inout MutableRawSpan, Int) -> Int) {
    if memory.count - byteCount < byteCountMax { grow(byteCountMax) }
    let start = byteCount
    byteCount = memory.withMutableRawSpan { write(&$0, start) }
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if memory.count - byteCount < bytes.count { grow(bytes.count) }
    memory.replaceSubrange(byteCount..<(byteCount + bytes.count), with: bytes)
    byteCount += bytes.count
  }

  mutating func removeAll() { byteCount = 0 }

  /// Calls `body` with the text.
  func read(_ body: (RawSpan) throws -> Void) rethrows {
    try memory.withRawSpan { try body($0.extracting(0..<byteCount)) }
  }

  @inline(never)
  private mutating func grow(_ byteCountMax: Int) {
    memory += Array(repeating: 0, count: max(memory.count, byteCountMax))
  }
}

/// Text on its way to a sink: it collects in about 64 KiB of memory, which is handed on as a chunk whenever it is full.
struct TextBuffer {
  private static let byteCapacity = 1 << 16

  private var text = GrowingText(byteCapacity: byteCapacity)
  private let sink: QuoteFormatter.Sink

  init(sink: @escaping QuoteFormatter.Sink) { self.sink = sink }

  /// Appends what `write` writes: it is given the memory, in which at least `byteCountMax` bytes are free, and where to
  /// begin, and returns where it ended.
  @inline(__always)
  mutating func append(upTo byteCountMax: Int, _ write: (inout MutableRawSpan, Int) -> Int) throws {
    if text.byteCount + byteCountMax > Self.byteCapacity { try flush() }
    text.append(upTo: byteCountMax, write)
  }

  mutating func append(_ string: String) throws { try append(Array(string.utf8)[...]) }

  mutating func append(_ bytes: ArraySlice<UInt8>) throws {
    var rest = bytes
    while !rest.isEmpty {
      if text.byteCount >= Self.byteCapacity { try flush() }
      let free = Self.byteCapacity - text.byteCount
      text.append(rest.prefix(free))
      rest = rest.dropFirst(free)
    }
  }

  /// Hands all bytes on. When the sink throws, they are dropped.
  mutating func flush() throws {
    guard text.byteCount > 0 else { return }
    defer { text.removeAll() }
    try text.read(sink)
  }
}
