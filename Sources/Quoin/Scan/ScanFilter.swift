// A predicate in the form that the scan runs: ranges with closed ends, combined with and, or; no negation is left.
//
// A row is selected if the predicate is known to hold. Each `not` is pushed down to the ranges (De Morgan), and these are
// complemented within the values that are not missing. Then "unknown" is the same as "false" everywhere: the remaining
// operators are monotone, so an unknown part can't make the whole true (Kleene's three-valued logic).

/// A condition on one column.
enum Condition: Hashable, Sendable {
  case double(Attribute, ClosedRange<Double>)
  /// An int64 column, or the days.
  case integer(ColumnSection, ClosedRange<Int64>)
  case isMissing(Attribute)

  var section: ColumnSection {
    switch self {
    case .double(let name, _), .isMissing(let name): .attribute(name)
    case .integer(let section, _): section
    }
  }
}

/// Conditions combined; `leaf` is an index into the scan's conditions.
indirect enum ScanFilter: Hashable, Sendable {
  case leaf(Int)
  case all([ScanFilter])
  case any([ScanFilter])

  static let everything = ScanFilter.all([])
  static let nothing = ScanFilter.any([])
}

/// A predicate's conditions and how they are combined.
struct NormalizedPredicate: Sendable {
  private(set) var conditions: [Condition] = []
  private(set) var filter = ScanFilter.everything

  /// - Throws: `StoreError.predicateTooDeep` for a predicate of more than `Limits.predicateLevels`.
  init(_ predicate: Predicate) throws(StoreError) {
    filter = try normalized(predicate, isNegated: false)
  }

  private mutating func normalized(_ predicate: Predicate, isNegated: Bool) throws(StoreError) -> ScanFilter {
    switch predicate.form {
    case .double(let attribute, let bounds):
      let ranges = isNegated ? Double.complement(bounds.closed) : [bounds.closed].compactMap { $0 }
      return alternatives(ranges.map { .double(attribute.name, $0) })
    case .integer(let attribute, let bounds):
      return integers(bounds.closed, .attribute(attribute.name), isNegated: isNegated)
    case .date(let bounds):
      return integers(bounds.dayNumbers.closed, .date, isNegated: isNegated)
    case .isMissing(let name):
      return alternatives([isNegated ? Self.isPresent(name) : .isMissing(name)])
    case .all(let parts):
      let parts = try normalized(parts, isNegated: isNegated)
      return isNegated ? .any(parts) : .all(parts)
    case .any(let parts):
      let parts = try normalized(parts, isNegated: isNegated)
      return isNegated ? .all(parts) : .any(parts)
    case .not(let part):
      return try normalized(part, isNegated: !isNegated)
    case .tooDeep:
      throw .predicateTooDeep(levelCountMax: Limits.predicateLevels)
    }
  }

  private mutating func normalized(_ parts: [Predicate], isNegated: Bool) throws(StoreError) -> [ScanFilter] {
    var filters: [ScanFilter] = []
    for part in parts { filters.append(try normalized(part, isNegated: isNegated)) }
    return filters
  }

  private mutating func integers(
    _ range: ClosedRange<Int64>?, _ section: ColumnSection, isNegated: Bool
  ) -> ScanFilter {
    let ranges = isNegated ? Int64.complement(range) : [range].compactMap { $0 }
    return alternatives(ranges.map { .integer(section, $0) })
  }

  /// The filter by which one of these conditions holds.
  private mutating func alternatives(_ conditions: [Condition]) -> ScanFilter {
    let first = self.conditions.count
    self.conditions += conditions
    let leaves = conditions.indices.map { ScanFilter.leaf(first + $0) }
    return leaves.count == 1 ? leaves[0] : .any(leaves)
  }

  /// The widest range: it has every cell with a value, and no missing cell.
  private static func isPresent(_ name: Attribute) -> Condition {
    switch name.key {
    case .double: .double(name, Double.allValues)
    case .integer: .integer(.attribute(name), Int64.allValues)
    }
  }
}

/// A value whose ranges can be written with closed ends.
protocol SteppedValue: Comparable, Hashable {
  /// The smallest value above this one, and the largest value below it; nil if there is none.
  var successor: Self? { get }
  var predecessor: Self? { get }
  /// Every value that is not missing.
  static var allValues: ClosedRange<Self> { get }
}

extension Double: SteppedValue {
  var successor: Double? { self == .infinity || isNaN ? nil : nextUp }
  var predecessor: Double? { self == -.infinity || isNaN ? nil : nextDown }
  static var allValues: ClosedRange<Double> { -.infinity ... .infinity }
}

extension Int64: SteppedValue {
  var successor: Int64? { self == .max ? nil : self + 1 }
  var predecessor: Int64? { self == .min ? nil : self - 1 }
  static var allValues: ClosedRange<Int64> { .min + 1 ... .max }
}

extension SteppedValue {
  /// The ranges of all values outside `range`.
  static func complement(_ range: ClosedRange<Self>?) -> [ClosedRange<Self>] {
    guard let range else { return [allValues] }
    let below = Bounds(upper: .exclusive(range.lowerBound)).closed
    let above = Bounds(lower: .exclusive(range.upperBound)).closed
    return [below, above].compactMap { $0 }
  }
}

extension Bounds where Value: SteppedValue {
  /// The same values between closed ends; nil if there are no such values.
  var closed: ClosedRange<Value>? {
    guard let lower = lowest, let upper = highest else { return nil }
    let (first, last) = (max(lower, Value.allValues.lowerBound), upper)
    // A NaN end compares as false.
    return first <= last ? first...last : nil
  }

  private var lowest: Value? {
    switch lower {
    case .unbounded: Value.allValues.lowerBound
    case .inclusive(let value): value == value ? value : nil
    case .exclusive(let value): value.successor
    }
  }

  private var highest: Value? {
    switch upper {
    case .unbounded: Value.allValues.upperBound
    case .inclusive(let value): value == value ? value : nil
    case .exclusive(let value): value.predecessor
    }
  }
}

extension Bounds<TradingDay> {
  var dayNumbers: Bounds<Int64> { Bounds<Int64>(lower: lower.dayNumber, upper: upper.dayNumber) }
}

extension Bound<TradingDay> {
  fileprivate var dayNumber: Bound<Int64> {
    switch self {
    case .unbounded: .unbounded
    case .inclusive(let day): .inclusive(Int64(day.daysSince1970))
    case .exclusive(let day): .exclusive(Int64(day.daysSince1970))
    }
  }
}
