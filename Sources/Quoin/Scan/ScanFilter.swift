// A predicate in the form that the scan runs: ranges with closed ends, combined with and, or; no negation is left.
//
// A row is selected if the predicate is known to hold. Each `not` is pushed down to the ranges (De Morgan), and these are
// complemented within the values that are not missing. Then "unknown" is the same as "false" everywhere: the remaining
// operators are monotone, so an unknown part can't make the whole true (Kleene's three-valued logic).

/// A condition on one column, or one that has to be computed.
enum Condition: Sendable {
  case double(Attribute, ClosedRange<Double>)
  /// An int64 column, or the days.
  case integer(ColumnSection, ClosedRange<Int64>)
  case isMissing(Attribute)
  /// The ticker matches, or doesn't.
  case ticker(TickerPattern, Bool)
  /// The program's value is this one.
  case computed(Program, Double)

  /// What is read of the blocks.
  var sections: [ColumnSection] {
    switch self {
    case .double(let name, _), .isMissing(let name): [.attribute(name)]
    case .integer(let section, _): [section]
    case .ticker: []
    case .computed(let program, _): program.sections
    }
  }
}

extension Condition {
  /// The column of which this is a range; nil if it is something else.
  fileprivate var rangedColumn: ColumnSection? {
    switch self {
    case .double(let name, _): .attribute(name)
    case .integer(let section, _): section
    case .isMissing, .ticker, .computed: nil
    }
  }

  /// The range of the values that are in this one and in another of the same column; nil if there are none.
  fileprivate func intersection(_ other: Condition) -> Condition? {
    switch (self, other) {
    case (.double(let name, let x), .double(_, let y)): x.intersection(y).map { .double(name, $0) }
    case (.integer(let section, let x), .integer(_, let y)): x.intersection(y).map { .integer(section, $0) }
    default: preconditionFailure("these are ranges of one column")
    }
  }
}

extension Program {
  /// What is read of the blocks to evaluate it.
  var sections: [ColumnSection] { (readsDays ? [.date] : []) + attributes.names.map(ColumnSection.attribute) }
}

/// Conditions combined; `leaf` is an index into the scan's conditions.
indirect enum ScanFilter: Hashable, Sendable {
  case leaf(Int)
  case all([ScanFilter])
  case any([ScanFilter])

  static let everything = ScanFilter.all([])
  static let nothing = ScanFilter.any([])

  /// The conditions, in order.
  var leaves: [Int] {
    switch self {
    case .leaf(let index): [index]
    case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
    }
  }

  /// The same filter with other numbers for the conditions.
  func mapLeaves(_ number: (Int) -> Int) -> ScanFilter {
    switch self {
    case .leaf(let index): .leaf(number(index))
    case .all(let parts): .all(parts.map { $0.mapLeaves(number) })
    case .any(let parts): .any(parts.map { $0.mapLeaves(number) })
    }
  }
}

/// A predicate's conditions and how they are combined.
struct NormalizedPredicate: Sendable {
  private(set) var conditions: [Condition] = []
  /// For each condition, the part of the predicate that it is of.
  private(set) var parts: [Predicate] = []
  private(set) var filter = ScanFilter.everything

  /// Whether volumes are float64s.
  private let hasFractions: Bool

  /// - Throws: `StoreError.predicateTooDeep` for a predicate of more than `Limits.predicateLevels`.
  init(_ predicate: Predicate, hasFractions: Bool) throws(StoreError) {
    self.hasFractions = hasFractions
    if case .all(let parts) = predicate.form {
      let parts = try normalized(parts, isNegated: false)
      filter = intersection(of: parts)
    } else {
      filter = try normalized(predicate, isNegated: false)
    }
    dropUnusedConditions()
  }

  private mutating func normalized(_ predicate: Predicate, isNegated: Bool) throws(StoreError) -> ScanFilter {
    defer {
      let part = isNegated ? !predicate : predicate
      while parts.count < conditions.count { parts.append(part) }
    }
    // A filter is a tree, which such a predicate would fill, or make deep; in a program's steps it stays as small as it is.
    if predicate.isIntricate { return try computed(predicate, isNegated: isNegated) }
    switch predicate.form {
    case .double(let attribute, let bounds): return doubles(bounds.closed, attribute.name, isNegated: isNegated)
    case .integer(let attribute, let bounds) where hasFractions:
      return doubles(bounds.exact.closed, attribute.name, isNegated: isNegated)
    case .integer(let attribute, let bounds):
      return integers(bounds.whole.closed, .attribute(attribute.name), isNegated: isNegated)
    case .date(let bounds):
      return integers(bounds.dayNumbers.closed, .date, isNegated: isNegated)
    case .isMissing(let name):
      return alternatives([isNegated ? isPresent(name) : .isMissing(name)])
    case .ticker(let pattern): return alternatives([.ticker(pattern, !isNegated)])
    case .comparison, .hasNoValue, .holds: return try computed(predicate, isNegated: isNegated)
    case .all(let parts):
      let parts = try normalized(parts, isNegated: isNegated)
      return isNegated ? .any(parts) : intersection(of: parts)
    case .any(let parts):
      let parts = try normalized(parts, isNegated: isNegated)
      return isNegated ? intersection(of: parts) : .any(parts)
    case .not(let part):
      return try normalized(part, isNegated: !isNegated)
    case .tooDeep:
      throw .predicateTooDeep(levelCountMax: Limits.predicateLevels)
    }
  }

  private mutating func computed(_ predicate: Predicate, isNegated: Bool) throws(StoreError) -> ScanFilter {
    alternatives([.computed(try Program(predicate), isNegated ? 0 : 1)])
  }

  private mutating func normalized(_ parts: [Predicate], isNegated: Bool) throws(StoreError) -> [ScanFilter] {
    var filters: [ScanFilter] = []
    for part in parts { filters.append(try normalized(part, isNegated: isNegated)) }
    return filters
  }

  private mutating func doubles(_ range: ClosedRange<Double>?, _ name: Attribute, isNegated: Bool) -> ScanFilter {
    let ranges = isNegated ? Double.complement(range) : [range].compactMap { $0 }
    return alternatives(ranges.map { .double(name, $0) })
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

  /// The filter by which all of these hold. The ranges of one column become one, so that each of its blocks is looked at once.
  private mutating func intersection(of filters: [ScanFilter]) -> ScanFilter {
    var kept: [ScanFilter] = []
    // The first range of each column, and what all ranges of a column that has several are of.
    var ranges = [Int?](repeating: nil, count: ColumnSection.count)
    var shared: [Int: [Predicate]] = [:]
    for filter in filters {
      let operands = if case .all(let inner) = filter { inner } else { [filter] }
      for operand in operands {
        guard case .leaf(let leaf) = operand, let column = conditions[leaf].rangedColumn else {
          kept.append(operand)
          continue
        }
        guard let earlier = ranges[column.index] else {
          ranges[column.index] = leaf
          kept.append(operand)
          continue
        }
        guard let both = conditions[earlier].intersection(conditions[leaf]) else { return .nothing }
        conditions[earlier] = both
        shared[earlier, default: [parts[earlier]]].append(parts[leaf])
      }
    }
    for (leaf, parts) in shared { self.parts[leaf] = .all(parts) }
    return kept.count == 1 ? kept[0] : .all(kept)
  }

  /// Forgets the conditions that the filter doesn't have, and numbers the others anew.
  private mutating func dropUnusedConditions() {
    let leaves = filter.leaves.sorted()
    if leaves.elementsEqual(conditions.indices) { return }
    let numbers = Dictionary(uniqueKeysWithValues: zip(leaves, leaves.indices))
    (conditions, parts) = (leaves.map { conditions[$0] }, leaves.map { parts[$0] })
    filter = filter.mapLeaves { leaf in numbers[leaf, default: leaf] }
  }

  /// The widest range: it has every cell with a value, and no missing cell.
  private func isPresent(_ name: Attribute) -> Condition {
    switch name.key {
    case .double: .double(name, Double.allValues)
    case .integer where hasFractions: .double(name, Double.allValues)
    case .integer: .integer(.attribute(name), Int64.allValues)
    }
  }
}

extension ClosedRange {
  /// What is in this range and in another; nil if nothing is.
  fileprivate func intersection(_ other: ClosedRange) -> ClosedRange? { overlaps(other) ? clamped(to: other) : nil }
}
