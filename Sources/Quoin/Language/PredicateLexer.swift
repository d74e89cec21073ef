/// Cuts a predicate's text into tokens.
///
/// - A name begins with a letter and continues with letters, digits, `_`, `-` and `.`: `ex-dividend` is one name. Of a word
///   with a hyphen, the longest known name counts: `high-low` is a difference.
/// - A number begins with a digit, a point, or a sign directly before one of them, unless a value stands before the sign. Digits
///   with two `-` or `/` between them are a date. A date may also be quoted, and so is a ticker.
/// - `and or not inf nan` are words; the first three may also be written `&& || !`.
struct PredicateLexer {
  private let text: String
  private let bytes: [UInt8]
  /// The names that the text may use besides those of attributes.
  private let names: Set<String>
  private var position = 0
  private var isAfterValue = false

  private init(_ text: String, _ names: Set<String>) {
    self.text = text
    self.names = names
    bytes = Array(text.utf8)
  }

  /// The tokens of `text`, the last of them `.end`.
  static func tokens(of text: String, names: Set<String> = []) throws(PredicateSyntaxError) -> [PredicateToken] {
    guard text.utf8.count <= Limits.predicateByteCount else {
      let message = "the predicate has \(text.utf8.count) bytes, more than the \(Limits.predicateByteCount) allowed"
      throw PredicateSyntaxError(message: message, offset: 0, text: text)
    }
    var lexer = PredicateLexer(text, names)
    var tokens: [PredicateToken] = []
    repeat {
      let token = try lexer.next()
      lexer.isAfterValue = token.endsValue
      tokens.append(token)
    } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
    while let byte = peek(), byte == 32 || (9...13).contains(byte) { position += 1 }
    guard let byte = peek() else { return PredicateToken(kind: .end, range: position..<position) }
    if Self.isLetter(byte) { return word() }
    if !isAfterValue, let number = signedWord() { return number }
    if Self.isDigit(byte) || byte == UInt8(ascii: ".") || !isAfterValue && beginsNumber(at: position) {
      return try number()
    }
    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return try quoted(byte) }
    return try sign()
  }

  private mutating func word() -> PredicateToken {
    var range = take { Self.isLetter($0) || Self.isDigit($0) || "_-.".utf8.contains($0) }
    if let known = knownName(range) {
      range = known
      position = known.upperBound
    }
    let word = string(range).lowercased()
    let kind: PredicateToken.Kind =
      switch word {
      case "and": .and
      case "or": .or
      case "not": .not
      case "inf": .number(.infinity(isNegative: false))
      case "nan": .number(.notANumber)
      default: .word(word)
      }
    return PredicateToken(kind: kind, range: range)
  }

  /// The longest known name that a word with hyphens begins with.
  private func knownName(_ range: Range<Int>) -> Range<Int>? {
    // No name is longer than this.
    var end = min(range.upperBound, range.lowerBound + 64)
    while bytes[range.lowerBound..<end].contains(UInt8(ascii: "-")) {
      let name = string(range.lowerBound..<end)
      if Attribute(named: name) != nil { return range.lowerBound..<end }
      end = bytes[range.lowerBound..<end].lastIndex(of: UInt8(ascii: "-")) ?? range.lowerBound
    }
    let name = string(range.lowerBound..<end).lowercased()
    return Attribute(named: name) != nil || names.contains(name) || name == "date" ? range.lowerBound..<end : nil
  }

  /// `-inf`, `+inf`, `-nan`: the numbers that are words, with a sign.
  private mutating func signedWord() -> PredicateToken? {
    guard let sign = peek(), Self.isSign(sign), let after = peek(1), Self.isLetter(after) else { return nil }
    let start = position
    position += 1
    let word = word()
    let range = start..<position
    switch word.kind {
    case .number(.infinity):
      return PredicateToken(kind: .number(.infinity(isNegative: sign == UInt8(ascii: "-"))), range: range)
    case .number(.notANumber): return PredicateToken(kind: word.kind, range: range)
    default:
      position = start
      return nil
    }
  }

  /// A number or a date. It takes every character that could belong to one, so that an error shows all of it.
  private mutating func number() throws(PredicateSyntaxError) -> PredicateToken {
    let start = position
    let isDate = beginsDate()
    if Self.isSign(bytes[position]) { position += 1 }
    while let byte = peek() {
      let isSeparator = byte == UInt8(ascii: "/") || Self.isSign(byte)
      if isSeparator, !isDate, !(Self.isSign(byte) && isExponentMark(at: position - 1)) { break }
      guard isSeparator || Self.isDigit(byte) || Self.isLetter(byte) || "._%".utf8.contains(byte) else { break }
      position += 1
    }
    let range = start..<position
    if isDate { return PredicateToken(kind: .day(try day(range)), range: range) }
    guard let literal = DecimalLiteral(bytes[range]) else { throw error("\(quoted(range)) isn't a number", at: start) }
    return PredicateToken(kind: .number(.decimal(literal)), range: range)
  }

  /// Whether digits come, and a `-` or `/`, twice, and then a digit.
  private func beginsDate() -> Bool {
    var rest = bytes[position...]
    for _ in 0..<2 {
      let digits = rest.prefix(while: Self.isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "/") else { return false }
      rest = rest.dropFirst()
    }
    return rest.first.map(Self.isDigit) ?? false
  }

  private mutating func quoted(_ quote: UInt8) throws(PredicateSyntaxError) -> PredicateToken {
    let start = position
    position += 1
    let inside = take { $0 != quote }
    guard peek() == quote else { throw error("the quote is not closed", at: start) }
    position += 1
    let range = start..<position
    if let day = TradingDay(string(inside)) { return PredicateToken(kind: .day(day), range: range) }
    return PredicateToken(kind: .text(string(inside)), range: range)
  }

  private func day(_ range: Range<Int>) throws(PredicateSyntaxError) -> TradingDay {
    guard let day = TradingDay(string(range)) else {
      throw error("\(quoted(range)) isn't a date of the form YYYY-MM-DD", at: range.lowerBound)
    }
    return day
  }

  private mutating func sign() throws(PredicateSyntaxError) -> PredicateToken {
    for count in [2, 1] where position + count <= bytes.count {
      if let kind = Self.kind(ofSign: string(position..<position + count)) {
        position += count
        return PredicateToken(kind: kind, range: position - count..<position)
      }
    }
    switch bytes[position] {
    case UInt8(ascii: "&"): throw error("unexpected '&'; write 'and' or '&&'", at: position)
    case UInt8(ascii: "|"): throw error("unexpected '|'; write 'or' or '||'", at: position)
    default:
      let character = String(decoding: bytes[position...].prefix(32), as: UTF8.self).prefix(1)
      throw error("unexpected \(PredicateSyntaxError.quoted(Array(character.utf8)))", at: position)
    }
  }

  private static func kind(ofSign sign: String) -> PredicateToken.Kind? {
    switch sign {
    case "&&": .and
    case "||": .or
    case "!": .not
    case "(": .openParenthesis
    case ")": .closeParenthesis
    case "[": .openBracket
    case "]": .closeBracket
    case ",": .comma
    case ";": .semicolon
    case "+", "-", "*", "/", "^": RowFunction.named(sign).map { .arithmetic($0) }
    default: Comparison(symbol: sign).map { .comparison($0) }
    }
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  private func beginsNumber(at index: Int) -> Bool {
    let rest = bytes[index...].drop(while: Self.isSign).prefix(2)
    guard let first = rest.first, rest.startIndex - index <= 1 else { return false }
    return Self.isDigit(first) || first == UInt8(ascii: ".")
  }

  private func isExponentMark(at index: Int) -> Bool { bytes[index] | 0x20 == UInt8(ascii: "e") }

  private mutating func take(while belongs: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while let byte = peek(), belongs(byte) { position += 1 }
    return start..<position
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func quoted(_ range: Range<Int>) -> String { PredicateSyntaxError.quoted(bytes[range]) }

  private func error(_ message: String, at offset: Int) -> PredicateSyntaxError {
    PredicateSyntaxError(message: message, offset: offset, text: text)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
}
