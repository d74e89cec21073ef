/// A page that shows a picture and nothing else.
package enum SVGPage {
  package static func document(_ scene: Scene, theme: SVGWriter.Theme = .auto) -> String {
    let scheme = theme == .auto ? "light dark" : theme.rawValue
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="\(scheme)">
      <title>\(SVGText.escaped(scene.title))</title>
      <style>body{margin:1rem}svg{display:block;max-width:100%;height:auto;margin:auto}</style>
      </head>
      <body>
      <main>
      \(SVGWriter.element(scene, theme: theme))</main>
      </body>
      </html>

      """
  }
}
