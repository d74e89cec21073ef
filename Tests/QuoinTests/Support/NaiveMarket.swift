@testable import Quoin
@testable import QuoteGenerator

/// A market as a question has it, for values that depend on quotes of other tickers: a list of each day's quotes, and nothing cleverer.
final class NaiveMarket {
  /// The quotes that count on a day, in the order of the tickers.
  private typealias Day = [(ticker: TickerSymbol, row: Int, value: Double)]

  private let rows: [TickerSymbol: QuoteColumns]
  /// The tickers that are asked for: ranks and aggregates of a day are among them.
  private let tickers: [TickerSymbol]
  /// What was listed already: it is the same for all tickers.
  private var known: [MarketValue: [TradingDay: Day]] = [:]

  /// - Parameter tickers: those that are asked for, in that order; nil for all.
  init(_ rows: [TickerSymbol: QuoteColumns], asking tickers: [TickerSymbol]?) {
    var seen: Set<TickerSymbol> = []
    self.rows = rows
    self.tickers = (tickers ?? rows.keys.sorted()).filter { rows[$0] != nil && seen.insert($0).inserted }
  }

  /// A value for each row of a ticker.
  func column(of value: MarketValue, for ticker: TickerSymbol) -> [Double] {
    let days = rows[ticker]?.days ?? []
    switch value {
    case .ticker(let other, let x, let age):
      guard let others = rows[other] else { preconditionFailure("the market has no \(other)") }
      let values = values(x, others, of: other, in: self)
      return days.map { day in
        guard let row = others.days.lastIndex(where: { $0 <= day }) else { return .nan }
        return Int(day.daysSince1970) - Int(others.days[row].daysSince1970) <= age ? values[row] : .nan
      }
    case .rank(let rank, let order, let x, let predicate):
      let market = list(value, x, predicate)
      return days.map { Self.rank(rank, order, ticker, in: market[$0, default: []].filter { !$0.value.isNaN }) }
    case .aggregate(let aggregation, let predicate):
      let market = list(value, aggregation.expression ?? 1, predicate)
      return days.map { aggregate(aggregation, market[$0, default: []]) }
    case .first, .last, .tickerNumber, .days: preconditionFailure("the oracle has no \(value)")
    }
  }

  private func list(_ value: MarketValue, _ x: QuoteExpression, _ predicate: Quoin.Predicate) -> [TradingDay: Day] {
    if let days = known[value] { return days }
    var days: [TradingDay: Day] = [:]
    for ticker in tickers {
      let columns = rows[ticker]!
      let values = values(x, columns, of: ticker, in: self)
      let truths = truths(predicate, columns, of: ticker, in: self)
      for row in columns.days.indices where truths[row] == yes {
        days[columns.days[row], default: []].append((ticker, row, values[row]))
      }
    }
    known[value] = days
    return days
  }

  private static func rank(_ rank: DayRank, _ order: DateOrder, _ ticker: TickerSymbol, in day: Day) -> Double {
    guard let place = day.firstIndex(where: { $0.ticker == ticker }) else { return .nan }
    let value = day[place].value
    let before = day.count { order == .ascending ? $0.value < value : $0.value > value }
    let equal = day.count { $0.value == value }
    switch rank {
    case .rank: return Double(before) + Double(equal + 1) / 2
    case .share: return (Double(before) + Double(equal + 1) / 2) / Double(day.count)
    case .place: return Double(before + day[...place].count { $0.value == value })
    }
  }

  /// An aggregate of a day that has only one right value. What isn't finite is missing.
  private func aggregate(_ aggregation: Aggregation, _ day: Day) -> Double {
    guard let expression = aggregation.expression else { return Double(day.count) }
    var known = day.filter { !$0.value.isNaN }
    if aggregation.function == .count {
      if case .truth = expression.node { known = known.filter { $0.value == 1 } }
      return Double(known.count)
    }
    let values = known.map { $0.value + 0 }
    if let name = aggregation.attribute, let key = TypedAttribute<Int64>(name: name) {
      let integers = known.map { rows[$0.ticker]![key][$0.row] }
      switch aggregation.function {
      case .distinct: return Double(Set(integers).count)
      case .sum where !integers.isEmpty: return Double(integers.reduce(Int128(0)) { $0 + Int128($1) })
      case .mean where !integers.isEmpty: return NaiveSum.mean(integers)
      default: break
      }
    }
    if aggregation.function == .distinct { return Double(Set(values).count) }
    guard !values.isEmpty else { return .nan }
    let result: Double? =
      switch aggregation.function {
      case .min: values.min()
      case .max: values.max()
      case .sum: NaiveSum.sum(values)
      case .mean: NaiveSum.mean(values)
      case .quantile: NaiveWindow.quantile(aggregation.share ?? 0, of: values.sorted())
      default: preconditionFailure("the oracle has no \(aggregation) by day")
      }
    return result.flatMap { $0.isFinite ? $0 : nil } ?? .nan
  }
}

extension RandomMarket {
  /// A value that depends on other tickers' quotes.
  func marketValue(_ dice: inout SeededRandom, _ x: QuoteExpression) -> QuoteExpression {
    let among = dice.chance(0.5) ? Quoin.Predicate.all([]) : predicate(&dice, depth: 0)
    switch dice.below(3) {
    case 0:
      let order = dice.element(of: [DateOrder.ascending, .descending])
      return .ranked(dice.element(of: DayRank.allCases), order, x, among: among)
    case 1:
      let function = dice.element(of: [Aggregation.Function.count, .min, .max, .sum, .mean, .quantile, .distinct])
      let aggregation = Aggregation(function, of: x, share: dice.element(of: [0, 0.1, 0.5, 0.75, 1]))
      return .byDay(dice.chance(0.1) ? .count : aggregation, among: among)
    default:
      guard !tickers.isEmpty else { return x }
      return x.of(dice.element(of: tickers), within: dice.element(of: [0, 0, 1, 5, 400]))
    }
  }
}
