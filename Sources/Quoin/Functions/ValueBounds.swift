// Interval arithmetic: what a program's values in some rows can be, from the extremes of the attributes alone. What isn't finite
// becomes missing, so a bound that is infinite says that a value may be.
//
// An operation that rounds correctly is monotone, so the bounds of its results are its results of bounds. Those that don't are
// given two units in the last place.

/// Between which numbers values lie. There are none if `low` is above `high`.
struct ValueBounds: Equatable {
  var low: Double
  var high: Double
  /// Whether a value may be missing.
  var mayBeMissing: Bool

  static let unknown = ValueBounds(low: -.infinity, high: .infinity, mayBeMissing: true)
  /// All values are missing.
  static let missing = ValueBounds(low: .infinity, high: -.infinity, mayBeMissing: true)

  var isEmpty: Bool { low > high }

  init(low: Double, high: Double, mayBeMissing: Bool) {
    (self.low, self.high, self.mayBeMissing) = (low, high, mayBeMissing)
  }

  /// A truth: 1, 0, both or none of them.
  init(canHold: Bool, canFail: Bool, mayBeMissing: Bool) {
    self = .missing
    self.mayBeMissing = mayBeMissing
    if canHold || canFail { (low, high) = (canFail ? 0 : 1, canHold ? 1 : 0) }
  }

  init(_ value: Double) { self = value.isNaN ? .missing : ValueBounds(low: value, high: value, mayBeMissing: false) }

  var canHold: Bool { high == 1 }
  var canFail: Bool { low == 0 }

  func union(_ other: ValueBounds) -> ValueBounds {
    ValueBounds(
      low: min(low, other.low), high: max(high, other.high), mayBeMissing: mayBeMissing || other.mayBeMissing)
  }

  /// The bounds of a function that rises, or falls, in each operand.
  func mapped(_ other: ValueBounds, _ function: (Double, Double) -> Double) -> ValueBounds {
    if isEmpty || other.isEmpty { return .missing }
    let (a, b) = (function(low, other.low), function(low, other.high))
    let (c, d) = (function(high, other.low), function(high, other.high))
    if a.isNaN || b.isNaN || c.isNaN || d.isNaN { return .unknown }
    // 0 x infinity may lie between.
    let isFinite = low.isFinite && high.isFinite && other.low.isFinite && other.high.isFinite
    let (least, most) = (min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))
    return ValueBounds(
      low: least, high: most,
      mayBeMissing: mayBeMissing || other.mayBeMissing || !(isFinite && least.isFinite && most.isFinite))
  }

  /// The bounds of a function that rises or falls.
  func mapped(_ function: (Double) -> Double) -> ValueBounds {
    if isEmpty { return .missing }
    let (a, b) = (function(low), function(high))
    if a.isNaN || b.isNaN { return .unknown }
    return ValueBounds(
      low: min(a, b), high: max(a, b), mayBeMissing: mayBeMissing || !(a.isFinite && b.isFinite))
  }

  /// Those of values that aren't below `least`; the others become missing.
  func clamped(from least: Double) -> ValueBounds {
    low >= least ? self : high < least ? .missing : ValueBounds(low: least, high: high, mayBeMissing: true)
  }

  /// Room for results that are not rounded correctly.
  var widened: ValueBounds {
    isEmpty ? self : ValueBounds(low: low.nextDown.nextDown, high: high.nextUp.nextUp, mayBeMissing: mayBeMissing)
  }
}
