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
}

/// A predicate's conditions and how they are combined.
struct NormalizedPredicate: Sendable {
  private(set) var conditions: [Condition] = []
  /// For each condition, the part of the predicate that it is of.
  private(set) var parts: [Predicate] = []
  private(set) var filter = ScanFilter.everything

  /// - Throws: `StoreError.predicateTooDeep` for a predicate of more than `Limits.predicateLevels`.
  init(_ predicate: Predicate) throws(StoreError) {
    filter = try normalized(predicate, isNegated: false)
  }

  private mutating func normalized(_ predicate: Predicate, isNegated: Bool) throws(StoreError) -> ScanFilter {
    defer {
      let part = isNegated ? !predicate : predicate
      while parts.count < conditions.count { parts.append(part) }
    }
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
    case .ticker(let pattern): return alternatives([.ticker(pattern, !isNegated)])
    case .comparison, .hasNoValue, .holds:
      return alternatives([.computed(try Program([.truth(predicate)]), isNegated ? 0 : 1)])
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
