/// What is known of some columns of a question's rows: count, missing cells, extremes, sum and mean of each.
package struct ColumnStatistics {
  package private(set) var table = RecordTable([
    .text("column"), .number("count"), .number("missing"), .number("min"), .number("max"), .number("sum"),
    .number("mean"),
  ])
  package private(set) var rowCount = 0

  private static let functions: [Aggregation.Function] = [.count, .min, .max, .sum, .mean]

  package init(of names: [Attribute], in query: QuoteQuery) throws(StoreError) {
    let aggregations = names.flatMap { name in Self.functions.map { Aggregation($0, of: name) } }
    let found = try query.aggregate([.count] + aggregations)
    rowCount = Int(found.integers(.count)[0] ?? 0)
    for name in names {
      let count = Int(found.integers(.count(name))[0] ?? 0)
      let rest = Self.functions.dropFirst().map { function in
        let aggregation = Aggregation(function, of: name)
        return found[aggregation].text(at: 0, of: aggregation)
      }
      table.rows.append([name.wikiName, "\(count)", "\(rowCount - count)"] + rest)
    }
  }
}
