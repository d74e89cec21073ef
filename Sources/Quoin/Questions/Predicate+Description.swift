extension Predicate: CustomStringConvertible {
  /// The predicate in the query language. `Predicate(parsing:)` reads it as a predicate of the same meaning, unless it has
  /// more than 100 nested parentheses. A predicate that is too deep for a query is `...`.
  public var description: String { SystemThread.deep(levelCount: size.levelCount) { text().text } }

  /// The text, and whether it has an `and` or `or` outside parentheses.
  private func text() -> (text: String, isJoined: Bool) {
    if size.isTooLong { return ("...", false) }
    switch form {
    case .double(let key, let bounds):
      return (Self.description(of: key.name.wikiName, in: bounds, from: "-inf", to: "inf", Self.number), false)
    case .integer(let key, let bounds) where !bounds.areWhole:
      return (Self.description(of: key.name.wikiName, in: bounds.exact, from: "-inf", to: "inf", Self.number), false)
    case .integer(let key, let bounds):
      return (Self.description(of: key.name.wikiName, in: bounds.whole, from: "-inf", to: "inf") { "\($0)" }, false)
    case .date(let bounds):
      let (first, last) = ("\(TradingDay.earliest)", "\(TradingDay.latest)")
      return (Self.description(of: "date", in: bounds, from: first, to: last) { "\($0)" }, false)
    case .isMissing(let name): return ("\(name.wikiName) is missing", false)
    case .ticker(let pattern): return ("\(pattern)", false)
    case .comparison(let x, let comparison, let y): return ("\(x) \(comparison.rawValue) \(y)", false)
    case .hasNoValue(let x): return ("\(x) is missing", false)
    case .holds(let x): return ("\(x)", false)
    case .all(let parts): return Self.joined(parts, by: " and ", empty: "true")
    case .any(let parts): return Self.joined(parts, by: " or ", empty: "false")
    case .not(let part): return part.negatedText()
    case .tooDeep: return ("...", false)
    }
  }

  /// The negation's text. Two negations cancel out.
  private func negatedText() -> (text: String, isJoined: Bool) {
    switch form {
    case .isMissing(let name): ("\(name.wikiName) is not missing", false)
    case .not(let part): part.text()
    case .hasNoValue(let x): ("\(x) is not missing", false)
    case .double, .integer, .date, .ticker, .comparison, .holds, .all, .any, .tooDeep: ("not (\(text().text))", false)
    }
  }

  /// The parts, with parentheses around those that are themselves joined from several.
  private static func joined(
    _ parts: [Predicate], by separator: String, empty: String
  ) -> (text: String, isJoined: Bool) {
    let parts = parts.map { $0.text() }
    if parts.count <= 1 { return parts.first ?? (empty, false) }
    return (parts.map { $0.isJoined ? "(\($0.text))" : $0.text }.joined(separator: separator), true)
  }

  /// A range. When both ends are absent, `lowest` and `highest` stand in for them; no value lies beyond these.
  private static func description<Value>(
    of name: String, in bounds: Bounds<Value>, from lowest: String, to highest: String, _ text: (Value) -> String
  ) -> String {
    switch (bounds.lower, bounds.upper) {
    case (.unbounded, .unbounded): "\(name) between \(lowest) and \(highest)"
    case (.inclusive(let value), .unbounded): "\(name) >= \(text(value))"
    case (.exclusive(let value), .unbounded): "\(name) > \(text(value))"
    case (.unbounded, .inclusive(let value)): "\(name) <= \(text(value))"
    case (.unbounded, .exclusive(let value)): "\(name) < \(text(value))"
    case (.inclusive(let low), .inclusive(let high)) where low == high: "\(name) = \(text(low))"
    case (.inclusive(let low), .inclusive(let high)) where low > high: "\(text(low)) <= \(name) <= \(text(high))"
    case (.inclusive(let low), .exclusive(let high)) where low > high: "\(text(low)) <= \(name) < \(text(high))"
    case (.exclusive(let low), .inclusive(let high)) where low > high: "\(text(low)) < \(name) <= \(text(high))"
    case (.inclusive(let low), .inclusive(let high)): "\(name) between \(text(low)) and \(text(high))"
    case (.inclusive(let low), .exclusive(let high)): "\(name) in [\(text(low)), \(text(high)))"
    case (.exclusive(let low), .inclusive(let high)): "\(name) in (\(text(low)), \(text(high))]"
    case (.exclusive(let low), .exclusive(let high)): "\(text(low)) < \(name) < \(text(high))"
    }
  }

  /// The shortest decimal that reads back as the value, without a `.0` at the end.
  static func number(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
