// Days that are computed: `date - prev(date)` is a number of days, and `prev(date) + 5` is a day.

extension PredicateParser {
  /// The number of a day, since 1970, that a phrase is; nil for anything else, and for one that is counted from the newest day.
  func dayNumber(_ phrase: Phrase) -> QuoteExpression? {
    switch phrase {
    case .value(.date): .calendar(.dayNumber)
    case .value(.moment(let expression, _)): expression
    case .value(.day(.day(let day), _)): .number(Double(day.daysSince1970))
    default: nil
    }
  }

  /// What is between two days, or the day so many days away from one; nil if none of the two is a day.
  mutating func days(
    _ function: RowFunction, _ left: Phrase, _ right: Phrase, from start: PredicateToken, _ rightStart: PredicateToken
  ) throws(PredicateSyntaxError) -> Phrase? {
    switch (dayNumber(left), dayNumber(right)) {
    case (nil, nil): return nil
    case (let x?, let y?):
      guard function == .subtract else {
        throw error("two days can't be added; the days between them are date - prev(date)", at: rightStart)
      }
      return folded(.subtract, x, y, from: start)
    case (_?, nil): return .value(try day(function, left, right, from: start))
    case (nil, _?):
      guard function == .add else {
        throw error("a day can't be taken from a number; a day before is date - 5", at: rightStart)
      }
      return .value(try day(.add, right, left, from: rightStart))
    }
  }

  /// The day that is so many days after one, or before it.
  private mutating func day(
    _ function: RowFunction, _ day: Phrase, _ count: Phrase, from start: PredicateToken
  ) throws(PredicateSyntaxError) -> Value {
    guard let x = dayNumber(day), case .value(.number(let literal, let number)) = count else {
      // What a day is not.
      _ = try expression(day, from: start)
      throw error("a number of days is a whole number, as in date - 5", at: start)
    }
    if token.isWord("days") || token.isWord("day") { advance() }
    if case .word(let word) = token.kind, DayMark.Unit(word) != nil {
      throw error(
        "only the newest day is moved by \(spelling(token)), as in last - 1 month; other days are by days, as in date - 30",
        at: token)
    }
    try checkUnit(of: number, "3 months with last, as in last - 3 months")
    guard case .at(let days) = literal.exactNumber.integerPosition, abs(days) <= Int64(DayMark.countMax) else {
      throw error("a number of days is a whole number, as in date - 5", at: number)
    }
    guard case .value(.day(let mark, _)) = day else {
      return .moment(QuoteExpression(function, [x, .number(Double(days))]), start)
    }
    guard let mark = mark.advanced(by: function == .subtract ? -Int(days) : Int(days)) else {
      throw error("\(quoted(number)) days from there is no day of the calendar", at: number)
    }
    return .day(mark, start)
  }

  /// Refuses a number with a letter where days or rows are counted: `3M` is three million, and three months where a day is asked for.
  ///
  /// - Parameter form: how months are written here.
  func checkUnit(of token: PredicateToken, _ form: String) throws(PredicateSyntaxError) {
    // Nearly every number ends with a digit, which a byte tells.
    guard case .number(let literal) = token.kind, token.range.upperBound > 0,
      let end = text.utf8.dropFirst(token.range.upperBound - 1).first, end >= UInt8(ascii: "A")
    else { return }
    let spelling = spelling(token)
    guard let last = spelling.last, last.isLetter, case .at(let number) = literal.exactNumber.integerPosition,
      spelling.dropLast().allSatisfy(\.isNumber)
    else { return }
    let months = "mM".contains(last) ? ", or \(form)" : ""
    throw error("\(quoted(token)) is \(number) here; write \(number)\(months)", at: token)
  }

  /// A comparison in which a side is a day that is computed; nil for others.
  func dayComparison(
    _ left: Value, _ comparison: Comparison, _ right: Value, at sign: PredicateToken
  ) throws(PredicateSyntaxError) -> Predicate? {
    let isComputed = [left, right].contains { if case .moment = $0 { true } else { false } }
    guard isComputed else { return nil }
    guard let x = dayNumber(.value(left)), let y = dayNumber(.value(right)) else {
      throw error(
        "a day that is computed is compared with another one, as in date > prev(date) + 5; days between are "
          + "date - prev(date)", at: sign)
    }
    return .comparison(x, comparison, y)
  }

  /// A call that has days among its arguments: the day that a function finds, or the days between two. Nil for other calls.
  func value(
    ofDays name: String, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> Value? {
    guard Self.functionsOfDays.contains(name) else { return nil }
    // The condition of `if` comes first, and of what looks at other rows there is one column.
    let columns = name == "if" ? 1..<arguments.list.count : 0..<(Self.isOfRow(name) ? arguments.list.count : 1)
    let numbers = arguments.list.map { dayNumber($0.phrase) }
    guard numbers.indices.contains(where: { columns.contains($0) && numbers[$0] != nil }) else { return nil }
    if ["max", "last"].contains(name), arguments.list.count == 1, case .value(.date) = arguments.list[0].phrase {
      throw error(
        "of the rows so far, \(spelling(function))(date) is the row's own date; the newest day that there is, is last, as in "
          + "date = last", at: function)
    }
    var converted = arguments
    for index in columns where index < numbers.count {
      guard let number = numbers[index] else {
        throw error("\(spelling(function)) takes days alone, or numbers alone", at: arguments.list[index].token)
      }
      converted.list[index].phrase = .value(.expression(number))
    }
    let expression = try expression(name, function, converted)
    return name == "diff" ? .expression(expression) : .moment(expression, function)
  }

  private static let functionsOfDays: Set<String> = [
    "prev", "next", "diff", "fill", "first", "last", "min", "max", "if", "coalesce", "larger", "smaller",
  ]

  private static func isOfRow(_ name: String) -> Bool { RowFunction.named.contains { $0.name == name } }
}
