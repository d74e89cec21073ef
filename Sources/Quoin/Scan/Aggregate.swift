/// What is known of one attribute over the selected quotes.
public struct Aggregate<Value: AttributeValue & Summable>: Sendable {
  /// Cells that are there.
  public private(set) var count = 0
  /// Cells that are missing; they take no part in anything else.
  public private(set) var missingCount = 0
  /// The smallest value; nil without values.
  public private(set) var minimum: Value?
  /// The largest value; nil without values.
  public private(set) var maximum: Value?
  private var accumulator = Value.Accumulator()

  init() {}

  /// The sum: of int64 values exactly, in 128 bits; of float64 values as if computed in about 106 bits and rounded once.
  public var sum: Value.Sum { accumulator.sum }

  /// The arithmetic mean; nil without values.
  public var mean: Double? { count > 0 ? accumulator.mean(of: count) : nil }

  mutating func add(_ value: Value) {
    guard !value.isMissing else {
      missingCount += 1
      return
    }
    count += 1
    accumulator.add(value)
    minimum = minimum.map { value < $0 ? value : $0 } ?? value
    maximum = maximum.map { value > $0 ? value : $0 } ?? value
  }
}

/// A value that can be added up without overflow or drift.
public protocol Summable {
  associatedtype Sum: Sendable & CustomStringConvertible
  associatedtype Accumulator: SumAccumulator where Accumulator.Value == Self, Accumulator.Sum == Sum
}

/// A running sum.
public protocol SumAccumulator: Sendable {
  associatedtype Value
  associatedtype Sum
  init()
  mutating func add(_ value: Value)
  var sum: Sum { get }
  func mean(of count: Int) -> Double
}

extension Int64: Summable {
  public typealias Accumulator = ExactSum
  public typealias Sum = Int128
}

extension Double: Summable {
  public typealias Accumulator = DoubleDoubleSum
  public typealias Sum = Double
}

/// A sum of int64 values, which no number of rows makes overflow.
public struct ExactSum: SumAccumulator {
  public private(set) var sum: Int128 = 0

  public init() {}

  public mutating func add(_ value: Int64) { sum += Int128(value) }

  public func mean(of count: Int) -> Double { Double(sum) / Double(count) }
}

/// A sum of float64 values that carries the rounding errors along (the two-sum of Knuth; the compensated sum of
/// Neumaier 1974), so that the result doesn't depend on the order of millions of prices.
public struct DoubleDoubleSum: SumAccumulator {
  private var high = 0.0
  private var low = 0.0
  /// The sum of the infinite values alone, which decide whenever there are any: kept apart, so that it doesn't matter
  /// in which order they and huge numbers come.
  private var infinite = 0.0

  public init() {}

  public mutating func add(_ value: Double) {
    guard value.isFinite else {
      infinite += value
      return
    }
    let total = high + value
    // Past the largest number the error is NaN, and the plain sum is all there is.
    let error = high.magnitude >= value.magnitude ? (high - total) + value : (value - total) + high
    high = total
    if error.isFinite { low += error }
  }

  public var sum: Double {
    if infinite != 0 { return infinite }
    return high.isFinite ? high + low : high
  }

  public func mean(of count: Int) -> Double { sum / Double(count) }
}
