import Quoin

/// What `scan --stats` shows: count, missing, extremes, sum and mean of attributes over the selected rows.
struct ColumnStatistics {
  private(set) var table = RecordTable([
    .text("column"), .number("count"), .number("missing"), .number("min"), .number("max"), .number("sum"),
    .number("mean"),
  ])
  private(set) var rowCount = 0

  init(of names: [AttributeName], in query: QuoteQuery) throws {
    guard !names.isEmpty else { throw UsageError("--stats needs a column of numbers; name one with --columns close") }
    for name in names {
      if let attribute = Attribute<Double>(name: name) { append(name, try query.aggregate(attribute)) }
      if let attribute = Attribute<Int64>(name: name) { append(name, try query.aggregate(attribute)) }
    }
  }

  private mutating func append<Value>(_ name: AttributeName, _ aggregate: Aggregate<Value>) {
    rowCount = aggregate.count + aggregate.missingCount
    let isPresent = aggregate.count > 0
    table.rows.append([
      name.wikiName, "\(aggregate.count)", "\(aggregate.missingCount)", aggregate.minimum.map(Self.text),
      aggregate.maximum.map(Self.text), isPresent ? Self.text(aggregate.sum) : nil, aggregate.mean.map(Self.text),
    ])
  }

  /// The number as the other forms write it: without an exponent where that is short, and without `.0`.
  private static func text(_ value: some Any) -> String {
    guard let value = value as? Double else { return "\(value)" }
    return value.magnitude < 1e15 && value == value.rounded() ? "\(Int64(value))" : "\(value)"
  }
}
