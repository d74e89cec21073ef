extension QuoteExpression {
  /// The value of an attribute.
  public static func attribute(_ name: Attribute) -> QuoteExpression { QuoteExpression(.attribute(name)) }

  /// The open.
  public static var open: QuoteExpression { .attribute(.open) }
  /// The high.
  public static var high: QuoteExpression { .attribute(.high) }
  /// The low.
  public static var low: QuoteExpression { .attribute(.low) }
  /// The close.
  public static var close: QuoteExpression { .attribute(.close) }
  /// The volume, as a float64.
  public static var volume: QuoteExpression { .attribute(.volume) }
  /// The dividend.
  public static var exDividend: QuoteExpression { .attribute(.exDividend) }
  /// The split ratio.
  public static var splitRatio: QuoteExpression { .attribute(.splitRatio) }
  /// The adjusted open.
  public static var adjustedOpen: QuoteExpression { .attribute(.adjustedOpen) }
  /// The adjusted high.
  public static var adjustedHigh: QuoteExpression { .attribute(.adjustedHigh) }
  /// The adjusted low.
  public static var adjustedLow: QuoteExpression { .attribute(.adjustedLow) }
  /// The adjusted close.
  public static var adjustedClose: QuoteExpression { .attribute(.adjustedClose) }
  /// The adjusted volume.
  public static var adjustedVolume: QuoteExpression { .attribute(.adjustedVolume) }

  /// A number.
  public static func number(_ value: Double) -> QuoteExpression { QuoteExpression(.number(value.bitPattern)) }

  /// A part of the day, such as its year.
  public static func calendar(_ field: CalendarField) -> QuoteExpression { QuoteExpression(.calendar(field)) }
}

// Functions of one row.
extension QuoteExpression {
  /// The magnitude.
  public static func abs(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.abs, [x]) }
  /// The natural logarithm; missing for negative numbers.
  public static func log(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.log, [x]) }
  /// e to the power of x.
  public static func exp(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.exp, [x]) }
  /// The square root; missing for negative numbers.
  public static func sqrt(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.sqrt, [x]) }
  /// -1, 0 or 1.
  public static func sign(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.sign, [x]) }
  /// The nearest whole number; of two as near, the one farther from 0.
  public static func round(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.round, [x]) }
  /// The largest whole number that isn't above x.
  public static func floor(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.floor, [x]) }
  /// The smallest whole number that isn't below x.
  public static func ceil(_ x: QuoteExpression) -> QuoteExpression { QuoteExpression(.ceil, [x]) }
  /// The larger of two numbers; missing if either is.
  public static func larger(_ x: QuoteExpression, _ y: QuoteExpression) -> QuoteExpression {
    QuoteExpression(.larger, [x, y])
  }
  /// The smaller of two numbers; missing if either is.
  public static func smaller(_ x: QuoteExpression, _ y: QuoteExpression) -> QuoteExpression {
    QuoteExpression(.smaller, [x, y])
  }
  /// The first of two numbers; the second where that is missing.
  public static func coalesce(_ x: QuoteExpression, _ y: QuoteExpression) -> QuoteExpression {
    QuoteExpression(.coalesce, [x, y])
  }
  /// x to the power of y.
  public static func power(_ x: QuoteExpression, _ y: QuoteExpression) -> QuoteExpression {
    QuoteExpression(.power, [x, y])
  }

  /// `x` where the predicate holds, missing elsewhere.
  public static func `if`(_ predicate: Predicate, _ x: QuoteExpression) -> QuoteExpression {
    .if(predicate, x, .number(.missing))
  }

  /// `x` where the predicate holds, `y` where it doesn't, missing where that is unknown.
  public static func `if`(_ predicate: Predicate, _ x: QuoteExpression, _ y: QuoteExpression) -> QuoteExpression {
    QuoteExpression(.choice(predicate, x, y), around: [predicate.size, x.size, y.size])
  }
}

// Functions of other rows.
extension QuoteExpression {
  /// The value `rows` rows earlier; missing where there is no such row. A row is one of the ticker's in the store, not a day of
  /// the calendar.
  public static func prev(_ x: QuoteExpression, _ rows: Int = 1) -> QuoteExpression {
    shifted(x, by: Swift.max(0, rows))
  }

  /// The value `rows` rows later, which looks ahead; missing where there is no such row.
  public static func next(_ x: QuoteExpression, _ rows: Int = 1) -> QuoteExpression {
    shifted(x, by: -Swift.max(0, rows))
  }

  /// The change since `rows` rows earlier, as a share of the value then: `x / prev(x, rows) - 1`.
  public static func change(_ x: QuoteExpression, _ rows: Int = 1) -> QuoteExpression { x / prev(x, rows) - 1 }

  /// The difference to `rows` rows earlier: `x - prev(x, rows)`.
  public static func diff(_ x: QuoteExpression, _ rows: Int = 1) -> QuoteExpression { x - prev(x, rows) }

  /// The value, or the newest one before it if it is missing.
  ///
  /// - Parameter rows: how many rows earlier that may be; nil for any number. More than `Limits.windowRows` - 1 are as many.
  public static func fill(_ x: QuoteExpression, _ rows: Int? = nil) -> QuoteExpression {
    guard let rows else { return .last(x) }
    return .last(x, Swift.min(Swift.max(0, rows), Limits.windowRows - 1) + 1, minimum: 1)
  }

  static func shifted(_ x: QuoteExpression, by rows: Int) -> QuoteExpression {
    rows == 0 ? x : QuoteExpression(.shifted(x, rows), around: [x.size])
  }

  /// A function of the last rows, this one included.
  ///
  /// - Parameter quantile: which one, from 0 to 1, if the function is `quantile`.
  static func window(
    _ function: WindowFunction, _ inputs: [QuoteExpression], _ span: WindowSpan, quantile: Double? = nil
  ) -> QuoteExpression {
    QuoteExpression(.window(function, inputs, span, quantile), around: inputs.map(\.size) + span.sizes)
  }

  static func indicator(_ indicator: Indicator, _ inputs: [QuoteExpression], _ numbers: [Double]) -> QuoteExpression {
    QuoteExpression(.indicator(indicator, inputs, numbers), around: inputs.map(\.size))
  }

  static func flag(_ function: FlagFunction, _ predicate: Predicate, _ span: WindowSpan) -> QuoteExpression {
    QuoteExpression(.flag(function, predicate, span), around: [predicate.size] + span.sizes)
  }

  /// An aggregate of a group.
  static func aggregated(_ aggregation: Aggregation) -> QuoteExpression {
    let inner = [aggregation.expression, aggregation.weight].compactMap { $0?.size }
    return QuoteExpression(.aggregate(aggregation), around: inner)
  }

  /// 1 where the predicate holds, 0 where it doesn't, missing where that is unknown.
  static func truth(_ predicate: Predicate) -> QuoteExpression {
    QuoteExpression(.truth(predicate), around: [predicate.size])
  }
}
