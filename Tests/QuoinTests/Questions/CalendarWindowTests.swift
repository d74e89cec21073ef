import Quoin
import Testing

/// Windows of other rows than the last ones, as Swift asks for them.
@Suite struct CalendarWindowTests {
  @Test func windows_are_those_of_the_language() throws {
    let high: Predicate = .high >= .max(.high, 252)
    for (expression, text) in [
      (.mean(.close).over(.days(30)), "mean(close, 30 days)"),
      (.mean(.close, 5).over(.days(30, minimum: 2)), "mean(close, 30 days min 2)"),
      (.quantile(.close, nil, 0.9).over(.this(.month)), "quantile(close, this month, 0.9)"),
      (.sum(.volume).over(.since(high)), "sum(volume, since high >= max(high, 252))"),
      (.share(.close > .open).over(.this(.year)), "share(close > open, this year)"),
    ] as [(QuoteExpression, String)] {
      #expect(try expression == QuoteExpression(parsing: text))
    }
  }
}
