/// One end of a range.
package enum Bound<Value: Comparable & Hashable>: Hashable {
  /// No limit on this side.
  case unbounded
  /// The value itself is inside.
  case inclusive(Value)
  /// The value itself is outside.
  case exclusive(Value)

  /// Whether both are the same end. A NaN is the same as another one, although no value compares with it: what has such an end is
  /// looked up as what it is a part of.
  package static func == (a: Bound, b: Bound) -> Bool {
    switch (a, b) {
    case (.unbounded, .unbounded): true
    case (.inclusive(let x), .inclusive(let y)), (.exclusive(let x), .exclusive(let y)):
      x == y || x != x && y != y
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .unbounded: hasher.combine(0)
    case .inclusive(let value): Self.hash(1, value, into: &hasher)
    case .exclusive(let value): Self.hash(2, value, into: &hasher)
    }
  }

  private static func hash(_ kind: Int, _ value: Value, into hasher: inout Hasher) {
    hasher.combine(kind)
    if value == value { hasher.combine(value) }
  }
}

/// A range with closed, open or absent ends.
///
/// Any pair of ends is legal: an inverted range, or one with a NaN end, simply contains nothing.
package struct Bounds<Value: Comparable & Hashable>: Hashable {
  /// The lower end.
  package var lower: Bound<Value>
  /// The upper end.
  package var upper: Bound<Value>

  /// The range between two ends; an end left out has no limit.
  package init(lower: Bound<Value> = .unbounded, upper: Bound<Value> = .unbounded) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether `value` is inside, by the operators of `Value`: a NaN is in no range.
  package func contains(_ value: Value) -> Bool {
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
