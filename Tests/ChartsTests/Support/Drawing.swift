import Foundation
import Testing

@testable import Charts

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A chart drawn in every form, of which each has to be sound.
struct Drawing {
  let picture: Scene
  let svg: String
  let text: String

  /// - Parameter size: of the terminal.
  init(_ chart: Chart, _ size: (columns: Int, rows: Int) = (80, 23)) throws {
    picture = try Scene(chart, .picture())
    svg = SVGWriter.document(picture)
    let scene = try Scene(chart, .terminal(columns: size.columns, rows: size.rows))
    text = TerminalWriter.text(scene, styled: false)
    #expect(Self.isValid(svg), "\(svg.prefix(2000))")
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    #expect(lines.allSatisfy { $0.count <= size.columns }, "\(text)")
    for panel in picture.panels {
      let plot = panel.plot
      #expect(plot.x >= 0 && plot.right <= picture.width && plot.y >= 0 && plot.bottom <= picture.height)
      for tick in panel.ticks { #expect(tick.position >= plot.y - 0.1 && tick.position <= plot.bottom + 0.1) }
    }
  }

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// Whether a parser of XML reads it.
  static func isValid(_ text: String) -> Bool { XMLParser(data: Data(text.utf8)).parse() }

  /// Whether labels of the days don't touch.
  static func areApart(_ ticks: [SceneTick], _ metrics: SceneMetrics) -> Bool {
    zip(ticks, ticks.dropFirst()).allSatisfy { a, b in
      let halves = Double(a.label.count + b.label.count) / 2 * metrics.letterWidth
      return b.labelPosition - a.labelPosition >= halves
    }
  }
}
