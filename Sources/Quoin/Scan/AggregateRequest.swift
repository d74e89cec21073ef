extension Aggregation {
  /// Whether it can be measured block by block, without making a column of what it is of.
  var isOfBlocks: Bool {
    guard expression != nil else { return true }
    guard attribute != nil else { return false }
    return switch function {
    case .count, .min, .max, .sum, .mean, .first, .last: true
    case .std, .distinct, .argmax, .argmin, .quantile, .weightedMean: false
    }
  }
}

extension Measures {
  /// The measures that a function needs.
  init(_ function: Aggregation.Function) {
    switch function {
    case .count: self = .count
    case .min: self = .minimum
    case .max: self = .maximum
    case .sum: self = .sum
    case .mean: self = [.sum, .count]
    case .first: self = .first
    case .last: self = .last
    case .std, .distinct, .argmax, .argmin, .quantile, .weightedMean: preconditionFailure("blocks aren't measured so")
    }
  }
}

/// What a query has to measure of blocks for its aggregates, with each attribute once.
struct AggregateRequest: Sendable {
  let grouping: Grouping?
  private(set) var countsRows = false
  private(set) var measures: [Attribute: Measures] = [:]

  init(_ aggregations: some Sequence<Aggregation>, by grouping: Grouping?) {
    self.grouping = grouping
    for aggregation in aggregations {
      if let name = aggregation.attribute {
        measures[name, default: []].formUnion(Measures(aggregation.function))
      } else {
        countsRows = true
      }
    }
  }
}
