extension QuoteExpression: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
}

extension QuoteExpression {
  /// The sum; missing if a value is.
  public static func + (x: QuoteExpression, y: QuoteExpression) -> QuoteExpression { QuoteExpression(.add, [x, y]) }
  /// The difference; missing if a value is.
  public static func - (x: QuoteExpression, y: QuoteExpression) -> QuoteExpression {
    QuoteExpression(.subtract, [x, y])
  }
  /// The product; missing if a value is.
  public static func * (x: QuoteExpression, y: QuoteExpression) -> QuoteExpression {
    QuoteExpression(.multiply, [x, y])
  }
  /// The quotient; missing if the divisor is 0.
  public static func / (x: QuoteExpression, y: QuoteExpression) -> QuoteExpression { QuoteExpression(.divide, [x, y]) }
  /// The number with the other sign.
  public static prefix func - (x: QuoteExpression) -> QuoteExpression { QuoteExpression(.negate, [x]) }

  /// Whether x is below y; unknown if a value is missing, and so is the negation.
  public static func < (x: QuoteExpression, y: QuoteExpression) -> Predicate { .comparison(x, .below, y) }
  /// Whether x is at most y; unknown if a value is missing.
  public static func <= (x: QuoteExpression, y: QuoteExpression) -> Predicate { .comparison(x, .atMost, y) }
  /// Whether x is above y; unknown if a value is missing.
  public static func > (x: QuoteExpression, y: QuoteExpression) -> Predicate { .comparison(x, .above, y) }
  /// Whether x is at least y; unknown if a value is missing.
  public static func >= (x: QuoteExpression, y: QuoteExpression) -> Predicate { .comparison(x, .atLeast, y) }
  /// Whether both are the same number.
  public func isEqual(to other: QuoteExpression) -> Predicate { .comparison(self, .equal, other) }
}
