/// A page of one file that shows a chart and asks for nothing else.
package enum ChartPage {
  /// - Parameters:
  ///   - width: of the chart, in pixels; a narrow window shows a smaller one.
  ///   - height: in pixels; nil for the usual one.
  /// - Throws: `ChartError`.
  package static func document(
    _ chart: Chart, theme: SVGWriter.Theme = .auto, width: Int = 1200, height: Int? = nil
  ) throws(ChartError) -> String {
    var figure = try ChartFigure(chart, hasDetails: true, width: width, height: height)
    if case .days = chart.axis { figure.isMovable = true }
    let title = [chart.title, chart.subtitle].filter { !$0.isEmpty }.joined(separator: ", ")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="\(theme == .auto ? "light dark" : theme.rawValue)">
      <title>\(SVGText.escaped(title))</title>
      <style>
      body{margin:1rem auto;padding:0 1rem;max-width:\(SVGText.number(figure.scenes[0].width))px;font:15px/1.45 system-ui,"DejaVu Sans",sans-serif}
      .help{font-size:.9rem;opacity:.8}
      h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
      \(SVGStyle.pageSheet(theme))
      \(ChartFigure.sheet)\(SVGStyle.sheet(theme))</style>
      </head>
      <body>
      <main>
      <h1>\(SVGText.escaped(chart.title))</h1>
      \(figure.html)</main>
      <script>
      \(ChartFigure.script(PackageResources.file_js))</script>
      </body>
      </html>

      """
  }
}
