/// Reads ticker symbols, and knows the last one by its spelling.
struct TickerParser {
  // Sound: callers say how many bytes are readable at the places that are compared.

  static let missing = "the ticker is missing"
  static let notText = "a ticker is a text in quotes"

  private(set) var symbol: TickerSymbol?
  private var spelling: [UInt8] = []
  /// The spelling's first bytes, at most 8, and a mask of the bits they take in a word.
  private var word: UInt64 = 0
  private var mask: UInt64 = 0

  /// The number of bytes of the last spelling.
  var byteCount: Int { spelling.count }

  /// The last symbol if its spelling is at `start`, where `byteCount` bytes can be read.
  @inline(__always)
  func repeated(at start: UnsafePointer<UInt8>) -> TickerSymbol? {
    for index in spelling.indices where unsafe start[index] != spelling[index] { return nil }
    return symbol
  }

  /// Whether the last symbol's spelling is at `start`, where 8 bytes can be read, and as many as there are before the
  /// next line feed. The caller has to look at what follows it.
  @inline(__always)
  func isRepeated(at start: UnsafeRawPointer) -> Bool {
    let text = unsafe UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    guard (text ^ word) & mask == 0, mask != 0 else { return false }
    return unsafe byteCount <= 8 || repeated(at: start.assumingMemoryBound(to: UInt8.self)) != nil
  }

  /// The symbol that the whole of `text` spells.
  mutating func parse(_ text: UnsafeRawBufferPointer) throws(TickerSymbolError) -> TickerSymbol {
    if let symbol, unsafe text.elementsEqual(spelling) { return symbol }
    let parsed = try unsafe TickerSymbol(utf8: text)
    unsafe spelling.replaceSubrange(0..., with: text)
    symbol = parsed
    word = spelling.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    mask = .max >> UInt64(64 - 8 * min(spelling.count, 8))
    return parsed
  }
}
