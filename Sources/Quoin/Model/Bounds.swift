/// One end of a range.
public enum Bound<Value: Comparable & Hashable>: Hashable {
  /// No limit on this side.
  case unbounded
  /// The value itself is inside.
  case inclusive(Value)
  /// The value itself is outside.
  case exclusive(Value)
}

/// A range with closed, open or absent ends.
///
/// Any pair of ends is legal: an inverted range, or one with a NaN end, simply contains nothing.
public struct Bounds<Value: Comparable & Hashable>: Hashable {
  /// The lower end.
  public var lower: Bound<Value>
  /// The upper end.
  public var upper: Bound<Value>

  /// The range between two ends; an end left out has no limit.
  public init(lower: Bound<Value> = .unbounded, upper: Bound<Value> = .unbounded) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether `value` is inside, by the operators of `Value`: a NaN is in no range.
  public func contains(_ value: Value) -> Bool {
    let isAboveLower =
      switch lower {
      case .unbounded: value == value
      case .inclusive(let bound): value >= bound
      case .exclusive(let bound): value > bound
      }
    let isBelowUpper =
      switch upper {
      case .unbounded: true
      case .inclusive(let bound): value <= bound
      case .exclusive(let bound): value < bound
      }
    return isAboveLower && isBelowUpper
  }
}

extension Bound: Sendable where Value: Sendable {}
extension Bounds: Sendable where Value: Sendable {}

/// A range expression that can bound an attribute: `70...75`, `70..<75`, `70...`, `...75`, `..<75`.
public protocol BoundsExpression<Value> {
  /// The type of the range's ends.
  associatedtype Value: Comparable & Hashable
  /// The range's ends.
  var bounds: Bounds<Value> { get }
}

extension Bounds: BoundsExpression {
  /// The range itself.
  public var bounds: Bounds<Value> { self }
}

extension ClosedRange: BoundsExpression where Bound: Hashable {
  /// Both ends are inside.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound), upper: .inclusive(upperBound)) }
}

extension Range: BoundsExpression where Bound: Hashable {
  /// The lower end is inside and the upper one outside.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound), upper: .exclusive(upperBound)) }
}

extension PartialRangeFrom: BoundsExpression where Bound: Hashable {
  /// The lower end is inside; there is no upper one.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound)) }
}

extension PartialRangeThrough: BoundsExpression where Bound: Hashable {
  /// The upper end is inside; there is no lower one.
  public var bounds: Bounds<Bound> { Bounds(upper: .inclusive(upperBound)) }
}

extension PartialRangeUpTo: BoundsExpression where Bound: Hashable {
  /// The upper end is outside; there is no lower one.
  public var bounds: Bounds<Bound> { Bounds(upper: .exclusive(upperBound)) }
}
