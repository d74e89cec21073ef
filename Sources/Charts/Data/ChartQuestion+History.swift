import Quoin

// The prices of one ticker, with what belongs to them.
extension ChartQuestion {
  /// What is asked of a row.
  private enum Column: Hashable {
    case open, high, low, close, volume, splitRatio, dividend, shown
    case overlay(Int)
    case panel(Int)
    case lower(Int)
    case upper(Int)
    case mark(Int)
  }

  private var columns: [Column: QuoteExpression] {
    var columns: [Column: QuoteExpression] =
      isAdjusted
      ? [
        .open: .adjustedOpen, .high: .adjustedHigh, .low: .adjustedLow, .close: .adjustedClose,
        .volume: .adjustedVolume,
      ] : [.open: .open, .high: .high, .low: .low, .close: .close, .volume: .volume]
    (columns[.splitRatio], columns[.dividend]) = (.splitRatio, .exDividend)
    columns[.shown] = value?.expression ?? close
    for (place, overlay) in overlays.enumerated() { columns[.overlay(place)] = overlay.expression }
    for (place, panel) in panels.enumerated() { columns[.panel(place)] = panel.expression }
    for (place, band) in bands.enumerated() {
      (columns[.lower(place)], columns[.upper(place)]) = (band.lower.expression, band.upper.expression)
    }
    for (place, mark) in marks.enumerated() {
      columns[.mark(place)] = .if(mark.condition, .number(1), .number(0))
    }
    return columns
  }

  func history(of store: QuoteStore, _ ticker: TickerSymbol) throws -> Chart {
    let asked = Array(columns)
    let (days, answers) = try columns(of: ticker, in: store, asked.map(\.value))
    if days.isEmpty { throw ChartError.noRows }
    let found = Dictionary(uniqueKeysWithValues: zip(asked.map(\.key), answers))
    func values(_ column: Column) -> [Double] { found[column] ?? [] }
    let prices = PriceBars(
      opens: values(.open), highs: values(.high), lows: values(.low), closes: values(.close))
    var series = [Series(value?.name ?? closeName, shape(prices, values(.shown)))]
    for (place, overlay) in overlays.enumerated() {
      series.append(Series(overlay.name, .line(values(.overlay(place)))))
    }
    for (place, band) in bands.enumerated() {
      series.append(
        Series(
          "\(band.lower.name) to \(band.upper.name)",
          .band(lower: values(.lower(place)), upper: values(.upper(place)))))
    }
    var chart = Chart(title, subtitle: subtitle(days), axis: .days(days), panels: [])
    chart.rowNoun = rowNoun
    let form = value == nil ? NumberForm.prices(values(.close)) : .plain
    chart.panels.append(Panel(series, isLogarithmic: isLogarithmic, form: form))
    if hasVolume { chart.panels.append(Self.volume(values(.volume), prices)) }
    chart.panels += panels.enumerated().map { place, panel in
      Panel([Series(panel.name, .line(values(.panel(place))))], form: .plain)
    }
    chart.marks = dayMarks(marks.indices.map { values(.mark($0)) }, values(.splitRatio), values(.dividend))
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
