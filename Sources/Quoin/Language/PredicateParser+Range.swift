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
    if let key = TypedAttribute<Int64>(name: name) {
      return .integer(key, try integerBounds(of: name, lower: lower, upper: upper))
    }
    guard let key = TypedAttribute<Double>(name: name) else { preconditionFailure("\(name) is of no type") }
    return .double(
      key, Bounds(lower: try doubleBound(lower, of: name), upper: try doubleBound(upper, of: name)))
  }

  private func dayBound(_ end: End?) throws(PredicateSyntaxError) -> Bound<TradingDay> {
    guard let end else { return .unbounded }
    guard case .day(let day, _) = end.value else {
      throw error("the date is compared with a day such as 2005-01-03", at: end.value.token)
    }
    return end.bound(at: day)
  }

  private func integerBounds(
    of name: Attribute, lower: End?, upper: End?
  ) throws(PredicateSyntaxError) -> Bounds<Int64> {
    var bounds = Bounds<Int64>()
    if let lower {
      bounds.lower = try number(lower, for: name).integerPosition.lowerBound(isInclusive: lower.isInclusive)
    }
    if let upper {
      bounds.upper = try number(upper, for: name).integerPosition.upperBound(isInclusive: upper.isInclusive)
    }
    return bounds
  }

  private func doubleBound(_ end: End?, of name: Attribute) throws(PredicateSyntaxError) -> Bound<Double> {
    guard let end else { return .unbounded }
    let literal = try number(end, for: name)
    let value = literal.double
    if case .decimal = literal, value.isInfinite {
      throw error("\(quoted(end.value.token)) is beyond the largest float64; write inf", at: end.value.token)
    }
    return end.bound(at: value)
  }

  private func number(_ end: End, for name: Attribute) throws(PredicateSyntaxError) -> NumberLiteral {
    guard case .number(let number, _) = end.value else {
      throw error("\(name.wikiName) is compared with a number, not with a day", at: end.value.token)
    }
    return number
  }
}
