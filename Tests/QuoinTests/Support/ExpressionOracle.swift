// The naive evaluation of an expression: row by row, each from the rows that it is made of, with nothing remembered.

import Foundation

@testable import Quoin
@testable import QuoteGenerator

/// The values of an expression in each row of a ticker.
///
/// - Parameter market: what the expression takes from other tickers.
func values(
  _ expression: QuoteExpression, _ rows: QuoteColumns, of ticker: TickerSymbol, in market: NaiveMarket? = nil
) -> [Double] {
  switch expression.node {
  case .number(let bits): return rows.days.map { _ in Double(bitPattern: bits) }
  case .attribute(let name): return rows.doubles(name)
  case .calendar(let field): return rows.days.map { naive(field, $0) }
  case .row(let function, let operands):
    let operands = operands.map { values($0, rows, of: ticker, in: market) }
    return rows.days.indices.map { row in naive(function, operands.map { $0[row] }) }
  case .shifted(let x, let count):
    let values = values(x, rows, of: ticker, in: market)
    return values.indices.map { values.indices.contains($0 - count) ? values[$0 - count] : .nan }
  case .flag(let function, let predicate, let span):
    let truths = truths(predicate, rows, of: ticker, in: market)
    let windows = NaiveSpan(span, rows, of: ticker, in: market)
    return truths.indices.map { row in
      guard let rows = windows.rows(row) else { return .nan }
      return naive(function, Array(truths[function.hasWindow ? rows : 0...row]))
    }
  case .truth(let predicate):
    return truths(predicate, rows, of: ticker, in: market).map { $0 == yes ? 1 : $0 == no ? 0 : .nan }
  case .choice(let predicate, let x, let y):
    let truths = truths(predicate, rows, of: ticker, in: market)
    let (x, y) = (values(x, rows, of: ticker, in: market), values(y, rows, of: ticker, in: market))
    return truths.indices.map { truths[$0] == yes ? x[$0] : truths[$0] == no ? y[$0] : .nan }
  case .window(let function, let inputs, let span, let quantile):
    let inputs = inputs.map { values($0, rows, of: ticker, in: market) }
    let windows = NaiveSpan(span, rows, of: ticker, in: market)
    return rows.days.indices.map { row in
      guard windows.rows(row) != nil else { return .nan }
      return NaiveWindow(cells: inputs.map { windows.cells(of: $0, row) }).value(function, quantile ?? 0.5)
    }
  case .indicator(let indicator, let inputs, let numbers):
    return NaiveIndicator(indicator: indicator, numbers: numbers).values(
      inputs.map { values($0, rows, of: ticker, in: market) })
  case .market(let value):
    guard let market else { preconditionFailure("a market for \(value)") }
    return market.column(of: value, for: ticker)
  case .aggregate, .tooDeep: preconditionFailure("the oracle has no \(expression)")
  }
}

private func naive(_ field: CalendarField, _ day: TradingDay) -> Double {
  let (year, month, dayOfMonth) = day.components
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  let dayOfYear = lengths[..<(month - 1)].reduce(dayOfMonth, +)
  // 0001-01-01 was a Monday; each year moves the weekday by one, and each leap day by one more.
  let leapDays = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400
  let weekday = (year - 1 + leapDays + dayOfYear - 1) % 7 + 1
  return switch field {
  case .year: Double(year)
  case .quarter: Double([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4][month - 1])
  case .month: Double(month)
  case .day: Double(dayOfMonth)
  case .weekday: Double(weekday)
  case .dayOfYear: Double(dayOfYear)
  // 719,162 days from 0001-01-01 to 1970-01-01.
  case .dayNumber: Double((year - 1) * 365 + leapDays + dayOfYear - 1 - 719_162)
  }
}

/// The windows of each row.
private struct NaiveSpan {
  private let span: WindowSpan
  private let days: [TradingDay]
  private let places: [Int32: Int]
  private let begins: [Bool]
  private let starts: [TradingDay]

  init(_ span: WindowSpan, _ rows: QuoteColumns, of ticker: TickerSymbol, in market: NaiveMarket?) {
    (self.span, days) = (span, Array(rows.days))
    places = Dictionary(uniqueKeysWithValues: days.enumerated().map { (Int32($1.daysSince1970), $0) })
    if case .period(let period) = span { starts = days.map(period.first) } else { starts = [] }
    if case .since(let predicate) = span {
      begins = truths(predicate, rows, of: ticker, in: market).map { $0 == yes }
    } else {
      begins = []
    }
  }

  /// The rows of a window; nil if there are too few.
  func rows(_ row: Int) -> ClosedRange<Int>? {
    switch span {
    case .rows(let window): return row + 1 < window.minimum ? nil : max(0, row + 1 - (window.rows ?? row + 1))...row
    case .days(let window):
      if Int(days[row].daysSince1970 - days[0].daysSince1970) + 1 < window.minimum { return nil }
      return (days[...row].firstIndex { $0 >= firstDay(row, window) } ?? row)...row
    case .period: return ((starts[...row].lastIndex { $0 != starts[row] }).map { $0 + 1 } ?? 0)...row
    case .since: return begins[...row].lastIndex(of: true).map { $0...row }
    }
  }

  /// The values of a window; of days of the calendar, one for each, missing where there is no row.
  func cells(of x: [Double], _ row: Int) -> [Double] {
    guard case .days(let window) = span else { return rows(row).map { Array(x[$0]) } ?? [] }
    let numbers = Int32(firstDay(row, window).daysSince1970)...Int32(days[row].daysSince1970)
    return numbers.map { places[$0].map { x[$0] } ?? .nan }
  }

  private func firstDay(_ row: Int, _ window: RowWindow) -> TradingDay {
    max(days[0], days[row].advanced(by: 1 - (window.rows ?? 0)) ?? .earliest)
  }
}

/// What isn't finite is missing, and so is what is computed from it.
private func naive(_ function: RowFunction, _ x: [Double]) -> Double {
  if function == .coalesce { return (x.first { !$0.isNaN }).flatMap { $0.isFinite ? $0 : nil } ?? .nan }
  if x.contains(where: \.isNaN) { return .nan }
  let value = unbounded(function, x)
  return value.isFinite ? value : .nan
}

private func unbounded(_ function: RowFunction, _ x: [Double]) -> Double {
  switch function {
  case .add: x[0] + x[1]
  case .subtract: x[0] - x[1]
  case .multiply: x[0] * x[1]
  case .divide: x[0] / x[1]
  case .power: pow(x[0], x[1])
  case .negate: -x[0]
  case .abs: abs(x[0])
  case .log: log(x[0])
  case .exp: exp(x[0])
  case .sqrt: sqrt(x[0])
  case .sign: x[0] > 0 ? 1 : x[0] < 0 ? -1 : 0
  case .round: round(x[0])
  case .floor: floor(x[0])
  case .ceil: ceil(x[0])
  // Of two zeros, the second one: what is divided by it has its sign.
  case .larger: x[0] > x[1] ? x[0] : x[1]
  case .smaller: x[0] < x[1] ? x[0] : x[1]
  default: preconditionFailure("the oracle has no \(function)")
  }
}

/// - Parameter truths: those of a window's rows.
private func naive(_ function: FlagFunction, _ truths: [Truth]) -> Double {
  let (yesCount, noCount) = (truths.count { $0 == yes }, truths.count { $0 == no })
  switch function {
  case .every: return truths.contains(no) ? 0 : truths.contains(unknown) ? .nan : 1
  case .any: return truths.contains(yes) ? 1 : truths.contains(unknown) ? .nan : 0
  case .count: return Double(yesCount)
  case .share: return yesCount + noCount == 0 ? .nan : Double(yesCount) / Double(yesCount + noCount)
  case .streak:
    return truths.last == unknown ? .nan : Double(truths.reversed().prefix { $0 == yes }.count)
  case .since: return truths.lastIndex(of: yes).map { Double(truths.count - 1 - $0) } ?? .nan
  default: preconditionFailure("the oracle has no \(function)")
  }
}

extension Double {
  /// Whether both are missing, or the same number; 0 has no sign.
  func isSame(as other: Double) -> Bool { isNaN ? other.isNaN : self == other }
}

extension RandomMarket {
  /// A random expression, of few attributes so that parts of it recur.
  func expression(_ dice: inout SeededRandom, depth: Int) -> QuoteExpression {
    func inner(_ dice: inout SeededRandom) -> QuoteExpression { expression(&dice, depth: depth - 1) }
    guard depth > 0 else {
      switch dice.below(8) {
      case 0: return .number(dice.element(of: [0, -0.0, 1, -1, 2, 0.5, 20, 1e300, .infinity, .nan]))
      case 1: return .calendar(dice.element(of: CalendarField.allCases))
      default: return .attribute(dice.element(of: [.open, .close, .close, .volume, .adjustedClose, .exDividend]))
      }
    }
    switch dice.below(hasOthers ? 13 : 11) {
    case 12: return marketValue(&dice, inner(&dice))
    case 11: return indicator(&dice, inner(&dice))
    case 10: return window(&dice, inner(&dice))
    case 0: return .prev(inner(&dice), dice.element(of: [0, 1, 1, 2, 20, 1024, 1500]))
    case 1: return .next(inner(&dice), dice.element(of: [1, 1, 5, 1023]))
    case 2:
      let function = dice.element(of: FlagFunction.all)
      let window = dice.element(of: [RowWindow(rows: 1), RowWindow(rows: 3), RowWindow(rows: 20, minimum: 1), .all])
      let span = dice.chance(0.3) ? self.span(&dice) : .rows(window)
      return .flag(function, predicate(&dice, depth: 0), function.hasWindow ? span : .all)
    case 3: return .if(predicate(&dice, depth: 0), inner(&dice), inner(&dice))
    case 4: return .truth(predicate(&dice, depth: 1))
    default:
      let function = dice.element(of: RowFunction.all + [.add, .subtract, .multiply, .divide])
      return QuoteExpression(function, (0..<function.operandCount).map { _ in inner(&dice) })
    }
  }

  /// A window whose value has only one right bit pattern.
  private func window(_ dice: inout SeededRandom, _ x: QuoteExpression) -> QuoteExpression {
    let functions: [WindowFunction] = [
      .sum, .mean, .min, .max, .count, .argmax, .argmin, .rank, .median, .first, .last,
    ]
    if dice.chance(0.3) { return .window(dice.element(of: functions), [x], span(&dice)) }
    let windows = [RowWindow(rows: 1), RowWindow(rows: 3), RowWindow(rows: 20, minimum: 2), RowWindow(rows: 64)]
    return .window(dice.element(of: functions), [x], .rows(dice.element(of: windows)))
  }

  /// Rows that aren't simply the last ones.
  private func span(_ dice: inout SeededRandom) -> WindowSpan {
    switch dice.below(3) {
    case 0:
      let count = dice.element(of: [1, 2, 7, 30, 100])
      return .days(RowWindow(rows: count, minimum: dice.chance(0.5) ? nil : 1 + dice.below(count)))
    case 1: return .period(dice.element(of: CalendarPeriod.allCases))
    default: return .since(predicate(&dice, depth: 0))
    }
  }

  func computedPredicate(_ dice: inout SeededRandom) -> Quoin.Predicate {
    func operand(_ dice: inout SeededRandom) -> QuoteExpression { expression(&dice, depth: dice.below(3)) }
    switch dice.below(8) {
    case 0: return .isMissing(operand(&dice))
    case 1:
      let flag = dice.element(of: [FlagFunction.every, .any])
      return Quoin.Predicate.holds(
        .flag(flag, operand(&dice) > operand(&dice), .rows(RowWindow(rows: dice.element(of: [1, 2, 5])))))
    default:
      let comparison = dice.element(of: [Comparison.below, .atMost, .above, .atLeast, .equal, .notEqual])
      return .comparison(operand(&dice), comparison, operand(&dice))
    }
  }
}

extension Quoin.Predicate {
  /// How many expressions it compares.
  var expressionCount: Int {
    switch form {
    case .double, .integer, .date, .isMissing, .ticker, .tooDeep: 0
    case .comparison: 2
    case .hasNoValue, .holds: 1
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.expressionCount }
    case .not(let part): part.expressionCount
    }
  }
}
