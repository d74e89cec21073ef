/// A year, a month and a day, whether or not the calendar has them.
struct DateComponents {
  var year = 0
  var month = 0
  var day = 0
  /// Whether the year is written with two digits.
  var hasShortYear = false
  /// The time of the day behind it, if there is one.
  var time: DayTime?
}

/// A time of the day, and how far its clock is ahead of UTC.
struct DayTime: Hashable {
  var seconds = 0
  /// In seconds; nil if the text doesn't say.
  var offset: Int?
  /// A zone by its name, such as America/New_York.
  var zoneName: String?
}

/// Takes the parts of a day from a text.
struct DateScanner {
  private let text: TextView
  private(set) var index = 0

  init(_ text: TextView) { self.text = text }

  var isAtEnd: Bool { index == text.count }
  var next: UInt8? { index < text.count ? text[index] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  /// Takes these bytes.
  mutating func take(_ bytes: String) -> Bool {
    guard text.part(from: index).starts(with: bytes.utf8) else { return false }
    index += bytes.utf8.count
    return true
  }

  mutating func skipSpaces() { while next == UInt8(ascii: " ") { index += 1 } }

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

  /// A year of four digits, or of two.
  mutating func takeYear(_ year: inout Int) -> Bool {
    let start = self
    if takeNumber(digits: 4...4, &year) { return true }
    self = start
    return takeShortYear(&year)
  }

  /// Two digits: a year of this century that isn't in the future, or one of the last.
  mutating func takeShortYear(_ year: inout Int) -> Bool {
    guard takeNumber(digits: 2...2, &year) else { return false }
    year = Self.year(ofTwoDigits: year)
    return true
  }

  static func year(ofTwoDigits digits: Int) -> Int { digits + (2000 + digits <= thisYear ? 2000 : 1900) }

  private static let thisYear = TradingDay.today.components.year

  /// A month's name, all of it, with a point behind it or not.
  mutating func takeMonthName(_ month: inout Int) -> Bool {
    guard let found = MonthNames.number(of: takeWord()) else { return false }
    month = found
    if next == UInt8(ascii: ".") { index += 1 }
    return true
  }

  /// Takes letters, as many as there are.
  mutating func takeWord() -> TextView {
    let start = index
    while let byte = next, byte >= 0x80 || 0x61...0x7A ~= byte | 0x20, index - start < 40 { index += 1 }
    return text.part(start..<index)
  }

  /// Takes the name of a day of the week in English, with a comma behind it or not, if there is one.
  mutating func takeWeekday() {
    let start = self
    let word = String(decoding: takeWord(), as: UTF8.self).lowercased()
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    guard word.count >= 3, days.contains(where: { $0 == word || $0.prefix(3) == word }) else {
      self = start
      return
    }
    _ = take(UInt8(ascii: ","))
    skipSpaces()
  }

  /// Takes a time of the day, with a zone or without, up to the text's end, if there is one.
  ///
  /// - Returns: the time; nil if there is none, or if the rest is something else, which stays.
  mutating func takeTime() -> DayTime? {
    let start = self
    let isParted = "T ,:".utf8.contains { take($0) }
    skipSpaces()
    if isParted, let time = takeClock(), isAtEnd { return time }
    self = start
    return nil
  }

  private mutating func takeClock() -> DayTime? {
    var (hour, minute, second) = (0, 0, 0)
    guard takeNumber(digits: 1...2, &hour) else { return nil }
    if take(UInt8(ascii: ":")) {
      guard takeNumber(digits: 2...2, &minute) else { return nil }
      if take(UInt8(ascii: ":")) {
        guard takeNumber(digits: 2...2, &second), takeFraction() else { return nil }
      }
    } else {
      // 160000 or 1600.
      guard takeNumber(digits: 2...2, &minute) else { return nil }
      var seconds = 0
      if takeNumber(digits: 2...2, &seconds) { second = seconds }
    }
    guard takeHalf(&hour), hour < 24 || hour == 24 && minute == 0, minute < 60, second <= 60 else { return nil }
    var time = DayTime(seconds: hour * 3600 + minute * 60 + second)
    skipSpaces()
    return takeZone(&time) ? time : nil
  }

  /// Takes the part of a second behind a point or a comma, if there is one.
  private mutating func takeFraction() -> Bool {
    guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return true }
    var ignored = 0
    return takeNumber(digits: 1...12, &ignored)
  }

  /// Takes AM or PM.
  private mutating func takeHalf(_ hour: inout Int) -> Bool {
    let start = self
    skipSpaces()
    let word = String(decoding: takeWord(), as: UTF8.self).lowercased()
    guard word == "am" || word == "pm" else {
      self = start
      return true
    }
    guard 1...12 ~= hour else { return false }
    hour = hour % 12 + (word == "pm" ? 12 : 0)
    return true
  }

  /// Takes `Z`, `+09:00`, `-0500`, `UTC`, `America/New_York`, if there is one.
  private mutating func takeZone(_ time: inout DayTime) -> Bool {
    guard let sign = next else { return true }
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      index += 1
      var (hours, minutes) = (0, 0)
      guard takeNumber(digits: 2...2, &hours) else { return false }
      _ = take(UInt8(ascii: ":"))
      if !isAtEnd, !takeNumber(digits: 2...2, &minutes) { return false }
      guard hours <= 15, minutes < 60 else { return false }
      time.offset = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
      return true
    }
    let start = index
    while let byte = next, byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x2F || byte == 0x5F,
      index - start < 40
    { index += 1 }
    let word = String(decoding: text.part(start..<index), as: UTF8.self)
    if ["Z", "z", "UTC", "GMT", "utc", "gmt"].contains(word) { time.offset = 0 }
    let isName =
      word.contains("/") && !word.hasPrefix("/") || word == "Z" || word == "z"
      || 2...5 ~= word.count && word == word.uppercased()
    if word.contains("/") { time.zoneName = word }
    return isName || time.offset == 0
  }
}
