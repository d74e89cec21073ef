/// What is known of one attribute over the selected quotes.
public struct Aggregate<Value: Summable>: Sendable {
  /// Cells that are there.
  public let count: Int
  /// Cells that are missing; they take no part in anything else.
  public let missingCount: Int
  /// The smallest value; nil without values.
  public let minimum: Value?
  /// The largest value; nil without values.
  public let maximum: Value?
  /// The sum of the values: exactly, in 128 bits, of int64 ones; without rounding but of the result of float64 ones.
  public let sum: Value.Sum
  /// The arithmetic mean; nil without values.
  public let mean: Double?
}

/// A value whose sum is of a type that it fits.
public protocol Summable: AttributeValue {
  /// The type of a sum of any number of values.
  associatedtype Sum: Sendable & CustomStringConvertible
}

extension Int64: Summable {
  /// 128 bits, which no sum of int64 values overflows.
  public typealias Sum = Int128
}

extension Double: Summable {
  /// Float64, rounded once from the exact sum.
  public typealias Sum = Double
}
