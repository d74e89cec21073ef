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

extension Series.Shape {
  /// Whether its heights are compared, as those of columns are.
  var beginsAtZero: Bool {
    switch self {
    case .columns, .bins: true
    default: false
    }
  }
}
