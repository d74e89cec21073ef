import Quoin

/// A chart in a page. It has two sizes, of which the style sheet shows the one that fits, and the values of each bar for the
/// script.
package struct ChartFigure {
  let chart: Chart
  let scenes: [Scene]
  /// Whether the script may show other days.
  package var isMovable = false
  /// All days that there are to show; nil for those of the chart.
  package var allDays: ClosedRange<TradingDay>?

  /// - Parameters:
  ///   - width: of the larger size, in pixels.
  ///   - height: of the larger size, in pixels; nil for the usual one, which more panels make higher.
  /// - Throws: `ChartError`.
  package init(_ chart: Chart, width: Int = 1200, height: Int? = nil) throws(ChartError) {
    self.chart = chart
    let more = max(0, chart.panels.count - 2) * 110
    scenes = [
      try Scene(chart, .picture(width: width, height: height ?? 560 + more)),
      try Scene(chart, .picture(width: 380, height: 420 + more)),
    ]
  }

  /// The element `figure`. A page has one at most.
  package var html: String {
    let pictures = zip(scenes, ["wide", "narrow"]).map { SVGWriter.figureElement($0, class: $1) }.joined()
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
