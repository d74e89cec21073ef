/// How the days of a file are written.
enum DateReading: Hashable, Sendable {
  /// The year first, or the month by name. Days such as `1/2/2018` are refused.
  case automatic
  /// Also `1/2/2018`, which is the second of January.
  case monthFirst
  /// Also `1/2/2018`, which is the first of February.
  case dayFirst
  case pattern(DatePattern)
}

/// A form of days in the words of `strptime`: `%m/%d/%Y`.
public struct DatePattern: Hashable, Sendable, CustomStringConvertible {
  enum Part: Hashable, Sendable {
    case year, shortYear, month, monthName, day
    case text(UInt8)
  }

  let parts: [Part]
  /// The pattern as it was written.
  public let description: String

  /// A pattern of `%Y` (2018), `%y` (18), `%m`, `%d`, `%b` (Jan) and other characters, which stand for themselves; `%%` is a
  /// percent sign. It needs a year, a month and a day. Nil if it isn't one.
  public init?(_ pattern: String) {
    var parts: [Part] = []
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        parts.append(.text(byte))
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "Y"): parts.append(.year)
      case UInt8(ascii: "y"): parts.append(.shortYear)
      case UInt8(ascii: "m"): parts.append(.month)
      case UInt8(ascii: "b"): parts.append(.monthName)
      case UInt8(ascii: "d"): parts.append(.day)
      case UInt8(ascii: "%"): parts.append(.text(UInt8(ascii: "%")))
      default: return nil
      }
    }
    func count(_ some: [Part]) -> Int { parts.count { some.contains($0) } }
    guard count([.year, .shortYear]) == 1, count([.month, .monthName]) == 1, count([.day]) == 1 else { return nil }
    (self.parts, description) = (parts, pattern)
  }

  /// The day that the whole of `text` spells; nil if it has another form.
  func components(_ text: TextView) -> DateComponents? {
    var scanner = DateScanner(text)
    var found = DateComponents()
    for part in parts {
      let isFound =
        switch part {
        case .year: scanner.takeNumber(digits: 4...4, &found.year)
        case .shortYear: scanner.takeShortYear(&found.year)
        case .month: scanner.takeNumber(digits: 1...2, &found.month)
        case .monthName: scanner.takeMonthName(&found.month)
        case .day: scanner.takeNumber(digits: 1...2, &found.day)
        case .text(let byte): scanner.take(byte)
        }
      if !isFound { return nil }
    }
    return scanner.isAtEnd ? found : nil
  }
}

/// A year, a month and a day, whether or not the calendar has them.
struct DateComponents {
  var year = 0
  var month = 0
  var day = 0
}

/// Takes the parts of a day from a text.
struct DateScanner {
  private let text: TextView
  private var index = 0

  init(_ text: TextView) { self.text = text }

  var isAtEnd: Bool { index == text.count }
  var next: UInt8? { index < text.count ? text[index] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  /// Takes as many digits as there are, which must be so many.
  mutating func takeNumber(digits: ClosedRange<Int>, _ number: inout Int) -> Bool {
    let start = index
    number = 0
    while let digit = next.map({ $0 &- UInt8(ascii: "0") }), digit < 10, index - start < digits.upperBound {
      number = number * 10 + Int(digit)
      index += 1
    }
    return digits.contains(index - start)
  }

  /// Two digits: a year of this century that isn't in the future, or one of the last.
  mutating func takeShortYear(_ year: inout Int) -> Bool {
    guard takeNumber(digits: 2...2, &year) else { return false }
    year += 2000 + year <= TradingDay.today.components.year ? 2000 : 1900
    return true
  }

  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  /// The first three letters of a month's English name, or all of them.
  mutating func takeMonthName(_ month: inout Int) -> Bool {
    var letters: [UInt8] = []
    while let letter = next.map({ $0 | 0x20 }), UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter {
      letters.append(letter)
      index += 1
    }
    guard letters.count >= 3, letters.count <= 9 else { return false }
    guard let found = Self.monthNames.firstIndex(of: Array(letters.prefix(3))) else { return false }
    month = found + 1
    return true
  }

  /// Takes a time of day, with a zone or without, after a `T` or a space, if there is one. It may be anything made of digits.
  mutating func takeTimeOfDay() {
    guard next == UInt8(ascii: "T") || next == UInt8(ascii: " ") else { return }
    var end = index + 1
    while end < text.count, "0123456789:.+-Z".utf8.contains(text[end]) { end += 1 }
    if end == text.count { index = end }
  }
}
