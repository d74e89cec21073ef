/// A day as it is written, whatever the order of its numbers.
enum DayText {
  /// The parts of a day whose order is known.
  case known(DateComponents)
  /// Three numbers: `1/2/2018`, `18-01-02`.
  case numbers(first: Int, second: Int, third: Int, hasLongYear: Bool, isFirstTwoDigits: Bool, time: DayTime?)

  /// The day that the whole of `text` spells; nil if it has no form that is known.
  init?(_ text: TextView) {
    if let found = Self.yearFirst(text) ?? Self.withMonthName(text) {
      self = .known(found)
    } else if let found = Self.threeNumbers(text) {
      self = found
    } else {
      return nil
    }
  }

  /// `2005-10-14`, `2005/10/14`, `2005.10.14`, `2005. 10. 14.`, `2005年10月14日`, `20051014`, perhaps with a time.
  private static func yearFirst(_ text: TextView) -> DateComponents? {
    var scanner = DateScanner(text)
    var found = DateComponents()
    guard scanner.takeNumber(digits: 4...4, &found.year), let separator = scanner.next else { return nil }
    if separator &- UInt8(ascii: "0") < 10 {
      guard scanner.takeNumber(digits: 2...2, &found.month), scanner.takeNumber(digits: 2...2, &found.day) else {
        return nil
      }
    } else if separator >= 0x80 {
      guard scanner.take("年"), scanner.takeNumber(digits: 1...2, &found.month), scanner.take("月"),
        scanner.takeNumber(digits: 1...2, &found.day), scanner.take("日")
      else { return nil }
    } else {
      guard "-/.".utf8.contains(separator), scanner.takeSeparator(separator),
        scanner.takeNumber(digits: 1...2, &found.month), scanner.takeSeparator(separator),
        scanner.takeNumber(digits: 1...2, &found.day)
      else { return nil }
      if separator == UInt8(ascii: "."), scanner.next == separator { _ = scanner.take(separator) }
    }
    found.time = scanner.takeTime()
    return scanner.isAtEnd ? found : nil
  }

  /// `2-Jan-18`, `2 Jan 2018`, `02JAN2018`, `Jan 2, 2018`, `Tuesday, January 2 2018`, perhaps with a time.
  private static func withMonthName(_ text: TextView) -> DateComponents? {
    guard text.contains(where: { $0 >= 0x41 }) else { return nil }
    var scanner = DateScanner(text)
    scanner.takeWeekday()
    var found = DateComponents()
    if scanner.next.map({ $0 &- 0x30 < 10 }) == true {
      guard scanner.takeNumber(digits: 1...2, &found.day) else { return nil }
      _ = scanner.take(UInt8(ascii: "."))
      let separator = scanner.takeGap()
      guard scanner.takeMonthName(&found.month), separator.map({ scanner.takeGap(like: $0) }) ?? true,
        scanner.takeYear(&found.year)
      else { return nil }
    } else {
      guard scanner.takeMonthName(&found.month), let separator = scanner.takeGap(),
        scanner.takeNumber(digits: 1...2, &found.day)
      else { return nil }
      _ = scanner.take(UInt8(ascii: ","))
      guard scanner.takeGap(like: separator), scanner.takeYear(&found.year) else { return nil }
    }
    found.hasShortYear = scanner.index >= 3 && text[scanner.index - 3] &- 0x30 >= 10
    found.time = scanner.takeTime()
    return scanner.isAtEnd ? found : nil
  }

  /// `1/2/2018`, `1.2.18`, `18-01-02`, perhaps with a point behind them and a time.
  private static func threeNumbers(_ text: TextView) -> DayText? {
    var scanner = DateScanner(text)
    var (first, second, third) = (0, 0, 0)
    guard scanner.takeNumber(digits: 1...2, &first) else { return nil }
    let isFirstTwoDigits = scanner.index == 2
    guard let separator = scanner.next, "/-.".utf8.contains(separator), scanner.takeSeparator(separator),
      scanner.takeNumber(digits: 1...2, &second), scanner.takeSeparator(separator)
    else { return nil }
    let start = scanner.index
    guard scanner.takeNumber(digits: 1...4, &third), [2, 4].contains(scanner.index - start)
    else { return nil }
    let hasLongYear = scanner.index - start == 4
    if separator == UInt8(ascii: "."), scanner.next == separator { _ = scanner.take(separator) }
    let time = scanner.takeTime()
    guard scanner.isAtEnd else { return nil }
    return .numbers(
      first: first, second: second, third: third, hasLongYear: hasLongYear, isFirstTwoDigits: isFirstTwoDigits,
      time: time)
  }

  /// The day in an order of its numbers; nil if it can't be in that order.
  func components(_ reading: DateReading) -> DateComponents? {
    guard case .numbers(let first, let second, let third, let hasLongYear, let isFirstTwoDigits, let time) = self else {
      if case .known(let found) = self { return found }
      return nil
    }
    let year = hasLongYear ? third : DateScanner.year(ofTwoDigits: third)
    return switch reading {
    case .monthFirst: DateComponents(year: year, month: first, day: second, time: time)
    case .dayFirst: DateComponents(year: year, month: second, day: first, time: time)
    case .yearFirst where !hasLongYear && isFirstTwoDigits:
      DateComponents(year: DateScanner.year(ofTwoDigits: first), month: second, day: third, time: time)
    case .automatic, .yearFirst, .serial, .epoch, .pattern: nil
    }
  }
}

extension DateScanner {
  /// Takes a separator, with a space behind a point.
  fileprivate mutating func takeSeparator(_ separator: UInt8) -> Bool {
    guard take(separator) else { return false }
    if separator == UInt8(ascii: ".") { skipSpaces() }
    return true
  }

  /// Takes a sign or spaces between the parts of a day with a month's name.
  fileprivate mutating func takeGap() -> UInt8? {
    guard let separator = next, "-/. ".utf8.contains(separator) else { return nil }
    _ = take(separator)
    skipSpaces()
    return separator
  }

  fileprivate mutating func takeGap(like separator: UInt8) -> Bool {
    if separator == UInt8(ascii: " ") || separator == UInt8(ascii: ".") {
      // The point may have been taken with an abbreviation.
      _ = take(separator)
      skipSpaces()
      return true
    }
    return take(separator)
  }
}
