// A range of an attribute. Its ends may be numbers of any type. They keep their exact meaning: a whole volume above 1.5 is one of at
// least 2, and a high above 2^53 + 1, which no float64 is, is one of at least 2^53 + 2.

extension Predicate {
  /// A range of numbers that an attribute can lie in: `70...75`, `70..<75`, `70...`, `...75`, `..<75`.
  public protocol NumberRange {
    /// The condition that an attribute lies in this range.
    func predicate(on attribute: Attribute) -> Predicate
  }

  /// The attribute lies within `range`: `.range(.high, 80...83)`, `.range(.volume, 1_000_000...)`.
  ///
  /// The numbers may be of any `Number` type, whatever the type of the attribute, and are compared exactly.
  public static func range(_ attribute: Attribute, _ range: some NumberRange) -> Predicate {
    range.predicate(on: attribute)
  }

  /// The attribute lies between two numbers, which are themselves outside: `.range(.high, above: 80, below: 83.5)`.
  ///
  /// Without any number, every value that isn't missing does. The numbers may be of any `Number` type, also of two, and are
  /// compared exactly. No value is above or below a NaN.
  public static func range(
    _ attribute: Attribute, above lower: (any Number)? = nil, below upper: (any Number)? = nil
  ) -> Predicate {
    range(attribute, from: lower.map { End.excluding($0) }, to: upper.map { End.excluding($0) })
  }

  /// One end of a range, which may itself be inside.
  package struct End {
    let number: ExactNumber
    let isInclusive: Bool

    package init(_ number: ExactNumber, isInclusive: Bool) { (self.number, self.isInclusive) = (number, isInclusive) }

    static func including(_ number: some Number) -> End { End(number.exactNumber, isInclusive: true) }
    static func excluding(_ number: some Number) -> End { End(number.exactNumber, isInclusive: false) }
  }

  /// The attribute lies between two ends; nil has no limit.
  package static func range(_ attribute: Attribute, from lower: End?, to upper: End?) -> Predicate {
    switch attribute.key {
    case .double(let key):
      .double(key, Bounds(lower: lower?.lowerDouble ?? .unbounded, upper: upper?.upperDouble ?? .unbounded))
    case .integer(let key):
      .integer(
        key,
        WholeBounds(
          whole: Bounds(lower: lower?.lowerInteger ?? .unbounded, upper: upper?.upperInteger ?? .unbounded),
          exact: Bounds(
            lower: lower?.wholeIfAny.lowerDouble ?? .unbounded, upper: upper?.wholeIfAny.upperDouble ?? .unbounded)))
    }
  }
}

/// The bounds of a number of shares: of whole ones, and of those with fractions. Which of the two are asked for, the store says.
struct WholeBounds: Hashable, Sendable {
  let whole: Bounds<Int64>
  let exact: Bounds<Double>

  init(whole: Bounds<Int64>, exact: Bounds<Double>) { (self.whole, self.exact) = (whole, exact) }

  init(_ whole: Bounds<Int64>) {
    self.whole = whole
    exact = Bounds(lower: whole.lower.end?.lowerDouble ?? .unbounded, upper: whole.upper.end?.upperDouble ?? .unbounded)
  }

  /// Whether the ends are whole numbers.
  var areWhole: Bool { self == WholeBounds(whole) }
}

extension Bound<Int64> {
  fileprivate var end: Predicate.End? {
    switch self {
    case .unbounded: nil
    case .inclusive(let number): .including(number)
    case .exclusive(let number): .excluding(number)
    }
  }
}

extension Predicate.End {
  // Where the number lies between two float64s, they are on either side of the end, whether or not it is itself inside.

  fileprivate var lowerDouble: Bound<Double> {
    switch number.direction {
    case .here: isInclusive ? .inclusive(number.nearest) : .exclusive(number.nearest)
    case .below: .inclusive(number.nearest)
    case .above: .exclusive(number.nearest)
    }
  }

  fileprivate var upperDouble: Bound<Double> {
    switch number.direction {
    case .here: isInclusive ? .inclusive(number.nearest) : .exclusive(number.nearest)
    case .below: .exclusive(number.nearest)
    case .above: .inclusive(number.nearest)
    }
  }

  /// The same end, whose number isn't taken for the nearest float64 if it is an int64.
  fileprivate var wholeIfAny: Predicate.End {
    guard case .at(let number) = number.integerPosition else { return self }
    return Predicate.End(number.exactNumber, isInclusive: isInclusive)
  }

  fileprivate var lowerInteger: Bound<Int64> { number.integerPosition.lowerBound(isInclusive: isInclusive) }
  fileprivate var upperInteger: Bound<Int64> { number.integerPosition.upperBound(isInclusive: isInclusive) }
}

extension ClosedRange: Predicate.NumberRange where Bound: Predicate.Number {
  /// The attribute lies in this range; both ends are inside.
  public func predicate(on attribute: Attribute) -> Predicate {
    .range(attribute, from: .including(lowerBound), to: .including(upperBound))
  }
}

extension Range: Predicate.NumberRange where Bound: Predicate.Number {
  /// The attribute lies in this range; the lower end is inside and the upper one outside.
  public func predicate(on attribute: Attribute) -> Predicate {
    .range(attribute, from: .including(lowerBound), to: .excluding(upperBound))
  }
}

extension PartialRangeFrom: Predicate.NumberRange where Bound: Predicate.Number {
  /// The attribute lies in this range; the lower end is inside, and there is no upper one.
  public func predicate(on attribute: Attribute) -> Predicate {
    .range(attribute, from: .including(lowerBound), to: nil)
  }
}

extension PartialRangeThrough: Predicate.NumberRange where Bound: Predicate.Number {
  /// The attribute lies in this range; the upper end is inside, and there is no lower one.
  public func predicate(on attribute: Attribute) -> Predicate {
    .range(attribute, from: nil, to: .including(upperBound))
  }
}

extension PartialRangeUpTo: Predicate.NumberRange where Bound: Predicate.Number {
  /// The attribute lies in this range; the upper end is outside, and there is no lower one.
  public func predicate(on attribute: Attribute) -> Predicate {
    .range(attribute, from: nil, to: .excluding(upperBound))
  }
}
