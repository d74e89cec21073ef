/// Rows that a function looks at from each row on backwards, when they aren't so many last ones.
///
///     let average = QuoteExpression.mean(.close).over(.days(30))
///     let high = QuoteExpression.max(.high).over(.this(.year))
///     let sold = QuoteExpression.sum(.volume).over(.since(.high >= .max(.high, 252)))
public struct CalendarWindow: Hashable, Sendable {
  let span: WindowSpan

  /// The rows of the last days of the calendar, this one included. A day without a row is as a row without a value.
  ///
  /// - Parameter minimum: the value is missing until so many days have passed; all of them if it isn't given. Traps unless
  ///   1 <= `minimum` <= `count`.
  public static func days(_ count: Int, minimum: Int? = nil) -> Self {
    Self(span: .days(RowWindow(rows: count, minimum: minimum)))
  }

  /// The rows of the same period so far.
  public static func this(_ period: CalendarPeriod) -> Self { Self(span: .period(period)) }

  /// The rows from the last one on for which a predicate holds; missing before the first one.
  public static func since(_ predicate: Predicate) -> Self { Self(span: .since(predicate)) }
}

extension QuoteExpression {
  /// The same function of the rows of another window. Traps unless it is one of a ticker's last rows, such as `mean(.close)` or
  /// `share(p)`.
  public func over(_ window: CalendarWindow) -> QuoteExpression {
    switch node {
    case .window(let function, let inputs, _, let quantile):
      return .window(function, inputs, window.span, quantile: quantile)
    case .flag(let function, let predicate, _) where function.hasWindow: return .flag(function, predicate, window.span)
    default: preconditionFailure("\(self) is no function of the last rows")
    }
  }
}
