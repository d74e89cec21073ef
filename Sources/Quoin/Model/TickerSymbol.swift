/// The symbol under which a stock is traded, in Quandl's WIKI spelling: `FDX`, `BRK_A`.
///
/// An open set: any symbol of 1 to 16 letters, digits and underscores that begins with a letter or digit. The
/// canonical form is upper case with an underscore before a share class, so `brk.a`, `BRK-A` and `BRK_A` are one
/// ticker. A symbol is stored inline as 16 zero-padded bytes; comparing two is comparing two integers, and the order
/// is that of the bytes. A ticker is data and never becomes part of a path.
public struct TickerSymbol: Hashable, Sendable, BitwiseCopyable {
  /// The first and the last 8 bytes, big-endian, so that integer order is byte order.
  let high: UInt64
  let low: UInt64

  /// The ticker that `text` spells.
  ///
  /// - Throws: `TickerSymbolError` when `text` is empty, too long, or has a character that no symbol has.
  public init(_ text: some StringProtocol) throws(TickerSymbolError) {
    self = try Self(utf8: text.utf8)
  }

  /// The ticker that these UTF-8 bytes spell.
  ///
  /// - Throws: `TickerSymbolError` when there are no bytes, too many, or one that no symbol has.
  public init(utf8 bytes: some Sequence<UInt8>) throws(TickerSymbolError) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var count = 0
    for byte in bytes {
      guard count < Limits.tickerByteCount else { throw TickerSymbolError(bytes, .tooLong) }
      guard let canonical = Self.canonicalByte(byte, first: count == 0) else {
        throw TickerSymbolError(bytes, .badCharacter(byte))
      }
      if count < 8 {
        high |= UInt64(canonical) << UInt64(56 - 8 * count)
      } else {
        low |= UInt64(canonical) << UInt64(56 - 8 * (count - 8))
      }
      count += 1
    }
    guard count > 0 else { throw TickerSymbolError(bytes, .empty) }
    self.high = high
    self.low = low
  }

  /// The ticker with these stored words, or nil when they are not a canonical symbol.
  init?(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
    guard let parsed = try? TickerSymbol(utf8: utf8), parsed == self else { return nil }
  }

  /// The canonical spelling's bytes.
  var utf8: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Limits.tickerByteCount)
    for word in [high, low] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        let byte = UInt8(truncatingIfNeeded: word >> shift)
        if byte != 0 { bytes.append(byte) }
      }
    }
    return bytes
  }

  private static func canonicalByte(_ byte: UInt8, first: Bool) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
    case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"): first ? nil : UInt8(ascii: "_")
    default: nil
    }
  }
}

extension TickerSymbol: Comparable {
  /// Whether `a` comes before `b`, by the bytes of the canonical spellings.
  public static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension TickerSymbol: CustomStringConvertible {
  /// The canonical spelling.
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
    case empty
    case tooLong
    case badCharacter(UInt8)
  }

  /// The text's first 40 bytes, as it was given.
  public let text: String
  let reason: Reason

  init(_ bytes: some Sequence<UInt8>, _ reason: Reason) {
    text = String(decoding: Array(bytes.prefix(40)), as: UTF8.self)
    self.reason = reason
  }

  /// The text, what is wrong with it, and what a symbol looks like.
  public var description: String {
    switch reason {
    case .empty: "the ticker is empty; write a symbol such as FDX"
    case .tooLong: "ticker '\(text)' has more than \(Limits.tickerByteCount) characters"
    case .badCharacter:
      "'\(text)' isn't a ticker: a symbol begins with a letter or digit and has only letters, digits, '_', '.' and '-'"
    }
  }
}
