extension Aggregation {
  /// Whether it can be measured block by block, without making a column of what it is of.
  var isOfBlocks: Bool {
    guard expression != nil else { return true }
    guard attribute != nil else { return false }
    return measures != nil
  }

  /// What it takes of blocks; nil if it takes their rows.
  fileprivate var measures: Measures? { AggregateFunction.computing(function)?.measures }
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
        guard let wanted = aggregation.measures else { preconditionFailure("blocks have no \(aggregation)") }
        measures[name, default: []].formUnion(wanted)
      } else {
        countsRows = true
      }
    }
  }
}
