/// A function of a value among those of the same day, besides aggregates: `rank(close desc by day among volume > 0)`.
final class DayFunction: Function {
  let name: String
  let meaning: String
  let example: String
  let synonyms: [String] = []
  /// Whether the order says something: whether the smallest value is the first.
  let takesOrder: Bool
  /// Of an expression, an order, and a condition on the quotes that count.
  let expression: @Sendable (QuoteExpression, DateOrder, Predicate) -> QuoteExpression

  private init(
    _ name: String, _ meaning: String, example: String, takesOrder: Bool,
    _ expression: @escaping @Sendable (QuoteExpression, DateOrder, Predicate) -> QuoteExpression
  ) {
    (self.name, self.meaning, self.example) = (name, meaning, example)
    (self.takesOrder, self.expression) = (takesOrder, expression)
  }

  static let all = [
    DayFunction(
      "rank", "The place among the day's quotes, from 1 for the smallest on; equal ones have their mean.",
      example: "rank(close desc by day)", takesOrder: true
    ) { .rankByDay($0, $1, among: $2) },
    DayFunction(
      "pctrank", "The rank divided by the number of values; 1 for the largest.", example: "pctrank(close by day)",
      takesOrder: true
    ) { .percentRankByDay($0, $1, among: $2) },
    DayFunction(
      "place", "The place among the day's quotes; equal ones come in the order of their tickers.",
      example: "place(close by day)", takesOrder: true
    ) { .placeByDay($0, $1, among: $2) },
    DayFunction(
      "zscore", "The value less the day's mean, divided by the day's standard deviation.",
      example: "zscore(close by day)", takesOrder: false
    ) { x, _, predicate in .zscoreByDay(x, among: predicate) },
    DayFunction(
      "demean", "The value less the day's mean.", example: "demean(close by day)", takesOrder: false
    ) { x, _, predicate in .demeanedByDay(x, among: predicate) },
  ]
}
