import Quoin

/// How a filter compares a column with a value, as in `date.gte=2005-01-03`. Without a suffix, as with `.eq`, the column
/// equals one of the values.
enum TableComparison: String, CaseIterable {
  case equal = "eq"
  case gt, lt, gte, lte

  /// The column and the comparison that a parameter's name has.
  static func parse(_ name: String) -> (column: Substring, comparison: TableComparison) {
    for comparison in allCases where name.hasSuffix(".\(comparison.rawValue)") {
      return (name.dropLast(comparison.rawValue.utf8.count + 1), comparison)
    }
    return (name[...], .equal)
  }

  /// Whether greater values pass.
  private var passesAbove: Bool { self == .gt || self == .gte }
  private var passesBelow: Bool { self == .lt || self == .lte }
  private var isInclusive: Bool { self == .equal || self == .gte || self == .lte }

  /// The range of the values that pass.
  func bounds<Value>(_ value: Value) -> Bounds<Value> {
    let end: Bound<Value> = isInclusive ? .inclusive(value) : .exclusive(value)
    return Bounds(lower: passesBelow ? .unbounded : end, upper: passesAbove ? .unbounded : end)
  }

  /// The predicate that an attribute passes.
  func predicate(_ attribute: Attribute, _ number: Predicate.ExactNumber) -> Predicate {
    let end = Predicate.End(number, isInclusive: isInclusive)
    return .range(attribute, from: passesBelow ? nil : end, to: passesAbove ? nil : end)
  }
}
