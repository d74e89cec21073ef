extension PredicateParser {
  /// A column of values.
  enum Subject: Hashable {
    case date
    case attribute(Attribute)
  }

  /// A value as it was written, and where.
  enum Value {
    case number(NumberLiteral, PredicateToken)
    case day(TradingDay, PredicateToken)

    var token: PredicateToken {
      switch self {
      case .number(_, let token), .day(_, let token): token
      }
    }
  }

  /// One end of a range as it was written.
  struct End {
    let value: Value
    let isInclusive: Bool

    func bound<Exact>(at exact: Exact) -> Bound<Exact> { isInclusive ? .inclusive(exact) : .exclusive(exact) }
  }

  /// The predicate that the subject lies between two ends, either of which may be absent.
  func range(of subject: Subject, lower: End?, upper: End?) throws(PredicateSyntaxError) -> Predicate {
    guard case .attribute(let name) = subject else {
      return .date(Bounds(lower: try dayBound(lower), upper: try dayBound(upper)))
    }
    return .range(name, from: try numberEnd(lower, for: name), to: try numberEnd(upper, for: name))
  }

  private func dayBound(_ end: End?) throws(PredicateSyntaxError) -> Bound<TradingDay> {
    guard let end else { return .unbounded }
    guard case .day(let day, _) = end.value else {
      throw error("the date is compared with a day such as 2005-01-03", at: end.value.token)
    }
    return end.bound(at: day)
  }

  private func numberEnd(_ end: End?, for name: Attribute) throws(PredicateSyntaxError) -> Predicate.End? {
    guard let end else { return nil }
    guard case .number(let literal, let token) = end.value else {
      throw error("\(name.wikiName) is compared with a number, not with a day", at: end.value.token)
    }
    let number = literal.exactNumber
    if case .double = name.key, case .decimal = literal, number.nearest.isInfinite {
      throw error("\(quoted(token)) is beyond the largest float64; write inf", at: token)
    }
    return Predicate.End(number, isInclusive: end.isInclusive)
  }
}
