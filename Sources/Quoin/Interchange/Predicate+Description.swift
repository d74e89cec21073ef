extension Predicate: CustomStringConvertible {
  /// The predicate in the query language; `Predicate(parsing:)` makes a predicate of the same meaning from it.
  public var description: String {
    switch self {
    case .double(let key, let bounds):
      Self.description(of: key.name.wikiName, in: bounds, from: "-inf", to: "inf", Self.number)
    case .integer(let key, let bounds):
      Self.description(of: key.name.wikiName, in: bounds, from: "-inf", to: "inf") { "\($0)" }
    case .date(let bounds):
      Self.description(of: "date", in: bounds, from: "\(TradingDay.earliest)", to: "\(TradingDay.latest)") { "\($0)" }
    case .isMissing(let name): "\(name.wikiName) is missing"
    case .all(let parts): Self.joined(parts, by: " and ", empty: "true")
    case .any(let parts): Self.joined(parts, by: " or ", empty: "false")
    case .not(.isMissing(let name)): "\(name.wikiName) is not missing"
    case .not(.not(let part)): part.description
    case .not(let part): "not (\(part))"
    }
  }

  /// The parts, each in parentheses when it is itself joined from several.
  private static func joined(_ parts: [Predicate], by separator: String, empty: String) -> String {
    if parts.isEmpty { return empty }
    if parts.count == 1 { return parts[0].description }
    return parts.map { $0.isJoined ? "(\($0))" : $0.description }.joined(separator: separator)
  }

  /// Whether the description has an `and` or `or` outside parentheses.
  private var isJoined: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.count > 1 || parts.first?.isJoined == true
    case .not(.not(let part)): part.isJoined
    default: false
    }
  }

  /// A range; `lowest` and `highest` stand in for ends when both are absent, and no value lies beyond them.
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
    case (.inclusive(let low), .inclusive(let high)): "\(name) between \(text(low)) and \(text(high))"
    case (.inclusive(let low), .exclusive(let high)): "\(name) in [\(text(low)), \(text(high)))"
    case (.exclusive(let low), .inclusive(let high)): "\(name) in (\(text(low)), \(text(high))]"
    case (.exclusive(let low), .exclusive(let high)): "\(name) in (\(text(low)), \(text(high)))"
    }
  }

  /// The shortest decimal that reads back, without a `.0` at the end.
  private static func number(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
