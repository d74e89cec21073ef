/// The groups that a question asks for, in its order.
public struct GroupAnswer: Sendable {
  /// The keys of the groups, and the aggregates that the question is made of.
  public let groups: AggregateTable
  /// The question's columns; with an aggregation, if the column is one by itself.
  package let columns: [(name: String, values: AggregateColumn, aggregation: Aggregation?)]
  /// The number of quotes in all groups, wanted or not.
  public let quoteCount: Int

  /// The names of the question's columns, without the keys.
  public var columnNames: [String] { columns.map(\.name) }

  /// The values of a column, one for each group; nil where one is missing. Days are the numbers of days since 1970-01-01.
  ///
  /// - Parameter name: one of `columnNames`; another one traps.
  public func doubles(_ name: String) -> [Double?] {
    switch column(name).values {
    case .doubles(let values): values.map { $0.isNaN ? nil : $0 }
    case .integers(let values): values.map { $0 == .min ? nil : Double($0) }
    case .sums(let values): values.map { $0 == .min ? nil : Double($0) }
    case .days(let values): values.map { $0.map { Double($0.daysSince1970) } }
    }
  }

  /// The values of a column as `quoin scan` prints them, one for each group; nil where one is missing.
  ///
  /// - Parameter name: one of `columnNames`; another one traps.
  public func texts(_ name: String) -> [String?] {
    let column = column(name)
    return (0..<groups.rowCount).map { row in
      column.aggregation.map { column.values.text(at: row, of: $0) } ?? column.values.text(at: row)
    }
  }

  private func column(_ name: String) -> (name: String, values: AggregateColumn, aggregation: Aggregation?) {
    guard let column = columns.first(where: { $0.name == name }) else {
      preconditionFailure("there is no column '\(name)', but \(columnNames.joined(separator: ", "))")
    }
    return column
  }
}
