/// A scene as a picture in SVG 1.1: valid XML, the same bytes for the same scene.
package struct SVGWriter {
  /// Which colors it has.
  package enum Theme: String, CaseIterable, Sendable {
    /// Those that the reader's system prefers.
    case auto
    case light, dark
  }

  private var text = ""
  private let scene: Scene
  /// What is drawn in the scene's plots: of a picture the scene, of a figure perhaps also the same chart drawn wider, whose script
  /// shows parts of either.
  private let levels: [(name: String, scene: Scene)]
  private let isInFigure: Bool

  /// The picture as a document of its own.
  package static func document(_ scene: Scene, theme: Theme = .auto) -> String {
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + element(scene, theme: theme)
  }

  /// The picture as an element, which HTML can contain too.
  package static func element(_ scene: Scene, theme: Theme = .auto) -> String {
    var writer = SVGWriter(scene, [("", scene)], isInFigure: false)
    writer.write("quoin-chart", SVGStyle.sheet(theme))
    return writer.text
  }

  /// The picture as an element of a figure, whose page has its style sheet, `SVGStyle.sheet`.
  ///
  /// - Parameters:
  ///   - detail: the same chart drawn wider, which isn't seen at first.
  ///   - name: a further class.
  static func figureElement(_ scene: Scene, detail: Scene? = nil, class name: String) -> String {
    let levels = [("coarse", scene)] + (detail.map { [("fine", $0)] } ?? [])
    var writer = SVGWriter(scene, levels, isInFigure: true)
    writer.write("quoin-chart \(name)", nil)
    return writer.text
  }

  private init(_ scene: Scene, _ levels: [(name: String, scene: Scene)], isInFigure: Bool) {
    (self.scene, self.levels, self.isInFigure) = (scene, levels, isInFigure)
  }

  private mutating func write(_ classes: String, _ style: String?) {
    let (width, height) = (SVGText.number(scene.width), SVGText.number(scene.height))
    line(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"\(classes)\" role=\"img\" viewBox=\"0 0 \(width) \(height)\" "
        + "width=\"\(width)\" height=\"\(height)\">")
    line("<title>\(SVGText.escaped(scene.title))</title>")
    line("<desc>\(SVGText.escaped(scene.summary))</desc>")
    if let style { line("<style>\(style)</style>") }
    line(#"<rect class="paper" width="100%" height="100%"/>"#)
    writeHeader()
    for index in scene.panels.indices { writePanel(index) }
    writeDays()
    for (name, level) in levels {
      if isInFigure { line("<g class=\"\(name)\">") }
      for mark in level.marks { write(mark, level.panels[0].plot) }
      if !level.notes.isEmpty {
        write(level.notes.joined(separator: " "), scene.panels[0].plot.x, scene.noteY, "note")
      }
      if isInFigure { line("</g>") }
    }
    line("</svg>")
  }

  private mutating func line(_ line: String) {
    text += line
    text += "\n"
  }

  private mutating func writeHeader() {
    let (x, y) = (SVGText.number(scene.panels[0].plot.x), SVGText.number(scene.titleY + 5))
    line(
      "<text x=\"\(x)\" y=\"\(y)\"><tspan class=\"title\">\(SVGText.escaped(scene.title))</tspan>"
        + "<tspan class=\"subtitle\" dx=\"10\">\(SVGText.escaped(scene.subtitle))</tspan></text>")
  }

  private mutating func write(_ text: String, _ x: Double, _ y: Double, _ name: String) {
    line(
      "<text class=\"\(name)\" x=\"\(SVGText.number(x))\" y=\"\(SVGText.number(y + 4))\">\(SVGText.escaped(text))</text>"
    )
  }

  private mutating func writePanel(_ index: Int) {
    let panel = scene.panels[index]
    line("<g>")
    var grid = ""
    for tick in panel.ticks {
      grid += "M\(SVGText.number(panel.plot.x)) \(SVGText.crisp(tick.position))H\(SVGText.number(panel.plot.right))"
    }
    var days = ""
    for tick in scene.ticks {
      days += "M\(SVGText.crisp(tick.position)) \(SVGText.number(panel.plot.y))V\(SVGText.number(panel.plot.bottom))"
    }
    if isInFigure {
      path("grid", grid)
      line("<path class=\"grid days\" d=\"\(days)\"/>")
    } else {
      path("grid", grid + days)
    }
    for (name, level) in levels {
      if isInFigure { line(Self.viewOpening(name, panel.plot, of: level.panels[index].plot)) }
      for shape in level.panels[index].shapes { write(shape) }
      if isInFigure { line("</svg>") }
    }
    let (right, bottom) = (SVGText.crisp(panel.plot.right), SVGText.crisp(panel.plot.bottom))
    line(
      "<path class=\"axis\" d=\"M\(SVGText.number(panel.plot.x)) \(bottom)H\(right)V\(SVGText.number(panel.plot.y))\"/>"
    )
    for tick in panel.ticks { write(tick.label, panel.plot.right + 7, tick.labelPosition, "label") }
    for item in panel.caption { write(item, panel) }
    line("</g>")
  }

  /// A view of a plot, of which the script shows parts: it has a view box of its own, which cuts off what lies outside.
  private static func viewOpening(_ name: String, _ place: SceneRect, of plot: SceneRect) -> String {
    let (corner, size) = (SVGText.pair(plot.x, plot.y), SVGText.pair(plot.width, plot.height))
    let sides = [("x", place.x), ("y", place.y), ("width", place.width), ("height", place.height)]
    let list = sides.map { "\($0)=\"\(SVGText.number($1))\"" }.joined(separator: " ")
    return "<svg class=\"plot \(name)\" \(list) viewBox=\"\(corner) \(size)\" preserveAspectRatio=\"none\">"
  }

  private mutating func write(_ item: SceneCaption, _ panel: ScenePanel) {
    guard let y = panel.captionY else { return }
    line(
      "<rect class=\"swatch \(SVGStyle.name(item.paint))\" x=\"\(SVGText.number(item.x))\" y=\"\(SVGText.number(y - 4))\" "
        + "width=\"9\" height=\"9\"/>")
    write(item.text, item.x + 14, y, "caption")
  }

  private mutating func writeDays() {
    let name = isInFigure ? "label middle day" : "label middle"
    for tick in scene.ticks { write(tick.label, tick.labelPosition, scene.tickY, name) }
  }

  private mutating func write(_ shape: SceneShape) {
    switch shape {
    case .candles(let bars):
      path("candle rising", bars.filter(\.isRising).map(SVGText.candle).joined())
      path("candle falling", bars.filter { !$0.isRising }.map(SVGText.candle).joined())
    case .ohlc(let bars):
      path("bar rising", bars.filter(\.isRising).map(SVGText.bar).joined())
      path("bar falling", bars.filter { !$0.isRising }.map(SVGText.bar).joined())
    case .lines(let runs, let paint): path("line \(SVGStyle.name(paint))", runs.map(SVGText.line).joined())
    case .areas(let runs, let base, let paint):
      path("area \(SVGStyle.name(paint))", runs.map { SVGText.area($0, base) }.joined())
      path("line \(SVGStyle.name(paint))", runs.map(SVGText.line).joined())
    case .bands(let bands, let paint):
      path("band \(SVGStyle.name(paint))", bands.map { SVGText.line($0.upper + $0.lower.reversed()) + "Z" }.joined())
    case .columns(let columns):
      let paints: [Paint] = [.rising, .falling, .series(0)]
      for paint in paints {
        path("column \(SVGStyle.name(paint))", columns.filter { $0.paint == paint }.map(SVGText.column).joined())
      }
    case .points(let points, let paint):
      path("points \(SVGStyle.name(paint))", points.map { "M\(SVGText.pair($0))h0" }.joined())
    }
  }

  private mutating func path(_ name: String, _ data: String) {
    if !data.isEmpty { line("<path class=\"\(name)\" d=\"\(data)\"/>") }
  }

  /// - Parameter plot: of the scene that has the mark.
  private mutating func write(_ mark: SceneMark, _ plot: SceneRect) {
    let share = (mark.x - plot.x) / plot.width
    let (x, y) = (isInFigure ? scene.panels[0].plot.x + share * scene.panels[0].plot.width : mark.x, mark.y)
    let title = "<title>\(SVGText.escaped(mark.text))</title>"
    let place = isInFigure ? " data-share=\"\((share * 1e6).rounded() / 1e6)\"" : ""
    switch mark.kind {
    case .condition:
      let tip = max(y - 3, scene.panels[0].plot.y + 8)
      line("<path class=\"mark\"\(place) d=\"M\(SVGText.pair(x, tip))l-4.5 -8h9Z\">\(title)</path>")
    case .split, .dividend:
      let (letter, name) = mark.kind == .split ? ("S", "split") : ("D", "dividend")
      line(
        "<g class=\"event \(name)\"\(place)>\(title)<circle cx=\"\(SVGText.number(x))\" cy=\"\(SVGText.number(y - 9))\" r=\"7\"/>"
          + "<text x=\"\(SVGText.number(x))\" y=\"\(SVGText.number(y - 5.5))\">\(letter)</text></g>")
    }
  }
}
