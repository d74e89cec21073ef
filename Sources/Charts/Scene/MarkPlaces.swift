/// Gives marks their places: above the day's high what a condition found, and at the bottom splits and dividends.
struct MarkPlaces {
  private(set) var marks: [SceneMark] = []

  init(_ chart: Chart, _ values: PanelValues, _ plot: SceneRect, _ places: RowPlaces, _ metrics: SceneMetrics) {
    let scale = ValueScale(values.range, isLogarithmic: values.isLogarithmic, from: plot.bottom, to: plot.y)
    let tops = chart.panels.first.map(Self.tops) ?? []
    var taken: Set<Int> = []
    for mark in chart.marks {
      let x = places.x(mark.row)
      // No more than one of a kind in a letter's width.
      let cell = Int(x / (metrics.letterWidth / 2)) * 3 + (mark.kind == .condition ? 0 : mark.kind == .split ? 1 : 2)
      guard taken.insert(cell).inserted else { continue }
      let top = tops.indices.contains(mark.row) ? tops[mark.row] : .nan
      let hasPlace = top.isDrawable && (!scale.isLogarithmic || top.hasLogarithm)
      let y = mark.kind == .condition ? (hasPlace ? scale.position(top) : plot.y + metrics.lineHeight / 2) : plot.bottom
      marks.append(SceneMark(x: x, y: max(y, plot.y), kind: mark.kind, text: mark.text))
    }
  }

  /// The highest value of each row of the panel's first series.
  private static func tops(_ panel: Panel) -> [Double] {
    switch panel.series.first?.shape {
    case .candles(let bars), .ohlc(let bars): (0..<bars.count).map { bars.bar($0)?.high ?? .nan }
    case .line(let values, _), .area(let values), .columns(let values, _): values
    default: []
    }
  }
}
