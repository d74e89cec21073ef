/// Reads ticker symbols, and knows the last one by its spelling.
struct TickerParser {
  static let missing = "the ticker is missing"
  static let notText = "a ticker is a text in quotes"

  private(set) var symbol: TickerSymbol?
  private(set) var spelling: [UInt8] = []
  /// The spelling's first bytes, at most 8, and a mask of the bits they take in a word.
  private var word: UInt64 = 0
  private var mask: UInt64 = 0

  /// The number of bytes of the last spelling.
  var byteCount: Int { spelling.count }

  /// The last symbol if `text` spells it.
  @inline(__always)
  func repeated(_ text: TextView) -> TickerSymbol? { text.elementsEqual(spelling) ? symbol : nil }

  /// Whether a text begins with the last symbol's spelling: its first 8 bytes, as a little-endian word, and the bytes at
  /// further offsets, each of which is asked for only if all bytes before it are those of the spelling. The caller has to
  /// look at what follows it.
  @inline(__always)
  func isRepeated(_ text: UInt64, further: (Int) -> UInt8) -> Bool {
    guard (text ^ word) & mask == 0, mask != 0 else { return false }
    return byteCount <= 8 || (8..<byteCount).allSatisfy { further($0) == spelling[$0] }
  }

  /// The symbol that the whole of `text` spells.
  ///
  /// - Parameters:
  ///   - signs: what takes the place of some signs.
  ///   - suffix: what is taken off the end.
  mutating func parse(
    _ text: TextView, replacing signs: [UInt8: UInt8] = [:], without suffix: [UInt8] = []
  ) throws(TickerSymbolError) -> TickerSymbol {
    if let symbol, text.elementsEqual(spelling) { return symbol }
    let hasSuffix = !suffix.isEmpty && text.count > suffix.count && text.suffix(suffix.count).elementsEqual(suffix)
    let own = hasSuffix ? text.part(0..<(text.count - suffix.count)) : text
    let parsed = signs.isEmpty ? try TickerSymbol(utf8: own) : try TickerSymbol(utf8: own.map { signs[$0] ?? $0 })
    spelling.replaceSubrange(0..., with: text)
    symbol = parsed
    word = spelling.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    mask = .max >> UInt64(64 - 8 * min(spelling.count, 8))
    return parsed
  }
}
