import Foundation
import Quoin
import Testing

@testable import Charts

/// The page of one file, as bytes. What a browser makes of it is tested in `Tests/Page`.
@Suite struct ChartPageTests {
  private static let chart = Samples.candles(Samples.bars(1000))

  @Test func a_file_asks_for_nothing_and_is_the_same_each_time() throws {
    let page = try ChartPage.document(Self.chart)
    #expect(try ChartPage.document(Self.chart) == page)
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    for word in [" src=", " href=", "url(", "@import", "fetch(", "XMLHttpRequest", "https:"] {
      #expect(!page.contains(word), "\(word)")
    }
    // The names of SVG's elements are no address.
    #expect(page.replacing("http://www.w3.org/2000/svg", with: "").contains("http:") == false)
    let script = try #require(page.split(separator: "<script>\n").last)
    #expect(script.hasPrefix("\"use strict\";\n{\n"))
  }

  @Test func themes_have_the_colors_of_their_pictures() throws {
    let colors = [(SVGWriter.Theme.light, "#ffffff"), (.dark, "#14171a")]
    for (theme, paper) in colors {
      let page = try ChartPage.document(Self.chart, theme: theme)
      #expect(page.contains("html{background:\(paper);") && !page.contains("prefers-color-scheme"))
      #expect(page.contains("content=\"\(theme)\""))
    }
    let page = try ChartPage.document(Self.chart)
    for (_, paper) in colors { #expect(page.contains("html{background:\(paper);")) }
  }

  @Test func the_data_has_the_days_and_values_of_each_bar() throws {
    let figure = try ChartFigure(Self.chart)
    let object = try JSONSerialization.jsonObject(with: Data(figure.data.utf8)) as? [String: Any]
    let days = try #require(object?["days"] as? [String])
    let rowsPerBar = try #require(object?["rowsPerBar"] as? Int)
    #expect(rowsPerBar == figure.scenes[0].rowsPerBar && days.count == (1000 + rowsPerBar - 1) / rowsPerBar)
    #expect(days[0] == "\(Samples.days(1)[0]) to \(Samples.days(rowsPerBar)[rowsPerBar - 1])")
    let series = try #require(object?["series"] as? [[String: Any]])
    #expect(series.map { $0["name"] as? String } == ["open", "high", "low", "close", "volume"])
    #expect(series.allSatisfy { ($0["values"] as? [String])?.count == days.count })
    let merged = Samples.bars(1000).merged(by: rowsPerBar)
    #expect(
      (series[1]["values"] as? [String])?.map { Double($0) ?? .nan }
        == merged.map { $0?.high.rounded(toSignificant: 8) ?? .nan })
  }

  /// Each day that a file shows has a bar, whatever the page draws at first; of very many days some share one.
  @Test func details_are_the_same_chart_drawn_wider() throws {
    for (count, rowsPerBar) in [(1, 1), (1000, 1), (9000, 3)] {
      let figure = try ChartFigure(Samples.candles(Samples.bars(count)), hasDetails: true)
      #expect(figure.details.map(\.rowsPerBar) == [rowsPerBar, rowsPerBar])
      for (scene, detail) in zip(figure.scenes, figure.details) {
        #expect(detail.panels[0].candleCount == (count + rowsPerBar - 1) / rowsPerBar)
        for (panel, wide) in zip(scene.panels, detail.panels) {
          #expect(wide.plot.width == Double(16 * (count / rowsPerBar)) && wide.plot.x == panel.plot.x)
          #expect(wide.plot.y == panel.plot.y && wide.plot.height == panel.plot.height && wide.ticks == panel.ticks)
        }
      }
    }
    #expect(try ChartFigure(Self.chart).details.isEmpty)
  }

  @Test func what_has_no_days_is_shown_without_data() throws {
    let bars = Samples.bars(300)
    let chart = Chart(
      "TEST", axis: .values("open"),
      panels: [Panel([Series("close", .points(x: bars.opens, y: bars.closes))], form: .plain)])
    let page = try ChartPage.document(chart)
    #expect(page.contains("<script type=\"application/json\">{}</script>") && !page.contains("\" data-movable>"))
  }

  /// Pixels decide: a figure's plots are views of their own, and show what the picture shows.
  @Test func a_figure_shows_what_its_picture_shows() throws {
    for chart in [Self.chart, Samples.line(Samples.bars(200).closes)] {
      let scene = try Scene(chart, .picture(width: 480, height: 300))
      let element = SVGWriter.figureElement(scene, class: "wide").replacing(
        "</title>", with: "</title><style>\(SVGStyle.sheet(.light))</style>", maxReplacements: 1)
      #expect(Drawing.isValid(element))
      guard let figure = try PixelPicture.png(of: element),
        let picture = try PixelPicture.png(of: SVGWriter.document(scene, theme: .light))
      else { return print("SKIPPED: pictures are not compared: no rsvg-convert") }
      let difference = try PixelPicture(figure).difference(from: PixelPicture(picture))
      print("figure: differs by \(difference)")
      #expect(difference < 0.002)
    }
  }
}
