/// What the values of a panel say about its scale, before it has a place.
struct PanelValues {
  let range: ClosedRange<Double>
  let isLogarithmic: Bool
  /// Values that a logarithmic scale has no place for.
  private(set) var leftOutCount = 0
  /// The number of letters of the longest label.
  let labelLength: Int

  init(_ panel: Panel) throws(ChartError) {
    var extremes = Extremes(isLogarithmic: panel.isLogarithmic)
    for series in panel.series { extremes.add(series.shape) }
    leftOutCount = extremes.leftOutCount
    isLogarithmic = panel.isLogarithmic
    if panel.isLogarithmic, extremes.leftOutCount > 0, extremes.range == nil {
      throw .nothingPositive(panel.series.first?.name ?? "")
    }
    let beginsAtZero = panel.series.contains { $0.shape.beginsAtZero } && !panel.isLogarithmic
    let values = extremes.range ?? (panel.isLogarithmic ? 1...10 : 0...1)
    range = ValueScale.range(of: values, isLogarithmic: isLogarithmic, beginsAtZero: beginsAtZero)
    // As if it were ten labels high.
    let scale = ValueScale(range, isLogarithmic: isLogarithmic, from: 0, to: 10)
    labelLength = ValueTicks.ticks(of: scale, spacing: 1, panel.form).map(\.label.count).max() ?? 1
  }
}

/// The smallest and the largest of values that can be drawn.
struct Extremes {
  let isLogarithmic: Bool
  private var lowest = Double.infinity
  private var highest = -Double.infinity
  private(set) var leftOutCount = 0

  init(isLogarithmic: Bool) { self.isLogarithmic = isLogarithmic }

  var range: ClosedRange<Double>? { lowest <= highest ? lowest...highest : nil }

  mutating func add(_ shape: Series.Shape) {
    switch shape {
    case .candles(let bars), .ohlc(let bars):
      for values in [bars.opens, bars.highs, bars.lows, bars.closes] { add(values) }
    case .line(let values, _), .area(let values), .columns(let values, _), .points(_, let values): add(values)
    case .band(let lower, let upper):
      add(lower)
      add(upper)
    case .bins(_, let counts): add(counts.map(Double.init))
    }
  }

  mutating func add(_ values: [Double]) {
    for value in values where value.isDrawable {
      if isLogarithmic && value <= 0 {
        leftOutCount += 1
      } else {
        if value < lowest { lowest = value }
        if value > highest { highest = value }
      }
    }
  }
}

extension Series.Shape {
  /// Whether its heights are compared, as those of columns are.
  var beginsAtZero: Bool {
    switch self {
    case .columns, .bins: true
    default: false
    }
  }
}
