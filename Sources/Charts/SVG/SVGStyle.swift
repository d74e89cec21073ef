/// The colors of pictures: those of Okabe and Ito, which people with any color vision tell apart. Bars that rise are hollow and
/// those that fall filled, so that nobody needs the colors.
package enum SVGStyle {
  /// The style sheet of a picture.
  package static func sheet(_ theme: SVGWriter.Theme) -> String {
    "\n\(shapes)\n\(themed(theme, colors))\n"
  }

  /// The style sheet of a page that has the colors of its picture.
  static func pageSheet(_ theme: SVGWriter.Theme) -> String {
    themed(theme) { "html{background:\($0.paper);color:\($0.ink)}" }
  }

  private static func themed(_ theme: SVGWriter.Theme, _ rules: (Palette) -> String) -> String {
    switch theme {
    case .auto: rules(light) + "\n@media (prefers-color-scheme:dark){\n\(rules(dark))\n}"
    case .light: rules(light)
    case .dark: rules(dark)
    }
  }

  private static let shapes = """
    .quoin-chart{font:12px system-ui,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
    .quoin-chart path,.quoin-chart circle{fill:none}
    .quoin-chart .title{font-size:15px;font-weight:600}
    .quoin-chart .middle,.quoin-chart .event text{text-anchor:middle}
    .quoin-chart .line{stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
    .quoin-chart .points{stroke-width:3.5;stroke-linecap:round;stroke-opacity:.6}
    .quoin-chart .area,.quoin-chart .band{fill-opacity:.15}
    .quoin-chart .column{fill-opacity:.65}
    .quoin-chart .event text{font-size:9px;font-weight:600}
    """

  /// Variables of CSS would be shorter, and few programs but browsers know them.
  private static func colors(_ palette: Palette) -> String {
    func rule(_ selectors: String, _ declarations: String) -> String {
      selectors.split(separator: ",").map { ".quoin-chart \($0)" }.joined(separator: ",") + "{\(declarations)}"
    }
    var rules = [
      rule(".paper", "fill:\(palette.paper)"),
      rule(".title,.caption", "fill:\(palette.ink)"),
      rule(".subtitle,.label,.note", "fill:\(palette.muted)"),
      rule(".grid", "stroke:\(palette.grid)"),
      rule(".axis", "stroke:\(palette.muted);stroke-opacity:.5"),
      rule(".mark", "fill:\(palette.ink)"),
      rule(".event circle", "fill:\(palette.paper);stroke:\(palette.muted)"),
      rule(".event text", "fill:\(palette.ink)"),
      rule(".rising", "stroke:\(palette.rising)"),
      rule(".falling", "stroke:\(palette.falling)"),
      rule(".candle.rising", "fill:\(palette.paper)"),
      rule(".candle.falling,.column.falling", "fill:\(palette.falling)"),
      rule(".column.rising", "fill:\(palette.rising)"),
      rule(".column", "stroke:none"),
    ]
    for (index, color) in palette.series.enumerated() {
      rules.append(rule(".line.s\(index),.points.s\(index)", "stroke:\(color)"))
      rules.append(rule(".area.s\(index),.band.s\(index),.column.s\(index),.swatch.s\(index)", "fill:\(color)"))
    }
    return rules.joined(separator: "\n")
  }

  static func name(_ paint: Paint) -> String {
    switch paint {
    case .rising: "rising"
    case .falling: "falling"
    case .series(let index): "s\(index % seriesCount)"
    }
  }

  private static let seriesCount = 7

  private struct Palette {
    let paper: String
    let ink: String
    let muted: String
    let grid: String
    let rising: String
    let falling: String
    let series: [String]
  }

  private static let light = Palette(
    paper: "#ffffff", ink: "#1a1a1a", muted: "#5f6368", grid: "#e8eaed", rising: "#0072b2", falling: "#d55e00",
    series: ["#0072b2", "#c2410c", "#009e73", "#cc79a7", "#b37700", "#56b4e9", "#1a1a1a"])
  private static let dark = Palette(
    paper: "#14171a", ink: "#eceff1", muted: "#9aa0a6", grid: "#2a2f34", rising: "#56b4e9", falling: "#e87722",
    series: ["#56b4e9", "#e69f00", "#2fc49a", "#cc79a7", "#f0e442", "#7aa7ff", "#eceff1"])
}
