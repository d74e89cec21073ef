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
    let days = found.flatMap { [$0.days.first, $0.days.last] }.compactMap(\.self).sorted()
    guard
      let chart = Chart.histogram(
        of: found.flatMap { $0.values[0] }, shown.name, title: title, subtitle: "\(shown.name), \(subtitle(days))")
    else { throw ChartError.noRows }
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

extension Chart {
  /// How often values lie in each of some ranges of the same width; nil without values.
  package static func histogram(of values: [Double], _ name: String, title: String = "", subtitle: String = "")
    -> Chart?
  {
    guard let bins = Bins(of: values) else { return nil }
    let series = Series("rows", .bins(edges: bins.edges, counts: bins.counts))
    var chart = Chart(title.isEmpty ? name : title, axis: .values(name), panels: [Panel([series], form: .amount)])
    chart.subtitle = subtitle
    chart.summary =
      "\(title.isEmpty ? "" : "\(title), ")histogram of \(subtitle.isEmpty ? name : subtitle): "
      + "\(bins.counts.reduce(0, +)) values in \(bins.counts.count) bins."
    return chart
  }
}
