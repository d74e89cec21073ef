/// Count, extremes, sum and mean of one attribute over the selected quotes.
public struct Aggregate<Value: Summable>: Sendable {
  /// Cells with a value.
  public let count: Int
  /// Missing cells. The other aggregates ignore them.
  public let missingCount: Int
  /// The smallest value; nil if there are no values.
  public let minimum: Value?
  /// The largest value; nil if there are no values.
  public let maximum: Value?
  /// The sum of the values: exact, in 128 bits, for int64; exact and then rounded once for float64.
  public let sum: Value.Sum
  /// The arithmetic mean; nil if there are no values.
  public let mean: Double?
}

/// A value whose sums have a type that holds them.
public protocol Summable: AttributeValue {
  /// The type of the sum of any number of values.
  associatedtype Sum: Sendable & CustomStringConvertible
}

extension Int64: Summable {
  /// 128 bits, which no sum of int64 values can overflow.
  public typealias Sum = Int128
}

extension Double: Summable {
  /// Float64, rounded once from the exact sum.
  public typealias Sum = Double
}
