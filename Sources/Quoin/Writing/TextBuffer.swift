/// Text on its way to a sink: it collects in memory of a fixed size, which is handed on whenever it is full.
@safe struct TextBuffer: ~Copyable {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  private var count = 0

  init(byteCapacity: Int) {
    capacity = byteCapacity
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 16)
  }

  deinit { unsafe base.deallocate() }

  var freeByteCount: Int { capacity - count }

  /// Where the next byte goes. The next `freeByteCount` bytes may be written; `advance(to:)` then keeps them.
  var end: UnsafeMutableRawPointer { unsafe base + count }

  mutating func advance(to end: UnsafeMutableRawPointer) {
    count = unsafe end - base
    precondition(count <= capacity, "\(count) bytes of text written into \(capacity)")
  }

  /// Hands all bytes on. When the sink throws, they are dropped.
  mutating func flush(to sink: QuoteFormatter.Sink) throws {
    guard count > 0 else { return }
    defer { count = 0 }
    try unsafe sink(UnsafeRawBufferPointer(start: base, count: count).bytes)
  }

  mutating func append(_ bytes: [UInt8], to sink: QuoteFormatter.Sink) throws {
    if bytes.count > freeByteCount { try flush(to: sink) }
    try unsafe bytes.withUnsafeBytes { bytes in
      if bytes.count > capacity { return try unsafe sink(bytes.bytes) }
      // Sound: there is room, for what is longer was handed on or flushed for.
      if let start = bytes.baseAddress { unsafe end.copyMemory(from: start, byteCount: bytes.count) }
      count += bytes.count
    }
  }

  mutating func append(_ text: String, to sink: QuoteFormatter.Sink) throws { try append(Array(text.utf8), to: sink) }
}
