// Aggregates of any groups, as plainly as they can be written: a dictionary of rows by the text of what they share.

@testable import Quoin

/// The quotes of one group, ticker by ticker and by day.
struct NaiveGroups {
  typealias Rows = [(ticker: TickerSymbol, rows: [Int])]
  /// The texts of the keys, and the rows.
  private(set) var groups: [(keys: [String], rows: Rows)] = []
  private let market: [TickerSymbol: QuoteColumns]
  /// What was computed already: it is the same for all groups.
  private var known: [QuoteExpression: [TickerSymbol: [Double]]] = [:]

  /// - Parameter answer: the selected rows, ticker by ticker.
  init(_ answer: Rows, _ market: [TickerSymbol: QuoteColumns], _ grouping: Grouping?) {
    self.market = market
    let keys = grouping?.keys ?? []
    var found: [[String]: Rows] = [:]
    var order: [TickerSymbol: Int] = [:]
    for (index, (ticker, rows)) in answer.enumerated() {
      order[ticker] = index
      for row in rows.sorted() {
        let day = market[ticker]!.days[row]
        let key = keys.map { key in
          if let expression = key.expression { return Self.text(all(expression, ticker)[row]) }
          return Self.text(key, ticker, day)
        }
        if found[key]?.last?.ticker == ticker {
          found[key]![found[key]!.count - 1].rows.append(row)
        } else {
          found[key, default: []].append((ticker, [row]))
        }
      }
    }
    groups = found.map { (keys: $0, rows: $1) }.sorted { a, b in
      for (key, (x, y)) in zip(keys, zip(a.keys, b.keys)) where x != y {
        if key.expression != nil { return Double(x) ?? .infinity < Double(y) ?? .infinity || y == "-" && x != "-" }
        return key == .ticker ? order[TickerSymbol(stringLiteral: x)]! < order[TickerSymbol(stringLiteral: y)]! : x < y
      }
      return false
    }
    if grouping == nil, groups.isEmpty { groups = [([], [])] }
  }

  private static func text(_ key: Grouping.Key, _ ticker: TickerSymbol, _ day: TradingDay) -> String {
    switch key {
    case .ticker: return "\(ticker)"
    case .weekday: return "\((day.weekday + 6) % 7 + 1)"
    case .day: return "\(day)"
    default: return "\(NaiveGroup.firstDay(of: CalendarPeriod(rawValue: key.name)!, day))"
    }
  }

  /// The text of a value that groups are by.
  private static func text(_ value: Double) -> String { value.isNaN ? "-" : "\(value + 0)" }

  /// The texts of a group's keys in a table, with every value of an expression as a float64.
  static func keys(_ table: AggregateTable, _ row: Int) -> [String] {
    (table.grouping?.keys ?? []).map { key in
      let text = table.text(of: key, at: row) ?? "-"
      return key.expression == nil ? text : Double(text).map { "\($0)" } ?? text
    }
  }

  /// What is wrong with a group's aggregate; nil if it is right.
  mutating func fault(_ aggregation: Aggregation, of table: AggregateTable, in index: Int) -> String? {
    let column = table[aggregation]
    let rows = groups[index].rows
    guard let expression = aggregation.expression else {
      let count = rows.reduce(0) { $0 + $1.rows.count }
      return text(column, index) == "\(count)" ? nil : "count \(text(column, index)), not \(count)"
    }
    let isCount = aggregation.function == .count
    var cells: [(value: Double, weight: Double, day: TradingDay)] = []
    for (ticker, rows) in rows {
      let all = all(expression, ticker)
      let weights = aggregation.weight.map { self.all($0, ticker) }
      for row in rows where !all[row].isNaN {
        if isCount, case .truth = expression.node, all[row] != 1 { continue }
        cells.append((all[row], weights?[row] ?? 1, market[ticker]!.days[row]))
      }
    }
    return isRight(aggregation, text(column, index), cells)
      ? nil : "\(aggregation): \(text(column, index)) of \(cells.count)"
  }

  private mutating func all(_ expression: QuoteExpression, _ ticker: TickerSymbol) -> [Double] {
    if let values = known[expression]?[ticker] { return values }
    let made = values(expression, market[ticker]!, of: ticker)
    known[expression, default: [:]][ticker] = made
    return made
  }

  private func text(_ column: AggregateColumn, _ index: Int) -> String { column.text(at: index) ?? "-" }

  private func isRight(
    _ aggregation: Aggregation, _ text: String, _ cells: [(value: Double, weight: Double, day: TradingDay)]
  ) -> Bool {
    let values = cells.map(\.value)
    let number = Double(text) ?? .nan
    switch aggregation.function {
    case .count: return text == "\(values.count)"
    case .distinct:
      return text == "\(Set(values.map { $0 == 0 ? 0 : $0 }).count)" || values.contains { $0.magnitude >= 0x1p53 }
    default: if values.isEmpty { return text == "-" }
    }
    switch aggregation.function {
    case .count, .distinct: return false
    case .min: return isSame(number, values.min())
    case .max: return isSame(number, values.max())
    case .first: return isSame(number, cells.first { $0.day == cells.map(\.day).min() }?.value)
    case .last: return isSame(number, cells.last { $0.day == cells.map(\.day).max() }?.value)
    case .argmax: return text == cells.filter { $0.value == values.max() }.map(\.day).min()?.description
    case .argmin: return text == cells.filter { $0.value == values.min() }.map(\.day).min()?.description
    case .sum: return number.isNaN || isSum(number, of: values) || isNear(number, values.reduce(0, +), values)
    case .mean:
      return isSame(number, NaiveSum.mean(values)) || values.contains { $0.magnitude >= 0x1p53 && $0.isFinite }
    case .std:
      if values.count < 2 { return text == "-" }
      if values.allSatisfy({ $0 == values[0] && $0.isFinite }) { return number == 0 }
      let mean = values.reduce(0, +) / Double(values.count)
      let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      guard square.isFinite, square > 0 else { return true }
      return isNear(number, (square / Double(values.count - 1)).squareRoot(), values)
    case .quantile:
      let expected = NaiveWindow.quantile(aggregation.share ?? 0, of: values.sorted())
      return isSame(number, expected)
    case .weightedMean:
      let known = cells.filter { !$0.weight.isNaN }
      let weight = known.reduce(0) { $0 + $1.weight }
      let expected = known.reduce(0) { $0 + $1.value * $1.weight } / weight
      guard expected.isFinite, known.allSatisfy({ $0.weight >= 0 }) else { return true }
      return isNear(number, expected, known.map(\.value))
    default: return isStatistic(aggregation, text, cells)
    }
  }

  /// Of one or two inputs, from their deviations from the means. What is nearly 0 there decides nothing.
  private func isStatistic(
    _ aggregation: Aggregation, _ text: String, _ cells: [(value: Double, weight: Double, day: TradingDay)]
  ) -> Bool {
    let number = Double(text) ?? .nan
    let known = cells.filter { !$0.weight.isNaN }
    let (xs, ys, n) = (known.map(\.value), known.map(\.weight), Double(known.count))
    guard (xs + ys).allSatisfy({ $0.magnitude < 1e100 }) else { return true }
    func deviations(_ values: [Double]) -> [Double] {
      let mean = values.reduce(0, +) / Double(values.count)
      return values.map { $0 - mean }
    }
    func sum(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    func isClose(_ x: Double, _ scale: Double) -> Bool { abs(number - x) <= max(scale, abs(x)) * 1e-9 }
    let function = aggregation.function
    if function == .product {
      let product = xs.reduce(1, *)
      return !product.isFinite || isClose(product, 0) || abs(product) < 1e-290
    }
    let (dx, dy) = (deviations(xs), deviations(ys))
    if function == .meanDeviation {
      return isClose(dx.reduce(0) { $0 + abs($1) } / n, xs.map(\.magnitude).max() ?? 0)
    }
    let least = function == .skew ? 3 : function == .kurt ? 4 : 2
    if known.count < least { return text == "-" }
    let (xx, yy, xy) = (sum(dx, dx), sum(dy, dy), sum(dx, dy))
    func isFlat(_ values: [Double], _ squares: Double) -> Bool {
      squares <= (values.map { $0 * $0 }.max() ?? 0) * n * 1e-10
    }
    if function == .variance { return isClose(xx / (n - 1), (xs.map { $0 * $0 }.max() ?? 0)) }
    if xs.allSatisfy({ $0 == xs[0] }), [.corr, .r2, .skew, .kurt].contains(function) { return text == "-" }
    if ys.allSatisfy({ $0 == ys[0] }), [.corr, .r2, .slope].contains(function) { return text == "-" }
    if isFlat(xs, xx) || (aggregation.weight != nil && isFlat(ys, yy)) { return true }
    let s = (xx / (n - 1)).squareRoot()
    switch function {
    case .cov: return isClose(xy / (n - 1), (xx * yy).squareRoot() / n)
    case .corr: return isClose(xy / (xx * yy).squareRoot(), 1)
    case .slope: return isClose(xy / yy, (xx / yy).squareRoot())
    case .r2: return isClose(xy * xy / (xx * yy), 1)
    case .skew: return isClose(n / ((n - 1) * (n - 2)) * dx.reduce(0) { $0 + ($1 / s) * ($1 / s) * ($1 / s) }, n)
    case .kurt:
      let fourth = dx.reduce(0) { $0 + ($1 / s) * ($1 / s) * ($1 / s) * ($1 / s) }
      return isClose(
        n * (n + 1) / ((n - 1) * (n - 2) * (n - 3)) * fourth - 3 * (n - 1) * (n - 1) / ((n - 2) * (n - 3)), n)
    default: preconditionFailure("the oracle has no \(aggregation)")
    }
  }

  /// Whether two results are the same but for the rounding of so many values.
  private func isNear(_ x: Double, _ y: Double, _ values: [Double]) -> Bool {
    let scale = values.map(\.magnitude).max() ?? 0
    return !y.isFinite || !(scale * scale * Double(values.count)).isFinite
      || abs(x - y) <= scale * 1e-11 * Double(values.count)
  }
}
