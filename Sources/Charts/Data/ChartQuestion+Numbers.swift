import Quoin

// Charts of several tickers, and of numbers without days.
extension ChartQuestion {
  /// Lines that are 100 on the first day that all tickers have.
  func comparison(of store: QuoteStore) throws -> Chart {
    let expressions = [value?.expression ?? close] + panels.map(\.expression)
    let found = try tickers.map { try columns(of: $0, in: store, expressions) }
    let days = Array(Set(found.flatMap(\.days))).sorted()
    if days.isEmpty { throw ChartError.noRows }
    let aligned = found.map { Alignment(days, $0.days, $0.values) }
    let rebased = Rebasing.rebased(aligned.map { $0.values[0] })
    var chart = Chart(title, subtitle: subtitle(days), axis: .days(days), panels: [])
    let lines = zip(tickers, rebased).map { Series("\($0)", .line($1, joinsGaps: true)) }
    chart.panels = [Panel(lines, isLogarithmic: isLogarithmic, form: .price(decimals: 1))]
    for (index, panel) in panels.enumerated() {
      let lines = zip(tickers, aligned).map {
        Series("\(panel.name) of \($0)", .line($1.values[index + 1], joinsGaps: true))
      }
      chart.panels.append(Panel(lines, form: .plain))
    }
    chart.subtitle += ", \(value?.name ?? closeName), rebased to 100"
    let ends = zip(tickers, rebased).map { ticker, values in
      "\(ticker) \(values.last { $0.isDrawable }.map { NumberForm.price(decimals: 1).text($0) } ?? "without values")"
    }
    chart.summary = "\(title), \(chart.subtitle): at the end \(ends.joined(separator: ", "))."
    return chart
  }

  /// How often values of all tickers lie in each of some ranges of the same width.
  func histogram(of store: QuoteStore) throws -> Chart {
    let shown = value ?? Value("change(\(closeName))", .change(close))
    let found = try tickers.map { try columns(of: $0, in: store, [shown.expression]) }
    let values = found.flatMap { $0.values[0] }
    guard let bins = Bins(of: values) else { throw ChartError.noRows }
    let series = Series("rows", .bins(edges: bins.edges, counts: bins.counts))
    let days = found.flatMap { [$0.days.first, $0.days.last] }.compactMap(\.self).sorted()
    var chart = Chart(title, axis: .values(shown.name), panels: [Panel([series], form: .amount)])
    chart.subtitle = "\(shown.name), \(subtitle(days))"
    chart.summary =
      "\(title), histogram of \(chart.subtitle): \(bins.counts.reduce(0, +)) values in \(bins.counts.count) bins."
    return chart
  }

  /// A point for each row.
  func scatter(of store: QuoteStore) throws -> Chart {
    let y = value ?? Value("change(\(closeName))", .change(close))
    let x =
      against
      ?? (tickers.count > 1
        ? Value("\(y.name) of \(tickers[1])", y.expression.of(tickers[1]))
        : Value("the row before", .prev(y.expression)))
    let (days, columns) = try columns(of: tickers[0], in: store, [x.expression, y.expression])
    let count = zip(columns[0], columns[1]).count { $0.isDrawable && $1.isDrawable }
    guard count > 0 else { throw ChartError.noRows }
    var chart = Chart("\(tickers[0])", axis: .values(x.name), panels: [])
    chart.panels = [Panel([Series(y.name, .points(x: columns[0], y: columns[1]))], form: .plain)]
    chart.subtitle = "\(y.name) against \(x.name), \(subtitle(days))"
    chart.summary = "\(tickers[0]), scatter plot of \(chart.subtitle): \(count) points."
    return chart
  }
}

/// The values of a ticker on days of which it has some.
struct Alignment {
  let values: [[Double]]

  init(_ all: [TradingDay], _ days: [TradingDay], _ columns: [[Double]]) {
    var aligned = columns.map { _ in [Double](repeating: .nan, count: all.count) }
    var row = 0
    for (place, day) in all.enumerated() where row < days.count && days[row] == day {
      for column in columns.indices { aligned[column][place] = columns[column][row] }
      row += 1
    }
    values = aligned
  }
}

/// Makes values of different sizes comparable.
enum Rebasing {
  /// The lines divided by their values in the first row where all have one other than zero, times 100. Where no row has all,
  /// each is divided by its first one.
  static func rebased(_ lines: [[Double]]) -> [[Double]] {
    let rows = lines.first?.indices ?? 0..<0
    let common = rows.first { row in lines.allSatisfy { $0[row].isDrawable && $0[row] != 0 } }
    return lines.map { line in
      guard let row = common ?? line.firstIndex(where: { $0.isDrawable && $0 != 0 }) else { return line }
      let base = line[row]
      return line.map { $0 / base * 100 }
    }
  }
}

/// Ranges of the same width between round numbers, and how many values lie in each.
struct Bins {
  let edges: [Double]
  let counts: [Int]

  private static let countMax = 60.0

  /// Nil without values.
  init?(of values: [Double]) {
    var extremes = Extremes(isLogarithmic: false)
    extremes.add(values)
    guard let range = extremes.range else { return nil }
    let span = range.upperBound - range.lowerBound
    let width = ValueTicks.step(
      atLeast: span > 0 ? span / Self.countMax : max(range.lowerBound.magnitude / 100, 1e-300))
    let first = (range.lowerBound / width).rounded(.down)
    let count = max(1, Int((range.upperBound / width).rounded(.down) - first) + 1)
    var counts = [Int](repeating: 0, count: count)
    for value in values where value.isDrawable {
      counts[min(max(0, Int((value / width).rounded(.down) - first)), count - 1)] += 1
    }
    edges = (0...count).map { (first + Double($0)) * width }
    self.counts = counts
  }
}
