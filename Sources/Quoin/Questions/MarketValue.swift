/// A number for each quote that depends on quotes of other tickers.
enum MarketValue: Hashable, Sendable {
  /// An aggregate of the quotes of the same day for which a predicate holds.
  case aggregate(Aggregation, among: Predicate)
  /// The place of an expression's value among those of the same day for which a predicate holds; missing where it doesn't.
  case rank(DayRank, DateOrder, QuoteExpression, among: Predicate)
  /// The value of an expression for another ticker's newest quote of the same day or at most so many days before.
  case ticker(TickerSymbol, QuoteExpression, within: Int)
  /// 1 for the quotes that come first in their group among those for which a predicate holds, 0 for the others.
  case first(TopRows, among: Predicate)
  /// 1 for each ticker's last quote of some days for which a predicate holds, 0 for the others.
  case last(DayBounds, among: Predicate)
  /// A number that each ticker has alone.
  case tickerNumber
  /// 1 for quotes of some days, which may be counted from the newest one; 0 for the others.
  case days(DayBounds)
}

/// The first rows of each group by the values of an expression.
package struct TopRows: Hashable, Sendable {
  package let count: Int
  package let expression: QuoteExpression
  package let order: DateOrder
  package let grouping: Grouping
}

/// How a value's place among others is told. The first place is 1.
enum DayRank: String, CaseIterable, Hashable, Sendable {
  /// Equal values share the mean of their places.
  case rank
  /// That, divided by the number of values: above 0, and 1 for the last one.
  case share = "pctrank"
  /// Equal values come one after the other, by ticker.
  case place
}

// Functions of the quotes of the same day, of all tickers that the query asks for, whether or not it selects them.
extension QuoteExpression {
  /// An aggregate of the quotes of the same day: `.byDay(.mean(.close))`.
  ///
  /// - Parameters:
  ///   - aggregation: the aggregate.
  ///   - predicate: which quotes count.
  public static func byDay(_ aggregation: Aggregation, among predicate: Predicate = .all([])) -> QuoteExpression {
    let inner = [aggregation.expression, aggregation.weight].compactMap { $0?.size }
    return QuoteExpression(.market(.aggregate(aggregation, among: predicate)), around: inner + [predicate.size])
  }

  /// The rank of the value among those of the same day, from 1 on; equal values share the mean of their ranks.
  ///
  /// - Parameters:
  ///   - x: the value.
  ///   - order: whether the smallest value has rank 1, or the largest one.
  ///   - predicate: which quotes have a rank.
  public static func rankByDay(
    _ x: QuoteExpression, _ order: DateOrder = .ascending, among predicate: Predicate = .all([])
  ) -> QuoteExpression { ranked(.rank, order, x, among: predicate) }

  /// The rank, divided by the number of values of the same day: above 0, and 1 for the last one.
  public static func percentRankByDay(
    _ x: QuoteExpression, _ order: DateOrder = .ascending, among predicate: Predicate = .all([])
  ) -> QuoteExpression { ranked(.share, order, x, among: predicate) }

  /// The place among the values of the same day: 1, 2, 3 and so on. Equal values come in the order of the query's tickers.
  public static func placeByDay(
    _ x: QuoteExpression, _ order: DateOrder = .ascending, among predicate: Predicate = .all([])
  ) -> QuoteExpression { ranked(.place, order, x, among: predicate) }

  /// The difference to the mean of the same day.
  public static func demeanedByDay(_ x: QuoteExpression, among predicate: Predicate = .all([])) -> QuoteExpression {
    kept(x - .byDay(Aggregation(.mean, of: x), among: predicate), predicate)
  }

  /// The difference to the mean of the same day, in standard deviations of a sample.
  public static func zscoreByDay(_ x: QuoteExpression, among predicate: Predicate = .all([])) -> QuoteExpression {
    demeanedByDay(x, among: predicate) / .byDay(Aggregation(.std, of: x), among: predicate)
  }

  /// The value for another ticker on the same day or shortly before; missing where that has no quote.
  ///
  ///     let beta = QuoteExpression.change(.close) - .change(.close).of("SPY")
  ///     let rate = QuoteExpression.close.of("EURUSD", within: 5)
  ///
  /// It is the value for the ticker's newest quote that isn't later than the day, even if that value is missing.
  ///
  /// Asking for results throws `StoreError.unknownTicker` if the store has no quotes of it.
  ///
  /// - Parameters:
  ///   - ticker: the other ticker.
  ///   - days: how old that quote may be, in days of the calendar. 0, or less, is the same day.
  public func of(_ ticker: TickerSymbol, within days: Int = 0) -> QuoteExpression {
    let days = Swift.min(Swift.max(0, days), Limits.ageDays)
    return QuoteExpression(.market(.ticker(ticker, self, within: days)), around: [size])
  }

  /// What depends on other quotes.
  static func market(_ value: MarketValue, around inner: [TreeSize] = []) -> QuoteExpression {
    QuoteExpression(.market(value), around: inner)
  }

  static func ranked(
    _ rank: DayRank, _ order: DateOrder, _ x: QuoteExpression, among predicate: Predicate
  ) -> QuoteExpression {
    QuoteExpression(.market(.rank(rank, order, x, among: predicate)), around: [x.size, predicate.size])
  }

  /// The value where the predicate holds.
  private static func kept(_ x: QuoteExpression, _ predicate: Predicate) -> QuoteExpression {
    predicate == .all([]) ? x : .if(predicate, x, .number(.missing))
  }
}

extension MarketValue: CustomStringConvertible {
  /// The value in the query language: `mean(close by day)`, `rank(close desc by day among volume > 0)`, `close of 'SPY'`.
  var description: String {
    func ending(_ predicate: Predicate) -> String { predicate == .all([]) ? " by day" : " by day among \(predicate)" }
    switch self {
    case .aggregate(let aggregation, let predicate):
      let text = aggregation == .count ? "count()" : "\(aggregation)"
      return "\(text.dropLast())\(text.hasSuffix("()") ? ending(predicate).dropFirst() : ending(predicate)[...]))"
    case .rank(let rank, let order, let x, let predicate):
      return "\(rank.rawValue)(\(x)\(order == .descending ? " desc" : "")\(ending(predicate)))"
    case .ticker: return "\(QuoteExpression(.market(self)))"
    case .first(let top, let predicate):
      let names = top.grouping.keys.map(\.name).joined(separator: ", ")
      let ending = predicate == .all([]) ? "" : " among \(predicate)"
      return "top \(top.count) by \(top.expression) \(top.order.rawValue) per \(names)\(ending)"
    case .last(let days, let predicate):
      let parts = (days == .all ? [] : ["\(days)"]) + (predicate == .all([]) ? [] : ["\(predicate)"])
      return "last row of each ticker\(parts.isEmpty ? "" : " with \(parts.joined(separator: " and "))")"
    case .tickerNumber: return "ticker"
    case .days(let days): return "\(days)"
    }
  }
}
