/// How the days of a file are written.
enum DateReading: Hashable, Sendable {
  /// The year first, or the month by name. Days such as `1/2/2018` are refused.
  case automatic
  /// Also `1/2/2018`, which is the second of January.
  case monthFirst
  /// Also `1/2/2018`, which is the first of February.
  case dayFirst
  /// Also `18/01/02`, which is the second of January 2018.
  case yearFirst
  /// A spreadsheet's number: the days since 1899-12-30.
  case serial
  /// A number of seconds or parts of them since 1970 began in UTC.
  case epoch(EpochUnit)
  case pattern(DatePattern)
}

/// A form of days in the words of `strptime`: `%m/%d/%Y`.
public struct DatePattern: Hashable, Sendable, CustomStringConvertible {
  enum Part: Hashable, Sendable {
    case year, shortYear, month, monthName, day
    /// Digits or a word of a time, which doesn't matter.
    case number(digits: Int)
    case word
    case text(UInt8)
  }

  let parts: [Part]
  /// The pattern as it was written.
  public let description: String

  /// A pattern of `%Y` (2018), `%y` (18), `%m`, `%d` or `%e`, `%b` or `%B` (Jan, January), and of a time: `%H`, `%I`, `%M`, `%S`, `%f`, `%p`, `%z`,
  /// `%Z`, `%T`. Other characters stand for themselves; `%%` is a percent sign. It needs a year, a month and a day. Nil if it isn't one.
  ///
  /// A time of the day may follow the day even if the pattern has none.
  public init?(_ pattern: String) {
    var parts: [Part] = []
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        parts.append(.text(byte))
        continue
      }
      // `%-d` is a day without a zero before it, which `%d` reads too.
      if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard let letter = rest.popFirst(), let found = Self.parts(of: letter) else { return nil }
      parts += found
    }
    func count(_ some: [Part]) -> Int { parts.count { some.contains($0) } }
    guard count([.year, .shortYear]) == 1, count([.month, .monthName]) == 1, count([.day]) == 1 else { return nil }
    (self.parts, description) = (parts, pattern)
  }

  /// The letters behind a percent sign that mean nothing here, such as `%q`; nil if all do.
  static func unknownDirective(in pattern: String) -> String? {
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else { continue }
      if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard let letter = rest.popFirst() else { return "%" }
      if parts(of: letter) == nil { return "%" + String(decoding: [letter], as: UTF8.self) }
    }
    return nil
  }

  private static func parts(of letter: UInt8) -> [Part]? {
    switch Unicode.Scalar(letter) {
    case "Y": [.year]
    case "y": [.shortYear]
    case "m": [.month]
    case "b", "B", "h": [.monthName]
    case "d", "e": [.day]
    case "H", "I", "M", "S": [.number(digits: 2)]
    case "f": [.number(digits: 9)]
    case "p", "Z", "a", "A": [.word]
    case "z": [.text(UInt8(ascii: "+")), .number(digits: 4)]
    case "T":
      [.number(digits: 2), .text(UInt8(ascii: ":")), .number(digits: 2), .text(UInt8(ascii: ":")), .number(digits: 2)]
    case "%": [.text(UInt8(ascii: "%"))]
    default: nil
    }
  }

  /// The day that the whole of `text` spells, perhaps with a time behind it; nil if it has another form.
  func components(_ text: TextView) -> DateComponents? {
    var scanner = DateScanner(text)
    var found = DateComponents()
    for part in parts {
      var ignored = 0
      let isFound =
        switch part {
        case .year: scanner.takeNumber(digits: 4...4, &found.year)
        case .shortYear: scanner.takeShortYear(&found.year)
        case .month: scanner.takeNumber(digits: 1...2, &found.month)
        case .monthName: scanner.takeMonthName(&found.month)
        case .day: scanner.takeDay(&found.day)
        case .number(let digits): scanner.takeNumber(digits: 1...digits, &ignored)
        case .word: !scanner.takeWord().isEmpty
        case .text(UInt8(ascii: "+")): scanner.take(UInt8(ascii: "+")) || scanner.take(UInt8(ascii: "-"))
        case .text(let byte): scanner.take(byte)
        }
      if !isFound { return nil }
    }
    if !scanner.isAtEnd { found.time = scanner.takeTime() }
    return scanner.isAtEnd ? found : nil
  }
}

extension DateScanner {
  /// A day of the month, with a space before it where `%e` puts one.
  fileprivate mutating func takeDay(_ day: inout Int) -> Bool {
    if next == UInt8(ascii: " ") { _ = take(UInt8(ascii: " ")) }
    return takeNumber(digits: 1...2, &day)
  }
}
