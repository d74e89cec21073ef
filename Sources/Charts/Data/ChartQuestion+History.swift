import Quoin

// The prices of one ticker, with what belongs to them.
extension ChartQuestion {
  func history(of store: QuoteStore, _ ticker: TickerSymbol) throws -> Chart {
    let bars: [QuoteExpression] =
      isAdjusted
      ? [.adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose, .adjustedVolume, .splitRatio, .exDividend]
      : [.open, .high, .low, .close, .volume, .splitRatio, .exDividend]
    let extra =
      [value?.expression ?? close] + (overlays + panels + bands.flatMap { [$0.lower, $0.upper] }).map(\.expression)
    let flags = marks.map { QuoteExpression.if($0.condition, .number(1), .number(0)) }
    let (days, columns) = try columns(of: ticker, in: store, bars + extra + flags)
    if days.isEmpty { throw ChartError.noRows }
    let prices = PriceBars(opens: columns[0], highs: columns[1], lows: columns[2], closes: columns[3])
    var rest = columns[bars.count...]
    let shown = Series(value?.name ?? closeName, shape(prices, rest.removeFirst()))
    var series = [shown]
    for overlay in overlays { series.append(Series(overlay.name, .line(rest.removeFirst()))) }
    let below = panels.map { panel in
      let values = rest.removeFirst()
      return Panel([Series(panel.name, .line(values))], form: .plain)
    }
    for band in bands {
      let (lower, upper) = (rest.removeFirst(), rest.removeFirst())
      series.append(Series("\(band.lower.name) to \(band.upper.name)", .band(lower: lower, upper: upper)))
    }
    var chart = Chart(title, subtitle: subtitle(days), axis: .days(days), panels: [])
    chart.rowNoun = rowNoun
    let form = value == nil ? NumberForm.prices(columns[3]) : .plain
    chart.panels.append(Panel(series, isLogarithmic: isLogarithmic, form: form))
    if hasVolume { chart.panels.append(Self.volume(columns[4], prices)) }
    chart.panels += below
    chart.marks = dayMarks(Array(rest), columns[5], columns[6])
    chart.summary = summary(prices, form, days)
    if let value {
      chart.subtitle += ", \(value.name)"
    } else if let last = prices.closes.last(where: \.isDrawable) {
      chart.subtitle += ", \(closeName) \(form.text(last))"
    }
    return chart
  }

  private func shape(_ prices: PriceBars, _ values: [Double]) -> Series.Shape {
    switch kind ?? (value == nil ? .candles : .line) {
    case .ohlc: .ohlc(prices)
    case .line: .line(values)
    case .area: .area(values)
    default: .candles(prices)
    }
  }

  private static func volume(_ volumes: [Double], _ prices: PriceBars) -> Panel {
    let isRising = (0..<prices.count).map { prices.bar($0)?.isRising ?? true }
    return Panel([Series("volume", .columns(volumes, isRising: isRising))], form: .amount)
  }

  private func dayMarks(_ flags: [[Double]], _ splits: [Double], _ dividends: [Double]) -> [DayMark] {
    var days: [DayMark] = []
    for (mark, flags) in zip(marks, flags) {
      for row in flags.indices where flags[row] == 1 { days.append(DayMark(row: row, .condition, mark.name)) }
    }
    if marksSplits {
      for row in splits.indices where splits[row].isDrawable && splits[row] != 1 {
        days.append(DayMark(row: row, .split, "split \(NumberForm.plain.text(splits[row]))"))
      }
    }
    if marksDividends {
      for row in dividends.indices where dividends[row].isDrawable && dividends[row] != 0 {
        days.append(DayMark(row: row, .dividend, "dividend \(NumberForm.plain.text(dividends[row]))"))
      }
    }
    return days
  }

  private func summary(_ prices: PriceBars, _ form: NumberForm, _ days: [TradingDay]) -> String {
    let whole = prices.merged(by: max(1, prices.count)).first.flatMap(\.self)
    let kind = (kind ?? .candles).rawValue
    guard let whole else { return "\(title), \(kind), \(subtitle(days)), without prices." }
    return "\(title), \(kind), \(subtitle(days)): first open \(form.text(whole.open)), lowest \(form.text(whole.low)), "
      + "highest \(form.text(whole.high)), last close \(form.text(whole.close))."
  }
}
