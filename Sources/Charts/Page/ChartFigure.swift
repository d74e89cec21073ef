import Quoin

/// A chart in a page. It has two sizes, of which the style sheet shows the one that fits, and the values of each bar for the
/// script.
package struct ChartFigure {
  let chart: Chart
  let scenes: [Scene]
  /// The same much wider, so that each day has room for a bar; none where the script doesn't show it.
  let details: [Scene]
  /// Whether the script may show other days.
  package var isMovable = false
  /// All days that there are to show; nil for those of the chart.
  package var allDays: ClosedRange<TradingDay>?

  /// The largest number of bars that are drawn for the script to show some of them, and their width with the space beside it.
  private static let detail = (barCount: 4000, barWidth: 16)

  /// - Parameters:
  ///   - hasDetails: whether each day has a bar, for a script that asks no server.
  ///   - width: of the larger size, in pixels.
  ///   - height: of the larger size, in pixels; nil for the usual one, which more panels make higher.
  /// - Throws: `ChartError`.
  package init(
    _ chart: Chart, hasDetails: Bool = false, width: Int = 1200, height: Int? = nil
  ) throws(ChartError) {
    self.chart = chart
    let more = max(0, chart.panels.count - 2) * 110
    let sizes = [
      SceneMetrics.picture(width: width, height: height ?? 560 + more), .picture(width: 380, height: 420 + more),
    ]
    let scenes = try sizes.map { size throws(ChartError) in try Scene(chart, size) }
    self.scenes = scenes
    guard hasDetails, case .days(let days) = chart.axis else {
      details = []
      return
    }
    let rowsPerBar = Thinning.rowsPerBar(days.count, barCount: Self.detail.barCount)
    details = try zip(sizes, scenes).map { size, scene throws(ChartError) in
      var size = size
      size.barWidth = Double(Self.detail.barWidth)
      // Beside the plot there is as much as in the scene.
      size.width += size.barWidth * Double((days.count + rowsPerBar - 1) / rowsPerBar) - scene.panels[0].plot.width
      return try Scene(chart, size)
    }
  }

  /// The element `figure`. A page has one at most.
  package var html: String {
    let pictures = zip(scenes.indices, ["wide", "narrow"]).map { index, name in
      SVGWriter.figureElement(scenes[index], detail: details.isEmpty ? nil : details[index], class: name)
    }.joined()
    return """
      <figure id="chart" tabindex="0" aria-label="Chart. \(SVGText.escaped(chart.summary))"\(isMovable ? " data-movable" : "")>
      \(pictures)<div id="readout" aria-live="polite"></div>
      <script type="application/json">\(data)</script>
      </figure>

      """
  }

  /// The style sheet of figures, which `SVGStyle.sheet` has to follow.
  package static let sheet = String(decoding: PackageResources.chart_css, as: UTF8.self)

  /// The script of a page: what figures can do, and behind it what the page does with them. Other scripts see no name of it.
  package static func script(_ page: [UInt8]) -> String {
    "\"use strict\";\n{\n" + String(decoding: PackageResources.chart_js + page, as: UTF8.self) + "}\n"
  }
}
