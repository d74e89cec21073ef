/// The symbol under which a stock is traded, as its source spells it: `FDX`, `BRK.A`, `^GSPC`, `EURUSD=X`.
///
/// An open set: any 1 to 32 visible ASCII characters without commas, quotation marks, apostrophes, slashes and backslashes,
/// so that no text format has to escape a symbol. Lower case becomes upper case, and nothing else changes: `BRK.A`, `BRK-A`
/// and `BRK_A` are three tickers. A symbol is data and never a path, but it may be part of an address or of a file's name;
/// so `.` and `..` are refused, which name directories there.
///
/// A symbol is stored inline, in 32 bytes. The order is that of the bytes.
public struct TickerSymbol: Sendable, BitwiseCopyable {
  /// The zero-padded bytes as big-endian words, so that the order of the integers is that of the bytes.
  typealias Words = (UInt64, UInt64, UInt64, UInt64)
  let words: Words

  /// The ticker that `text` spells.
  ///
  /// - Throws: `TickerSymbolError` if `text` is empty, too long, or has a character that no symbol has.
  public init(_ text: some StringProtocol) throws(TickerSymbolError) {
    self = try Self(utf8: text.utf8)
  }

  /// The ticker that these UTF-8 bytes spell.
  ///
  /// - Throws: `TickerSymbolError` if there are no bytes, too many, or one that no symbol has.
  public init(utf8 bytes: some Sequence<UInt8>) throws(TickerSymbolError) {
    var words: Words = (0, 0, 0, 0)
    var count = 0
    for byte in bytes {
      guard count < Limits.tickerByteCount else { throw TickerSymbolError(bytes, .tooLong) }
      guard let canonical = Self.canonical(byte) else { throw TickerSymbolError(bytes, .badCharacter) }
      Self.set(canonical, at: count, of: &words)
      count += 1
    }
    self.words = words
    guard count > 0 else { throw TickerSymbolError(bytes, .empty) }
    guard !isDots else { throw TickerSymbolError(bytes, .dots) }
  }

  /// The ticker with these stored words; nil if no ticker is stored like that.
  init?(stored words: Words) {
    self.words = words
    let count = byteCount
    guard count > 0, !isDots, words.1 != 0 || words.2 == 0, words.2 != 0 || words.3 == 0 else { return nil }
    for index in 0..<count where Self.canonical(self[index]) != self[index] { return nil }
  }

  /// The symbol whose first bytes these are, at most 32 of them, which aren't checked.
  init(unchecked bytes: some Sequence<UInt8>) {
    var words: Words = (0, 0, 0, 0)
    for (index, byte) in bytes.enumerated() { Self.set(byte, at: index, of: &words) }
    self.words = words
  }

  /// The byte as symbols have it, in upper case; nil if no symbol has it.
  package static func canonical(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\\"): nil
    case 0x21...0x7E: byte
    default: nil
    }
  }

  private static func set(_ byte: UInt8, at index: Int, of words: inout Words) {
    let bits = UInt64(byte) << UInt64(56 - 8 * (index % 8))
    switch index / 8 {
    case 0: words.0 |= bits
    case 1: words.1 |= bits
    case 2: words.2 |= bits
    default: words.3 |= bits
    }
  }

  /// The number of characters, which are bytes.
  var byteCount: Int {
    if words.1 == 0 { return 8 - words.0.trailingZeroBitCount / 8 }
    if words.2 == 0 { return 16 - words.1.trailingZeroBitCount / 8 }
    if words.3 == 0 { return 24 - words.2.trailingZeroBitCount / 8 }
    return 32 - words.3.trailingZeroBitCount / 8
  }

  /// Byte `index` of 32; those after the last character are zero.
  subscript(index: Int) -> UInt8 {
    let word =
      switch index / 8 {
      case 0: words.0
      case 1: words.1
      case 2: words.2
      default: words.3
      }
    return UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8)))
  }

  /// The bytes of the spelling.
  package var utf8: [UInt8] { (0..<byteCount).map { self[$0] } }

  /// Whether this is `.` or `..`, which may be stored nowhere.
  private var isDots: Bool { words.0 == 0x2E << 56 || words.0 == 0x2E2E << 48 }
}

extension TickerSymbol: Hashable {
  /// Whether both are spelled alike.
  public static func == (a: Self, b: Self) -> Bool { a.words == b.words }

  /// Hashes the words in use. A word that ends in a zero byte is the last of these, so the words of one symbol never begin
  /// with those of another.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    guard words.0 & 0xFF != 0 else { return }
    hasher.combine(words.1)
    guard words.1 & 0xFF != 0 else { return }
    hasher.combine(words.2)
    guard words.2 & 0xFF != 0 else { return }
    hasher.combine(words.3)
  }
}

extension TickerSymbol: Comparable {
  /// Whether `a` comes before `b`, by the bytes of their spellings.
  public static func < (a: Self, b: Self) -> Bool { a.words < b.words }
}

extension TickerSymbol: CustomStringConvertible {
  /// The spelling, in upper case.
  public var description: String { String(decoding: utf8, as: UTF8.self) }
}

extension TickerSymbol: ExpressibleByStringLiteral {
  /// The ticker that a literal spells. Traps when the literal is no symbol; use `init(_:)` for text from outside.
  public init(stringLiteral text: String) {
    do { self = try Self(text) } catch { preconditionFailure("\(error)") }
  }
}

/// Why a text is not a ticker symbol.
public struct TickerSymbolError: Error, Hashable, Sendable, CustomStringConvertible {
  enum Reason: Hashable, Sendable {
    case empty, tooLong, badCharacter, dots
  }

  /// What reasons say of texts that no ticker can be.
  static let notATicker = "isn't a ticker"

  /// The text's first 40 bytes, as it was given.
  public let text: String
  let reason: Reason

  init(_ bytes: some Sequence<UInt8>, _ reason: Reason) {
    text = String(decoding: Array(bytes.prefix(40)), as: UTF8.self)
    self.reason = reason
  }

  /// The text, what is wrong with it, and what a symbol looks like.
  public var description: String {
    let text = text.printable
    return switch reason {
    case .empty: "the ticker is empty; write a symbol such as FDX"
    case .tooLong: "ticker '\(text)' has more than \(Limits.tickerByteCount) characters"
    case .badCharacter:
      "'\(text)' \(Self.notATicker): a symbol has only ASCII characters, and no space, comma, quote, slash or backslash"
    case .dots: "'\(text)' \(Self.notATicker): it would name a directory"
    }
  }
}
