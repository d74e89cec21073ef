/// Cuts a predicate's text into tokens.
///
/// - A name begins with a letter and continues with letters, digits, `_` and `.`. A hyphen belongs to it if the name with it is known:
///   `ex-dividend` is one name, and `high-low` a difference. So does the space of `Adj. Close`.
/// - A number begins with a digit or a point, and has no sign: a sign before it is an operator. Four digits, `-`, two digits, `-` and
///   two digits are a day. A day may also be quoted, and so is a ticker.
/// - `and or not inf nan` are words; the first three may also be written `&& || !`.
struct PredicateLexer {
  private let text: String
  private let bytes: [UInt8]
  /// The names that the text may use besides those of attributes.
  private let names: Set<String>
  private var position = 0

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
      tokens.append(try lexer.next())
    } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
    while let space = spaceByteCount { position += space }
    guard let byte = peek() else { return PredicateToken(kind: .end, range: position..<position) }
    if Self.isLetter(byte) { return word() }
    if Self.isDigit(byte) || byte == UInt8(ascii: ".") && bytes.dropFirst(position + 1).first.map(Self.isDigit) ?? false
    {
      return try number()
    }
    if let quote = Quote.all.first(where: { bytes[position...].starts(with: $0.opening.utf8) }) {
      return try quoted(quote)
    }
    return try sign()
  }

  private mutating func word() -> PredicateToken {
    let range = position..<wordEnd(at: position)
    position = range.upperBound
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

  /// Where the word ends that begins at `start`. Of the names that are known, the longest one counts. If none is, hyphens between
  /// letters belong to the word, so that an error shows all of it.
  private func wordEnd(at start: Int) -> Int {
    var ends = [partEnd(at: start)]
    // No known name is longer than this.
    while let end = ends.last, end - start < 64, end + 1 < bytes.count {
      let (sign, next) = (bytes[end], bytes[end + 1])
      guard sign == UInt8(ascii: "-") || sign == UInt8(ascii: " "), Self.isLetter(next) || Self.isDigit(next) else {
        break
      }
      ends.append(partEnd(at: end + 1))
    }
    if let known = ends.last(where: { isKnown(string(start..<$0).lowercased()) }) { return known }
    return ends.dropFirst().reduce(ends[0]) { end, next in
      bytes[end] == UInt8(ascii: "-") && Self.isLetter(bytes[end + 1]) && partEnd(at: end + 1) == next ? next : end
    }
  }

  /// Where letters, digits, underscores and points end.
  private func partEnd(at start: Int) -> Int {
    bytes[start...].firstIndex { !(Self.isLetter($0) || Self.isDigit($0) || "_.".utf8.contains($0)) } ?? bytes.count
  }

  private func isKnown(_ name: String) -> Bool {
    Attribute(named: name) != nil || Self.words.contains(name) || names.contains(name) && !name.contains(" ")
  }

  /// The words that end where a sign follows them, besides names.
  private static let words = PredicateParser.keywords.union([
    "and", "or", "not", "inf", "nan", "date", "ticker", "by", "among", "of", "within", "as", "per",
  ])

  /// A number or a day. It takes every character that could belong to one, so that an error shows all of it.
  private mutating func number() throws(PredicateSyntaxError) -> PredicateToken {
    let start = position
    let isDay = beginsDay()
    if isDay { position += 10 }
    while let byte = peek() {
      let isSign = !isDay && Self.isSign(byte) && isExponentMark(at: position - 1)
      guard isSign || Self.isDigit(byte) || Self.isLetter(byte) || "._%".utf8.contains(byte) else { break }
      position += 1
    }
    let range = start..<position
    if isDay { return PredicateToken(kind: .day(try day(range)), range: range) }
    try refuseZeros(before: range)
    guard let literal = DecimalLiteral(bytes[range]) else {
      // `2close` is a product elsewhere.
      let name = string(range).drop { $0.isNumber || $0 == "." }
      let product =
        Attribute(named: name).map { "; write \(string(range).dropLast(name.count)) * \($0.wikiName)" } ?? ""
      throw error(
        "\(quoted(range)) isn't a number\(product)\(product.isEmpty ? Self.unitAdvice(string(range)) : "")", at: start)
    }
    return PredicateToken(kind: .number(.decimal(literal)), range: range)
  }

  /// What to write for `5bn`, `50bps` and `30d`.
  private static func unitAdvice(_ text: String) -> String {
    let unit = text.drop { $0.isNumber || ".,_".contains($0) }
    let number = text.dropLast(unit.count)
    if text.utf8.count > 20 { return "" }
    switch unit.lowercased() {
    case "mm", "mn", "mio", "mil", "million": return "; write \(number)M"
    case "bn", "mrd", "bil", "billion": return "; write \(number)B"
    case "t", "tn", "trillion": return "; write \(number)e12"
    case "bp", "bps": return "; a hundred of these are 1%"
    case let unit: return DayMark.Unit(unit).map { "; write \(number) \($0.name)\(number == "1" ? "" : "s")" } ?? ""
    }
  }

  /// Whether four digits come, a hyphen and two digits, and once more a hyphen and two digits.
  private func beginsDay() -> Bool {
    let form = bytes[position...].prefix(10).map { Self.isDigit($0) ? UInt8(ascii: "9") : $0 }
    return form.elementsEqual("9999-99-99".utf8)
  }

  /// Throws if a number begins with zeros that say nothing: it is a part of a day in another form, `2018-01` or `01/03/2005`, or what
  /// follows a comma in `1,000`.
  private func refuseZeros(before range: Range<Int>) throws(PredicateSyntaxError) {
    guard range.count > 1, bytes[range.lowerBound] == UInt8(ascii: "0"), Self.isDigit(bytes[range.lowerBound + 1])
    else {
      return
    }
    let before = bytes[..<range.lowerBound]
    if before.last == UInt8(ascii: ","), before.dropLast().last.map(Self.isDigit) ?? false {
      throw error("a comma does not separate thousands; write 3_000_000 or 3000000", at: range.lowerBound - 1)
    }
    let isPart = { (byte: UInt8) in Self.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/") }
    let start = before.lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
    let end = bytes[range.lowerBound...].firstIndex { !isPart($0) } ?? bytes.count
    guard end - start > range.count else {
      throw error("\(quoted(range)) isn't a number; write it without the zeros before it", at: range.lowerBound)
    }
    throw error(
      "\(quoted(start..<end)) isn't a date of the form YYYY-MM-DD, and a number has no zeros before its digits",
      at: start)
  }

  private mutating func quoted(_ quote: Quote) throws(PredicateSyntaxError) -> PredicateToken {
    let start = position
    position += quote.opening.utf8.count
    let inside = position
    while position < bytes.count {
      let end = position
      guard let length = quote.closing.first(where: { bytes[position...].starts(with: $0.utf8) })?.utf8.count else {
        position += 1
        continue
      }
      position += length
      let (text, range) = (string(inside..<end), start..<position)
      if let day = TradingDay(text) { return PredicateToken(kind: .day(day), range: range) }
      return PredicateToken(kind: .text(text), range: range)
    }
    throw error("the quote is not closed", at: start)
  }

  private func day(_ range: Range<Int>) throws(PredicateSyntaxError) -> TradingDay {
    guard let day = TradingDay(string(range)) else {
      let message =
        range.count == 10
        ? "there is no day \(string(range)) in the calendar" : "\(quoted(range)) isn't a date of the form YYYY-MM-DD"
      throw error(message, at: range.lowerBound)
    }
    return day
  }

  private mutating func sign() throws(PredicateSyntaxError) -> PredicateToken {
    let start = position
    if let printed = PrintedSign.all.first(where: { bytes[start...].starts(with: $0.printed.utf8) }),
      let kind = Self.kind(ofSign: printed.typed)
    {
      position += printed.printed.utf8.count
      return PredicateToken(kind: kind, range: start..<position)
    }
    for count in [2, 1] where start + count <= bytes.count {
      if let kind = Self.kind(ofSign: string(start..<start + count)) {
        position += count
        return PredicateToken(kind: kind, range: start..<position)
      }
    }
    switch bytes[start] {
    case UInt8(ascii: "&"): throw error("unexpected '&'; write 'and' or '&&'", at: start)
    case UInt8(ascii: "|"): throw error("unexpected '|'; write 'or' or '||'", at: start)
    default:
      let character = String(decoding: bytes[start...].prefix(32), as: UTF8.self).prefix(1)
      let word = ForeignWord.named(String(character), .sign)
      let form = character == "." ? methodForm(at: start) : nil
      let advice = word.map { "; \($0.advice(form ?? $0.form))" } ?? ""
      throw error("unexpected \(PredicateSyntaxError.quoted(Array(character.utf8)))\(advice)", at: start)
    }
  }

  /// The call that methods of pandas stand for: `min(close, 20)` for `close.rolling(20).min()`. Nil for others.
  ///
  /// - Parameter point: the place of the second point.
  private func methodForm(at point: Int) -> String? {
    guard bytes[..<point].last == UInt8(ascii: ")"), let open = bytes[..<point].lastIndex(of: UInt8(ascii: "(")) else {
      return nil
    }
    func isName(_ byte: UInt8) -> Bool { Self.isLetter(byte) || Self.isDigit(byte) || "._".utf8.contains(byte) }
    let first = bytes[..<open].lastIndex { !isName($0) }.map { $0 + 1 } ?? 0
    let parts = string(first..<open).lowercased().split(separator: ".")
    let function = String(decoding: bytes[(point + 1)...].prefix(while: isName), as: UTF8.self).lowercased()
    guard parts.count >= 2, let attribute = Attribute(named: parts[parts.count - 2]) else { return nil }
    // `20`, `window=20` and `span=20` are rows, `alpha=0.06` is a weight; what else is said with commas has no form here.
    let argument = string(open + 1..<point - 1).filter { $0 != " " }.split(separator: "=", maxSplits: 1)
    let (name, number) = (argument.count == 2 ? argument[0].lowercased() : "", argument.last ?? "")
    let form =
      switch (parts[parts.count - 1], name) {
      case ("rolling", ""), ("rolling", "window"): "\(function)(\(attribute.wikiName), \(number))"
      case ("expanding", _): "\(function)(\(attribute.wikiName))"
      case ("ewm", "span"), ("ewm", "alpha"): function == "mean" ? "ema(\(attribute.wikiName), \(number))" : ""
      default: ""
      }
    return (try? QuoteExpression(parsing: form)) == nil ? nil : form
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

  /// How many bytes the space has that comes next; nil if none does.
  private var spaceByteCount: Int? {
    guard let byte = peek() else { return nil }
    if byte == 32 || (9...13).contains(byte) { return 1 }
    return byte < 0x80 ? nil : PrintedSign.spaces.first { bytes[position...].starts(with: $0.utf8) }?.utf8.count
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isExponentMark(at index: Int) -> Bool { bytes[index] | 0x20 == UInt8(ascii: "e") }

  private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func quoted(_ range: Range<Int>) -> String { PredicateSyntaxError.quoted(bytes[range]) }

  private func error(_ message: String, at offset: Int) -> PredicateSyntaxError {
    PredicateSyntaxError(message: message, offset: offset, text: text)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
}
