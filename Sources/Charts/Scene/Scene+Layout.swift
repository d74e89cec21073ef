import Quoin

extension Scene {
  /// The places of all that a chart has, on a device.
  ///
  /// Of many rows no more is kept than the device can show: of a line in each column of dots the first, smallest, largest and
  /// last value; bars that would be too narrow are merged. Complexity: O(values).
  ///
  /// - Throws: `ChartError.nothingPositive`, `tooManyPanels`, `noRows`.
  package init(_ chart: Chart, _ metrics: SceneMetrics) throws(ChartError) {
    guard chart.panels.count <= ChartError.panelCountMax else { throw .tooManyPanels(chart.panels.count) }
    let values = try chart.panels.map { panel throws(ChartError) in try PanelValues(panel) }
    let layout = SceneLayout(chart, values, metrics)
    (width, height) = (metrics.width, layout.height)
    (title, subtitle, summary) = (chart.title, chart.subtitle, chart.summary)
    (titleY, tickY, noteY) = (layout.titleY, layout.tickY, layout.noteY)
    let places = try RowPlaces(chart, layout.plots[0], metrics)
    for (index, panel) in chart.panels.enumerated() {
      var drawing = PanelDrawing(panel, values[index], layout.plots[index], places, metrics)
      drawing.caption(layout.captionYs[index])
      drawing.drawAll()
      panels.append(drawing.panel)
    }
    ticks = places.ticks(chart, layout.limits, metrics)
    marks = MarkPlaces(chart, values[0], layout.plots[0], places, metrics).marks
    rowsPerBar = places.rowsPerBar
    notes = Self.notes(chart, values, places)
  }

  private static func notes(_ chart: Chart, _ values: [PanelValues], _ places: RowPlaces) -> [String] {
    var notes: [String] = []
    if places.rowsPerBar > 1 {
      let hasColumns = chart.panels.contains { $0.series.contains { $0.shape.beginsAtZero } }
      notes.append(
        "Each bar is \(places.rowsPerBar) \(chart.rowNoun)"
          + (hasColumns ? "; a column shows their largest value." : "."))
    }
    let leftOut = values.map(\.leftOutCount).reduce(0, +)
    if leftOut > 0 {
      let isOne = leftOut == 1
      notes.append(
        "\(leftOut) value\(isOne ? " isn't" : "s aren't") above 0, and a logarithmic scale has no place for \(isOne ? "it" : "them")."
      )
    }
    return notes
  }
}

/// How the surface is shared out: a line for the title, the panels with their captions, and a line for the days.
struct SceneLayout {
  private(set) var height: Double
  private(set) var plots: [SceneRect] = []
  private(set) var captionYs: [Double?] = []
  let titleY: Double
  private(set) var tickY = 0.0
  private(set) var noteY = 0.0
  /// Where labels of days have to stay.
  let limits: ClosedRange<Double>

  init(_ chart: Chart, _ values: [PanelValues], _ metrics: SceneMetrics) {
    let line = metrics.lineHeight
    titleY = metrics.margin + line / 2
    // The labels of values stand on the right, where the newest rows are.
    let labelWidth = Double(values.map(\.labelLength).max() ?? 0) * metrics.letterWidth
    let right = metrics.width - metrics.margin - (labelWidth + 2 * metrics.letterWidth).rounded(.up)
    let width = max(metrics.grid.x, ((right - metrics.margin) / metrics.grid.x).rounded(.down) * metrics.grid.x)
    limits = metrics.margin...(metrics.width - metrics.margin)
    let hasCaption = chart.panels.indices.map { $0 > 0 || chart.panels[$0].series.count > 1 }
    let gap = line >= 8 ? line / 2 : 0
    // Title, captions, labels, notes; the line under the last panel.
    let fixed = 2 * metrics.margin + line * 3 + Double(hasCaption.count { $0 }) * (line + gap)
    let minima = chart.panels.indices.map { Double($0 == 0 ? metrics.linesMin.first : metrics.linesMin.other) * line }
    height = max(metrics.height, fixed + minima.reduce(0, +))
    let weights = chart.panels.indices.map { $0 == 0 ? 6.0 : 1.0 }
    let free = height - fixed - minima.reduce(0, +)
    var y = metrics.margin + line + gap / 2
    for index in chart.panels.indices {
      captionYs.append(hasCaption[index] ? y + line / 2 : nil)
      if hasCaption[index] { y += line }
      let share = minima[index] + free * weights[index] / weights.reduce(0, +)
      let panelHeight = (share / metrics.grid.y).rounded(.down) * metrics.grid.y
      plots.append(SceneRect(x: metrics.margin, y: y, width: width, height: panelHeight))
      y += panelHeight + gap
    }
    tickY = y - gap + line * (metrics.margin > 0 ? 0.8 : 1.5)
    noteY = tickY + line
  }
}
