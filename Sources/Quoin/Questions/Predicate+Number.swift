extension Predicate {
  /// A number that an attribute can be compared with: a `Double`, a `Float`, or an integer of any type.
  ///
  /// A further integer or floating-point type needs no more than `extension MyInteger: Predicate.Number {}`.
  public protocol Number: Sendable {
    /// The number, free of its type.
    var exactNumber: ExactNumber { get }
  }

  /// A number free of its type: where it lies among the values that an attribute can have.
  public struct ExactNumber: Hashable, Sendable {
    /// The nearest float64. NaN if it isn't a number.
    package let nearest: Double
    /// Where the number lies, seen from `nearest`.
    package let direction: Direction
    /// Where it lies among the int64s.
    package let integerPosition: IntegerPosition

    package enum Direction: Hashable, Sendable {
      case below, here, above
    }

    /// A number that stands for the nearest float64 where it is compared with float64s.
    package init(nearest: Double, _ integerPosition: IntegerPosition) {
      (self.nearest, direction, self.integerPosition) = (nearest, .here, integerPosition)
    }

    fileprivate init(_ number: Double) { self.init(nearest: number, IntegerPosition(number)) }

    fileprivate init<Integer: BinaryInteger>(_ number: Integer) {
      nearest = Double(number)
      integerPosition = Int64(exactly: number).map { IntegerPosition.at($0) } ?? (number < 0 ? .belowAll : .aboveAll)
      // Its type may not reach as far as the nearest float64: 2^63 is nearest to 2^63 - 1.
      if let exact = Integer(exactly: nearest) {
        direction = number == exact ? .here : number < exact ? .below : .above
      } else {
        direction = number > 0 ? .below : .above
      }
    }
  }
}

extension Predicate.Number where Self: BinaryFloatingPoint {
  /// The number, free of its type.
  public var exactNumber: Predicate.ExactNumber { Predicate.ExactNumber(Double(self)) }
}

extension Predicate.Number where Self: BinaryInteger {
  /// The number, free of its type.
  public var exactNumber: Predicate.ExactNumber { Predicate.ExactNumber(self) }
}

extension Double: Predicate.Number {}
extension Float: Predicate.Number {}
extension Int: Predicate.Number {}
extension Int8: Predicate.Number {}
extension Int16: Predicate.Number {}
extension Int32: Predicate.Number {}
extension Int64: Predicate.Number {}
extension Int128: Predicate.Number {}
extension UInt: Predicate.Number {}
extension UInt8: Predicate.Number {}
extension UInt16: Predicate.Number {}
extension UInt32: Predicate.Number {}
extension UInt64: Predicate.Number {}
extension UInt128: Predicate.Number {}

/// Where a number lies among the int64s.
package enum IntegerPosition: Hashable, Sendable {
  case belowAll
  case at(Int64)
  /// Above this one and below the next.
  case above(Int64)
  case aboveAll
  /// Nowhere: not a number.
  case nowhere

  init(_ number: Double) {
    if number.isNaN {
      self = .nowhere
    } else if number < -0x1p63 {
      self = .belowAll
    } else if number >= 0x1p63 {
      self = .aboveAll
    } else {
      let whole = number.rounded(.down)
      self = whole == number ? .at(Int64(whole)) : .above(Int64(whole))
    }
  }

  init(magnitude: UInt64, hasFraction: Bool, isNegative: Bool) {
    if !isNegative {
      guard let whole = Int64(exactly: magnitude), whole < .max || !hasFraction else {
        self = .aboveAll
        return
      }
      self = hasFraction ? .above(whole) : .at(whole)
    } else {
      // The floor: -2.5 lies above -3.
      let (floor, overflow) = magnitude.addingReportingOverflow(hasFraction ? 1 : 0)
      guard !overflow, floor <= UInt64(Int64.max) + 1 else {
        self = .belowAll
        return
      }
      let whole = Int64(truncatingIfNeeded: 0 &- floor)
      self = hasFraction ? .above(whole) : .at(whole)
    }
  }

  /// The end of a range whose values lie above this place, or at it when `isInclusive`.
  ///
  /// Where no int64 does, the end is one that no int64 passes, so that the range contains nothing.
  func lowerBound(isInclusive: Bool) -> Bound<Int64> {
    switch self {
    case .belowAll: .unbounded
    case .at(let value): isInclusive ? .inclusive(value) : .exclusive(value)
    case .above(let value): .inclusive(value + 1)
    case .aboveAll, .nowhere: .exclusive(.max)
    }
  }

  /// The end of a range whose values lie below this place, or at it when `isInclusive`.
  func upperBound(isInclusive: Bool) -> Bound<Int64> {
    switch self {
    case .belowAll, .nowhere: .exclusive(.min)
    case .at(let value): isInclusive ? .inclusive(value) : .exclusive(value)
    case .above(let value): .inclusive(value)
    case .aboveAll: .unbounded
    }
  }
}
