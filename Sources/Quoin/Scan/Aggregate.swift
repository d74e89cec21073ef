/// Count, extremes, sum and mean of one attribute over the selected quotes.
public struct Aggregate: Hashable, Sendable {
  /// Cells with a value.
  public let count: Int
  /// Missing cells. The other aggregates ignore them.
  public let missingCount: Int
  /// The smallest value; nil if there are no values, or if it is infinite.
  public let minimum: Double?
  /// The largest value; nil if there are no values, or if it is infinite.
  public let maximum: Double?
  /// The sum of the values, rounded once. 0 without values, and NaN if it isn't finite.
  public let sum: Double
  /// The arithmetic mean; nil if there are no values, or if it isn't finite.
  public let mean: Double?
  /// Extremes and sum in whole numbers, exact however large they are; nil if the attribute is a float64, as volumes are in a store
  /// where some have a fraction.
  public let integers: Integers?

  /// Extremes and sum of an int64 attribute.
  public struct Integers: Hashable, Sendable {
    /// The smallest value; nil if there are no values.
    public let minimum: Int64?
    /// The largest value; nil if there are no values.
    public let maximum: Int64?
    /// The sum of the values, which 128 bits always hold.
    public let sum: Int128
  }

  /// The aggregations that are needed for all of this.
  static func aggregations(of attribute: Attribute) -> [Aggregation] {
    [.count, .count(attribute), .min(attribute), .max(attribute), .sum(attribute), .mean(attribute)]
  }

  /// The only row of a table of these aggregations.
  init(_ table: AggregateTable, of attribute: Attribute) {
    let double = { (aggregation: Aggregation) in table.doubles(aggregation).first.flatMap { $0 } }
    let integer = { (aggregation: Aggregation) in table.integers(aggregation).first.flatMap { $0 } }
    count = integer(.count(attribute)).map { Int($0) } ?? 0
    missingCount = (integer(.count).map { Int($0) } ?? 0) - count
    minimum = double(.min(attribute))
    maximum = double(.max(attribute))
    sum = count == 0 ? 0 : double(.sum(attribute)) ?? .nan
    mean = double(.mean(attribute))
    integers =
      switch table[.min(attribute)] {
      case .doubles, .sums, .days: nil
      case .integers:
        Integers(
          minimum: integer(.min(attribute)).map { Int64($0) }, maximum: integer(.max(attribute)).map { Int64($0) },
          sum: integer(.sum(attribute)) ?? 0)
      }
  }
}
