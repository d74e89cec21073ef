extension PredicateParser {
  /// A column whose ranges are found without computing anything.
  enum Subject: Hashable {
    case date
    case attribute(Attribute)

    /// Nil for another value.
    init?(_ value: Value) {
      switch value {
      case .date: self = .date
      case .expression(let expression):
        guard case .attribute(let name) = expression.node else { return nil }
        self = .attribute(name)
      case .moment, .ticker, .number, .day, .text: return nil
      }
    }
  }

  /// One end of a range as it was written.
  struct End {
    let value: Value
    let isInclusive: Bool

    func bound<Exact>(at exact: Exact) -> Bound<Exact> { isInclusive ? .inclusive(exact) : .exclusive(exact) }
  }

  /// The predicate that a value lies between two ends, which mustn't be the wrong way round.
  func orderedRange(of value: Value, _ lower: End, _ upper: End) throws(PredicateSyntaxError) -> Predicate {
    switch (lower.value, upper.value) {
    case (.number(let low, let token), .number(let high, let end))
    where low.exactNumber.nearest > high.exactNumber.nearest:
      throw error(
        "a range begins with its lower end; write \(spelling(end)) before \(spelling(token))", at: token)
    case (.day(let first, let token), .day(let last, _)) where first.isLater(than: last):
      throw error("a range begins with its earlier day; write \(last) before \(first)", at: token)
    default: break
    }
    if let subject = Subject(value), subject == .date || !isComputed(lower.value) && !isComputed(upper.value) {
      return try range(of: subject, lower: lower, upper: upper)
    }
    let start = PredicateToken(kind: .end, range: 0..<0)
    let expression = try expression(.value(value), from: start)
    return .all([
      .comparison(
        expression, lower.isInclusive ? .atLeast : .above, try self.expression(.value(lower.value), from: start)),
      .comparison(
        expression, upper.isInclusive ? .atMost : .below, try self.expression(.value(upper.value), from: start)),
    ])
  }

  private func isComputed(_ value: Value) -> Bool {
    if case .expression = value { true } else { false }
  }

  /// The predicate that the subject lies between two ends, either of which may be absent.
  func range(of subject: Subject, lower: End?, upper: End?) throws(PredicateSyntaxError) -> Predicate {
    guard case .attribute(let name) = subject else {
      let (first, last) = (try dayMark(lower), try dayMark(upper))
      let exact = Bounds(lower: bound(lower, first), upper: bound(upper, last))
      let newest = DayBounds(
        first: relative(first)?.advanced(by: lower?.isInclusive == false ? 1 : 0),
        last: relative(last)?.advanced(by: upper?.isInclusive == false ? -1 : 0))
      if newest == .all { return .date(exact) }
      return exact == Bounds() ? .dates(newest) : .all([.date(exact), .dates(newest)])
    }
    return .range(name, from: try numberEnd(lower, for: name), to: try numberEnd(upper, for: name))
  }

  /// The end of a range of days, if it isn't counted from the newest one.
  private func bound(_ end: End?, _ mark: DayMark?) -> Bound<TradingDay> {
    guard let end, case .day(let day) = mark else { return .unbounded }
    return end.bound(at: day)
  }

  private func relative(_ mark: DayMark?) -> DayMark? {
    if case .newest = mark { mark } else { nil }
  }

  private func dayMark(_ end: End?) throws(PredicateSyntaxError) -> DayMark? {
    guard let end else { return nil }
    switch end.value {
    case .day(let day, _): return day
    case .number(let literal, let token) where literal.exactNumber.nearest < 0:
      let text = spelling(token).drop { $0 == "-" }
      throw error("days before the newest one are written last - \(text) days", at: token)
    case .number(_, let token) where spelling(token).contains { $0 == "/" || $0 == "-" }:
      throw error("\(quoted(token)) isn't a date of the form YYYY-MM-DD", at: token)
    case .number(_, let token): throw error("the date is compared with a day such as 2005-01-03", at: token)
    case .text(let text, let token) where DayMark(text) != nil:
      throw error("\(quoted(token)) is a text; write it without quotes", at: token)
    case .text(_, let token): throw error("\(quoted(token)) isn't a date of the form YYYY-MM-DD", at: token)
    case .date(let token), .ticker(let token):
      throw error("the date is compared with a day such as 2005-01-03", at: token)
    case .moment(_, let token): throw error("a range of days has days at its ends, such as 2005-01-03", at: token)
    case .expression: throw error("the date is compared with a day such as 2005-01-03", at: token)
    }
  }

  private func numberEnd(_ end: End?, for name: Attribute) throws(PredicateSyntaxError) -> Predicate.End? {
    guard let end else { return nil }
    switch end.value {
    case .number(let literal, let token):
      if case .double = name.key { _ = try double(literal, token) }
      return Predicate.End(literal.exactNumber, isInclusive: end.isInclusive)
    case .day(_, let token):
      throw error("\(name.wikiName) is compared with a number, not with a day", at: token)
    case .text(let text, let token): throw textError(text, at: token)
    case .date, .moment, .ticker, .expression:
      throw error("\(name.wikiName) is compared with a number, not with a day", at: token)
    }
  }
}
