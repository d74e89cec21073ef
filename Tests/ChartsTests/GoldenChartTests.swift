import Foundation
import Quoin
import Testing

@testable import Charts

/// Charts byte by byte. After a change that is meant, `QUOIN_WRITE_CHARTS=1 swift test --filter GoldenChartTests` writes them
/// anew; look at them before you commit them.
@Suite struct GoldenChartTests {
  private static let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Golden"

  private static let charts: [(name: String, chart: Chart)] = [
    ("candles", Samples.candles(Samples.bars(45))), ("many-days", Samples.candles(Samples.bars(9000))),
    ("one-day", Samples.candles(Samples.bars(1))), ("events", events), ("histogram", histogram), ("scatter", scatter),
    ("lines", lines),
  ]

  private static var isToBeWritten: Bool { ProcessInfo.processInfo.environment["QUOIN_WRITE_CHARTS"] != nil }

  @Test(arguments: charts.indices) func every_chart_is_drawn_as_it_was(_ index: Int) throws {
    let (name, chart) = Self.charts[index]
    let picture = try Scene(chart, .picture(width: 480, height: 300))
    try compare(SVGWriter.document(picture), "\(name).svg")
    let scene = try Scene(chart, .terminal(columns: 60, rows: 18))
    try compare(TerminalWriter.text(scene, styled: name == "lines"), "\(name).txt")
  }

  /// What the script works on: panels, labels and marks that it can move, the values of each bar.
  @Test func a_figure_is_written_as_it_was() throws {
    var figure = try ChartFigure(Self.events, hasDetails: true, width: 480, height: 300)
    figure.isMovable = true
    try compare(figure.html, "events.html")
  }

  /// Fonts differ between machines, so pixels may differ a little.
  @Test func pictures_look_as_they_did() throws {
    var pictures: [PixelPicture] = []
    for name in ["candles", "events", "lines"] {
      let chart = try #require(Self.charts.first { $0.name == name }).chart
      for theme in [SVGWriter.Theme.light, .dark] {
        let scene = try Scene(chart, .picture(width: 480, height: 300))
        guard let png = try PixelPicture.png(of: SVGWriter.document(scene, theme: theme)) else {
          return print("SKIPPED: pictures are not compared: no rsvg-convert")
        }
        let file = URL(fileURLWithPath: "\(Self.folder)/\(name)-\(theme).png")
        if Self.isToBeWritten { try Data(png).write(to: file) }
        let picture = try PixelPicture(png)
        let golden = try PixelPicture([UInt8](Data(contentsOf: file)))
        let difference = picture.difference(from: golden)
        print("\(name), \(theme): differs by \(difference)")
        #expect(difference < 0.02, "\(name), \(theme)")
        pictures.append(picture)
      }
    }
    // Other pictures differ by more.
    for (index, picture) in pictures.enumerated() {
      for other in pictures[..<index] { #expect(picture.difference(from: other) > 0.02) }
    }
  }

  private func compare(_ text: String, _ name: String) throws {
    let path = "\(Self.folder)/\(name)"
    if Self.isToBeWritten {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let golden = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == golden, "\(name) differs")
  }

  /// A band, an overlay, bars instead of candles, and signs, on a logarithmic scale.
  private static var events: Chart {
    let bars = Samples.bars(60)
    var chart = Samples.candles(bars, isLogarithmic: true)
    let middle = bars.closes.indices.map { $0 < 4 ? Double.nan : (bars.closes[$0] + bars.closes[$0 - 4]) / 2 }
    chart.panels[0].series = [
      Series("close", .ohlc(bars)), Series("middle", .line(middle)),
      Series("band", .band(lower: middle.map { $0 - 2 }, upper: middle.map { $0 + 2 })),
    ]
    chart.marks = [
      DayMark(row: 10, .condition, "close < 50"), DayMark(row: 20, .split, "split 2"),
      DayMark(row: 40, .dividend, "dividend 0.5"),
    ]
    return chart
  }

  private static var histogram: Chart {
    let bins = Bins(of: Samples.bars(500).closes)!
    return Chart(
      "TEST", subtitle: "close", axis: .values("close"),
      panels: [Panel([Series("rows", .bins(edges: bins.edges, counts: bins.counts))], form: .amount)])
  }

  private static var scatter: Chart {
    let bars = Samples.bars(300)
    return Chart(
      "TEST", subtitle: "close against open", axis: .values("open"),
      panels: [Panel([Series("close", .points(x: bars.opens, y: bars.closes))], form: .plain)])
  }

  private static var lines: Chart {
    let bars = Samples.bars(250)
    let series = [
      Series("A", .line(bars.closes)), Series("B", .line(bars.opens.reversed())),
      Series("C", .area(bars.lows.map { $0 / 2 })),
    ]
    return Chart("A, B, C", axis: .days(Samples.days(250)), panels: [Panel(series, form: .price(decimals: 1))])
  }
}
