/// Which rows a scan selects: ranges on attributes and on the date, combined with and, or, not.
///
/// A missing cell is in no range and outside no range, like NULL in SQL: neither `high in 1...2` nor its negation selects the
/// row. Only `isMissing` does.
public indirect enum Predicate: Hashable, Sendable {
  /// The float64 attribute lies within the bounds.
  case double(TypedAttribute<Double>, Bounds<Double>)
  /// The int64 attribute lies within the bounds.
  case integer(TypedAttribute<Int64>, Bounds<Int64>)
  /// The day lies within the bounds.
  case date(Bounds<TradingDay>)
  /// The cell is missing.
  case isMissing(Attribute)
  /// Every part holds. Without parts, every row is selected.
  case all([Predicate])
  /// At least one part holds. Without parts, no row is selected.
  case any([Predicate])
  /// The part is known not to hold.
  case not(Predicate)

  /// The float64 attribute lies within `range`: `.range(.high, 80...83)`.
  public static func range(_ attribute: TypedAttribute<Double>, _ range: some BoundsExpression<Double>) -> Predicate {
    .double(attribute, range.bounds)
  }

  /// The int64 attribute lies within `range`: `.range(.volume, 1_000_000...)`.
  public static func range(_ attribute: TypedAttribute<Int64>, _ range: some BoundsExpression<Int64>) -> Predicate {
    .integer(attribute, range.bounds)
  }

  /// Both hold. A chain of them is one `all`, however long it is. Complexity: O(length of the chains).
  public static func && (a: Predicate, b: Predicate) -> Predicate { .all(a.conjuncts + b.conjuncts) }

  /// One holds, or both. A chain of them is one `any`, however long it is. Complexity: O(length of the chains).
  public static func || (a: Predicate, b: Predicate) -> Predicate { .any(a.disjuncts + b.disjuncts) }

  /// The part is known not to hold.
  public static prefix func ! (a: Predicate) -> Predicate { .not(a) }

  private var conjuncts: [Predicate] {
    if case .all(let parts) = self { return parts }
    return [self]
  }

  private var disjuncts: [Predicate] {
    if case .any(let parts) = self { return parts }
    return [self]
  }
}
