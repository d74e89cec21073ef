import Quoin

/// What `scan --stats` shows: count, missing, extremes, sum and mean of attributes over the selected rows.
struct ColumnStatistics {
  private(set) var table = RecordTable([
    .text("column"), .number("count"), .number("missing"), .number("min"), .number("max"), .number("sum"),
    .number("mean"),
  ])
  private(set) var rowCount = 0

  init(of names: [AttributeName], in query: QuoteQuery) throws {
    for name in names {
      if let attribute = Attribute<Double>(name: name) { append(name, try query.aggregate(attribute)) }
      if let attribute = Attribute<Int64>(name: name) { append(name, try query.aggregate(attribute)) }
    }
  }

  private mutating func append<Value>(_ name: AttributeName, _ aggregate: Aggregate<Value>) {
    rowCount = aggregate.count + aggregate.missingCount
    table.rows.append([
      name.wikiName, "\(aggregate.count)", "\(aggregate.missingCount)", aggregate.minimum.map { "\($0)" },
      aggregate.maximum.map { "\($0)" }, aggregate.count > 0 ? "\(aggregate.sum)" : nil,
      aggregate.mean.map { "\($0)" },
    ])
  }
}
