/// How people write the numbers of a column: which mark stands before the fraction. The other one, like a space and an apostrophe, groups
/// the digits before it.
struct NumberStyle: Hashable, Sendable {
  /// The mark before the fraction.
  enum Mark: UInt8, Hashable, Sendable, CaseIterable {
    case point = 0x2E
    case comma = 0x2C

    var other: Mark { self == .point ? .comma : .point }
  }

  /// The mark before the fraction; nil if nothing says which it is.
  var decimal: Mark?
  /// Whether `1,234` can only be one number: something in the file, or the caller, says which.
  var isCertain = true
  /// The only sign that groups digits, if the caller says which.
  var grouping: UInt8?

  /// As programs write numbers: `1234.5`. Nothing says what a comma would be.
  static let plain = NumberStyle(decimal: .point, isCertain: false)
  /// Nothing is known.
  static let open = NumberStyle(decimal: nil, isCertain: false)

  /// Whether every number that programs write means what it means to them, so that it can be read the fast way.
  var readsPlainNumbers: Bool { decimal == .point }
}

/// A number as people write it, in the form that programs read: `-1234.5`.
struct NumberText {
  /// The number in digits with a point.
  let plain: [UInt8]
  /// Whether digits are missing because a suffix stands for them: `12.35M`.
  let isRounded: Bool

  /// What `text` spells in this style; nil if it is no number or has two readings.
  init?(_ text: some Collection<UInt8>, _ style: NumberStyle) {
    guard let parts = NumberParts(text) else { return nil }
    switch (style.decimal, style.isCertain) {
    case (let decimal?, true):
      guard let found = parts.plain(decimal, grouping: style.grouping) else { return nil }
      self = found
    case (let decimal?, false):
      // A plain number is none of the others; anything else has to have one reading.
      guard let found = parts.plain(decimal, grouping: nil) else { return nil }
      if parts.hasGroups(decimal), let other = parts.plain(decimal.other, grouping: nil), other.plain != found.plain {
        return nil
      }
      self = found
    case (nil, _):
      let readings = NumberStyle.Mark.allCases.compactMap { parts.plain($0, grouping: nil) }
      guard let first = readings.first, readings.allSatisfy({ $0.plain == first.plain }) else { return nil }
      self = first
    }
  }

  init(plain: [UInt8], isRounded: Bool) { (self.plain, self.isRounded) = (plain, isRounded) }

  /// The two readings of a number that has two, for a message: `1234 or 1.234`; nil if it has one or none.
  static func readings(of text: some Collection<UInt8>) -> (point: String, comma: String)? {
    guard let parts = NumberParts(text), let point = parts.plain(.point, grouping: nil),
      let comma = parts.plain(.comma, grouping: nil), point.plain != comma.plain
    else { return nil }
    return (String(decoding: point.plain, as: UTF8.self), String(decoding: comma.plain, as: UTF8.self))
  }
}

/// The parts of a number that stand around its digits: a sign, a currency, a suffix.
struct NumberParts {
  private(set) var isNegative = false
  /// Digits with marks between them, and perhaps an exponent.
  private(set) var body: [UInt8] = []
  /// The power of ten that a suffix stands for.
  private(set) var exponent = 0
  private(set) var hasSuffix = false
  /// What is added, of `23 5/8`: the numerator and the denominator, a power of two.
  private(set) var fraction: (numerator: UInt64, denominator: UInt64)?

  init?(_ text: some Collection<UInt8>) {
    // Nothing is that long, and the work below isn't linear.
    guard text.count <= 64 else { return nil }
    var scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars).map {
      NumberSigns.spaces.contains($0) ? " " : $0
    }
    Self.trim(&scalars)
    takeSign(&scalars)
    Self.takeCurrency(&scalars)
    takeSign(&scalars)
    takeSuffix(&scalars)
    guard takeFraction(&scalars), let body = Self.bytes(scalars), body.contains(where: { $0 &- 0x30 < 10 }) else {
      return nil
    }
    self.body = body
  }

  private static func trim(_ scalars: inout [Unicode.Scalar]) {
    while scalars.first == " " { scalars.removeFirst() }
    while scalars.last == " " { scalars.removeLast() }
  }

  private mutating func takeSign(_ scalars: inout [Unicode.Scalar]) {
    guard !isNegative, let first = scalars.first, NumberSigns.signs.contains(first) else { return }
    isNegative = first != "+"
    scalars.removeFirst()
    Self.trim(&scalars)
  }

  /// Takes a sign of a currency or its three letters, before or behind.
  private static func takeCurrency(_ scalars: inout [Unicode.Scalar]) {
    let text = String(String.UnicodeScalarView(scalars))
    for sign in NumberSigns.currencies {
      if text.hasPrefix(sign) {
        scalars.removeFirst(sign.unicodeScalars.count)
        return trim(&scalars)
      }
      if text.hasSuffix(sign) {
        scalars.removeLast(sign.unicodeScalars.count)
        return trim(&scalars)
      }
    }
    // Three capital letters, with a space between them and the number: a suffix such as MIO has none.
    let isCode = { (code: ArraySlice<Unicode.Scalar>) in
      code.count == 3 && code.allSatisfy { ("A"..."Z").contains($0) }
    }
    if scalars.count > 4, scalars[3] == " ", isCode(scalars[..<3]) {
      scalars.removeFirst(4)
    } else if scalars.count > 4, scalars[scalars.count - 4] == " ", isCode(scalars.suffix(3)),
      NumberSigns.suffixes[String(String.UnicodeScalarView(scalars.suffix(3))).lowercased()] == nil
    {
      scalars.removeLast(4)
    }
    trim(&scalars)
  }

  private mutating func takeSuffix(_ scalars: inout [Unicode.Scalar]) {
    guard let last = scalars.lastIndex(where: { ("0"..."9").contains($0) }) else { return }
    let word = String(String.UnicodeScalarView(scalars[(last + 1)...])).lowercased().filter { !" .".contains($0) }
    guard let power = NumberSigns.suffixes[word] else { return }
    (exponent, hasSuffix) = (power, true)
    scalars.removeSubrange((last + 1)...)
  }

  /// Takes `5/8` off the end; false if there is a slash that means something else.
  private mutating func takeFraction(_ scalars: inout [Unicode.Scalar]) -> Bool {
    guard let slash = scalars.firstIndex(of: "/") else { return true }
    let start = scalars[..<slash].lastIndex(of: " ").map { $0 + 1 } ?? 0
    let number = { (digits: ArraySlice<Unicode.Scalar>) in
      digits.count <= 3 ? UInt64(String(String.UnicodeScalarView(digits))) : nil
    }
    guard start > 0, let numerator = number(scalars[start..<slash]), let denominator = number(scalars[(slash + 1)...]),
      numerator < denominator, denominator.nonzeroBitCount == 1
    else { return false }
    fraction = (numerator, denominator)
    scalars.removeSubrange((start - 1)...)
    return true
  }

  /// The body in ASCII: spaces and apostrophes of all kinds are one each.
  private static func bytes(_ scalars: [Unicode.Scalar]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in scalars {
      if scalar == "\u{2019}" {
        bytes.append(UInt8(ascii: "'"))
      } else if scalar.isASCII {
        bytes.append(UInt8(scalar.value))
      } else {
        return nil
      }
    }
    return bytes
  }
}

/// The signs and words around the digits of numbers.
enum NumberSigns {
  static let signs: [Unicode.Scalar] = ["-", "+", "\u{2212}"]
  static let spaces: [Unicode.Scalar] = [" ", "\u{A0}", "\u{2009}", "\u{202F}", "\t", "\u{2007}"]
  static let currencies = [
    "US$", "C$", "A$", "HK$", "NT$", "R$", "S$", "$", "€", "£", "¥", "￥", "₹", "₩", "Rs.", "Rs", "kr",
  ]
  /// What stands for a power of ten; a crore is ten million, a lakh a hundred thousand.
  static let suffixes = [
    "k": 3, "m": 6, "b": 9, "t": 12, "tsd": 3, "mn": 6, "mm": 6, "mio": 6, "mln": 6, "mil": 6, "million": 6, "bn": 9,
    "mrd": 9,
    "mld": 9, "billion": 9, "cr": 7, "crore": 7, "l": 5, "lac": 5, "lakh": 5, "万": 4, "億": 8, "亿": 8,
  ]
}
