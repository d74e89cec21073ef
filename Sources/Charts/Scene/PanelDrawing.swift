/// Gives the series of a panel their places.
struct PanelDrawing {
  private(set) var panel: ScenePanel
  private let source: Panel
  private let scale: ValueScale
  private let places: RowPlaces
  private let metrics: SceneMetrics

  init(_ source: Panel, _ values: PanelValues, _ plot: SceneRect, _ places: RowPlaces, _ metrics: SceneMetrics) {
    (self.source, self.places, self.metrics) = (source, places, metrics)
    scale = ValueScale(values.range, isLogarithmic: values.isLogarithmic, from: plot.bottom, to: plot.y)
    panel = ScenePanel(plot: plot, caption: [])
    panel.ticks = ValueTicks.ticks(of: scale, spacing: metrics.lineHeight * (metrics.margin > 0 ? 1.6 : 2), source.form)
  }

  /// Names the series in one line, each with its last value. Those for which there is no room are left out.
  mutating func caption(_ y: Double?) {
    guard let y else { return }
    panel.captionY = y
    var x = panel.plot.x
    for (index, series) in source.series.enumerated() {
      let text = series.lastValue.map { "\(series.name) \(source.form.text($0))" } ?? series.name
      let width = Double(text.count + 2) * metrics.letterWidth
      guard x + width <= metrics.width - metrics.margin || index == 0 else { return }
      panel.caption.append(SceneCaption(x: x, text: text, paint: paint(index)))
      x += width + 2 * metrics.letterWidth
    }
  }

  mutating func drawAll() {
    // Bands lie behind what they enclose.
    let order = source.series.indices.sorted { isBehind($0) && !isBehind($1) }
    for index in order { draw(source.series[index].shape, paint(index)) }
  }

  private func isBehind(_ index: Int) -> Bool {
    if case .band = source.series[index].shape { return true }
    return false
  }

  /// Lines over bars don't have a color of bars: the first two colors of lines are those.
  private func paint(_ index: Int) -> Paint {
    .series(index > 0 && source.series[0].shape.hasBars ? index + 1 : index)
  }

  private mutating func draw(_ shape: Series.Shape, _ paint: Paint) {
    switch shape {
    case .candles(let bars): panel.shapes.append(.candles(self.bars(bars)))
    case .ohlc(let bars): panel.shapes.append(.ohlc(self.bars(bars)))
    case .line(let values, let joinsGaps): panel.shapes.append(.lines(runs(values, joinsGaps), paint))
    case .area(let values): panel.shapes.append(.areas(runs(values, false), base: panel.plot.bottom, paint))
    case .columns(let values, let isRising): panel.shapes.append(.columns(columns(values, isRising)))
    case .band(let lower, let upper): panel.shapes.append(.bands(bands(lower, upper), paint))
    case .bins(let edges, let counts): panel.shapes.append(.columns(columns(edges, counts)))
    case .points(let x, let y): panel.shapes.append(.points(points(x, y), paint))
    }
  }

  private func hasPlace(_ value: Double) -> Bool { value.isDrawable && (!scale.isLogarithmic || value.hasLogarithm) }

  private func bars(_ bars: PriceBars) -> [SceneBar] {
    let count = places.rowsPerBar
    return bars.merged(by: count).enumerated().compactMap { index, bar in
      guard let bar, hasPlace(bar.low) else { return nil }
      let rows = (index * count)..<min((index + 1) * count, bars.count)
      return SceneBar(
        x: places.x(rows), width: places.barWidth, open: scale.position(bar.open), high: scale.position(bar.high),
        low: scale.position(bar.low), close: scale.position(bar.close), isRising: bar.isRising)
    }
  }

  /// The points of a line, in runs without missing values.
  private func runs(_ values: [Double], _ joinsGaps: Bool) -> [[ScenePoint]] {
    var runs: [[ScenePoint]] = []
    var run: [ScenePoint] = []
    for row in Thinning.rows(of: values, columnCount: places.columnCount) {
      if hasPlace(values[row]) {
        run.append(ScenePoint(x: places.x(row), y: scale.position(values[row])))
      } else if !run.isEmpty, !joinsGaps {
        runs.append(run)
        run = []
      }
    }
    return run.isEmpty ? runs : runs + [run]
  }

  private func bands(_ lower: [Double], _ upper: [Double]) -> [(upper: [ScenePoint], lower: [ScenePoint])] {
    var bands: [(upper: [ScenePoint], lower: [ScenePoint])] = []
    var isOpen = false
    let step = Thinning.rowsPerBar(lower.count, barCount: places.columnCount)
    for row in stride(from: 0, to: lower.count, by: step) {
      guard hasPlace(lower[row]), hasPlace(upper[row]) else {
        isOpen = false
        continue
      }
      if !isOpen { bands.append(([], [])) }
      isOpen = true
      bands[bands.count - 1].upper.append(ScenePoint(x: places.x(row), y: scale.position(upper[row])))
      bands[bands.count - 1].lower.append(ScenePoint(x: places.x(row), y: scale.position(lower[row])))
    }
    return bands
  }

  /// Of merged rows the one that is farthest from zero.
  private func columns(_ values: [Double], _ isRising: [Bool]) -> [SceneColumn] {
    let (count, zero) = (places.rowsPerBar, scale.isLogarithmic ? panel.plot.bottom : scale.position(0))
    return Thinning.extremes(of: values, each: count).enumerated().compactMap { index, found in
      guard hasPlace(found.value) else { return nil }
      let y = scale.position(found.value)
      let rows = (index * count)..<min((index + 1) * count, values.count)
      return SceneColumn(
        x: places.x(rows), width: min(places.barWidth, metrics.barWidth * 5), top: min(y, zero), bottom: max(y, zero),
        paint: isRising[found.row] ? .rising : .falling)
    }
  }

  private func columns(_ edges: [Double], _ counts: [Int]) -> [SceneColumn] {
    guard let horizontal = places.scale else { return [] }
    return counts.enumerated().compactMap { index, count in
      let (left, right) = (horizontal.position(edges[index]), horizontal.position(edges[index + 1]))
      guard count > 0 else { return nil }
      return SceneColumn(
        x: (left + right) / 2, width: right - left, top: scale.position(Double(count)), bottom: panel.plot.bottom,
        paint: .series(0))
    }
  }

  /// One of the points that have the same place.
  private func points(_ x: [Double], _ y: [Double]) -> [ScenePoint] {
    guard let horizontal = places.scale else { return [] }
    var taken: Set<Int> = []
    return x.indices.compactMap { row in
      guard x[row].isDrawable, hasPlace(y[row]) else { return nil }
      let point = ScenePoint(x: horizontal.position(x[row]), y: scale.position(y[row]))
      return taken.insert(Int(point.x) << 20 | Int(point.y)).inserted ? point : nil
    }
  }
}

extension Series {
  /// The newest value; nil where nothing is newest.
  fileprivate var lastValue: Double? {
    switch shape {
    case .candles(let bars), .ohlc(let bars): bars.closes.last { $0.isDrawable }
    case .line(let values, _), .area(let values), .columns(let values, _): values.last { $0.isDrawable }
    case .band, .bins, .points: nil
    }
  }
}
