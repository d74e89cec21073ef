import Quoin

/// Where rows, or numbers of a horizontal scale, are from left to right.
struct RowPlaces {
  private let plot: SceneRect
  /// Nil where rows have places by their number.
  let scale: ValueScale?
  private let slotWidth: Double
  /// How many rows share a bar.
  private(set) var rowsPerBar = 1
  /// The number of columns in which a line has different places.
  let columnCount: Int

  init(_ chart: Chart, _ plot: SceneRect, _ metrics: SceneMetrics) throws(ChartError) {
    self.plot = plot
    columnCount = max(1, Int(plot.width))
    switch chart.axis {
    case .days(let days):
      guard !days.isEmpty else { throw .noRows }
      scale = nil
      slotWidth = plot.width / Double(days.count)
      if chart.panels.contains(where: { $0.series.contains { $0.shape.hasBars } }) {
        rowsPerBar = Thinning.rowsPerBar(days.count, barCount: Int(plot.width / metrics.barWidth))
      }
    case .values:
      var extremes = Extremes(isLogarithmic: false)
      var isExact = false
      for series in chart.panels.flatMap(\.series) {
        switch series.shape {
        case .bins(let edges, _): (isExact, _) = (true, extremes.add(edges))
        case .points(let x, _): extremes.add(x)
        default: break
        }
      }
      guard let range = extremes.range else { throw .noRows }
      let whole = isExact ? range : ValueScale.range(of: range, isLogarithmic: false, beginsAtZero: false)
      scale = ValueScale(whole, from: plot.x, to: plot.right)
      slotWidth = plot.width
    }
  }

  /// The middle of a row.
  func x(_ row: Int) -> Double { plot.x + (Double(row) + 0.5) * slotWidth }

  /// The middle of the bar that has these rows.
  func x(_ rows: Range<Int>) -> Double { (x(rows.lowerBound) + x(rows.upperBound - 1)) / 2 }

  /// The width of a bar with the space beside it.
  var barWidth: Double { slotWidth * Double(rowsPerBar) }

  func ticks(_ chart: Chart, _ limits: ClosedRange<Double>, _ metrics: SceneMetrics) -> [SceneTick] {
    switch chart.axis {
    case .days(let days): return DayTicks.ticks(of: days, metrics, limits: limits, place: x)
    case .values:
      guard let scale else { return [] }
      return ValueTicks.ticks(of: scale, spacing: metrics.letterWidth * 11, .plain).map { tick in
        let half = Double(tick.label.count) * metrics.letterWidth / 2
        var tick = tick
        tick.labelPosition = min(max(tick.position, limits.lowerBound + half), limits.upperBound - half)
        return tick
      }
    }
  }
}

extension Series.Shape {
  /// Whether each row has a bar of its own where there is room.
  var hasBars: Bool {
    switch self {
    case .candles, .ohlc, .columns: true
    default: false
    }
  }
}
