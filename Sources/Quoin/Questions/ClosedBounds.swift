/// A value whose ranges can be written with closed ends.
protocol SteppedValue: Comparable, Hashable {
  /// The smallest value above this one, and the largest value below it; nil if there is none.
  var successor: Self? { get }
  var predecessor: Self? { get }
  /// Every value that is not missing.
  static var allValues: ClosedRange<Self> { get }
}

extension Double: SteppedValue {
  var successor: Double? { self == .infinity || isNaN ? nil : nextUp }
  var predecessor: Double? { self == -.infinity || isNaN ? nil : nextDown }
  static var allValues: ClosedRange<Double> { -.infinity ... .infinity }
}

extension Int64: SteppedValue {
  var successor: Int64? { self == .max ? nil : self + 1 }
  var predecessor: Int64? { self == .min ? nil : self - 1 }
  static var allValues: ClosedRange<Int64> { .min + 1 ... .max }
}

extension SteppedValue {
  /// The ranges of all values outside `range`.
  static func complement(_ range: ClosedRange<Self>?) -> [ClosedRange<Self>] {
    guard let range else { return [allValues] }
    let below = Bounds(upper: .exclusive(range.lowerBound)).closed
    let above = Bounds(lower: .exclusive(range.upperBound)).closed
    return [below, above].compactMap { $0 }
  }
}

extension Bounds where Value: SteppedValue {
  /// The same values between closed ends; nil if there are no such values.
  var closed: ClosedRange<Value>? {
    guard let lower = lowest, let upper = highest else { return nil }
    let (first, last) = (max(lower, Value.allValues.lowerBound), upper)
    // A NaN end compares as false.
    return first <= last ? first...last : nil
  }

  private var lowest: Value? {
    switch lower {
    case .unbounded: Value.allValues.lowerBound
    case .inclusive(let value): value == value ? value : nil
    case .exclusive(let value): value.successor
    }
  }

  private var highest: Value? {
    switch upper {
    case .unbounded: Value.allValues.upperBound
    case .inclusive(let value): value == value ? value : nil
    case .exclusive(let value): value.predecessor
    }
  }
}

extension Bounds<TradingDay> {
  var dayNumbers: Bounds<Int64> { Bounds<Int64>(lower: lower.dayNumber, upper: upper.dayNumber) }
}

extension Bound<TradingDay> {
  fileprivate var dayNumber: Bound<Int64> {
    switch self {
    case .unbounded: .unbounded
    case .inclusive(let day): .inclusive(Int64(day.daysSince1970))
    case .exclusive(let day): .exclusive(Int64(day.daysSince1970))
    }
  }
}
