import Quoin
import Testing

@testable import Charts

/// What has few rows, no values, or values that are hard to draw.
@Suite struct NastyChartTests {
  @Test func no_rows_are_refused() {
    #expect(throws: ChartError.noRows) { try Scene(Samples.candles(Samples.bars(0)), .picture()) }
  }

  @Test(arguments: [1, 2]) func few_days_are_drawn(_ count: Int) throws {
    let drawing = try Drawing(Samples.candles(Samples.bars(count)))
    #expect(drawing.picture.panels[0].candleCount == count)
    #expect(drawing.picture.ticks.first?.label == "3 Jan 2005")
    #expect(drawing.text.contains("║") || drawing.text.contains("┃"))
  }

  @Test func a_line_is_broken_where_values_are_missing() throws {
    let drawing = try Drawing(Samples.line([1, 2, .nan, 3, .infinity, .nan, 4]))
    guard case .lines(let runs, _) = drawing.picture.panels[0].shapes[0] else { return #expect(Bool(false)) }
    #expect(runs.map(\.count) == [2, 1, 1])
    let joined = Series("x", .line([1, .nan, 3], joinsGaps: true))
    let scene = try Scene(Chart("T", axis: .days(Samples.days(3)), panels: [Panel([joined])]), .picture())
    guard case .lines(let whole, _) = scene.panels[0].shapes[0] else { return #expect(Bool(false)) }
    #expect(whole.map(\.count) == [2])
  }

  @Test func a_bar_with_missing_cells_is_made_of_the_others() throws {
    let bars = PriceBars(
      opens: [.nan, 2, .nan, 5], highs: [.nan, 3, 9, 4], lows: [.nan, .nan, 1, 6], closes: [4, .nan, .nan, 5])
    #expect(bars.bar(0) == PriceBar(open: 4, close: 4))
    #expect(bars.bar(1).map { [$0.open, $0.high, $0.low, $0.close] } == [2, 3, 2, 2])
    #expect(bars.bar(2) == nil)
    #expect(bars.bar(3).map { [$0.low, $0.high] } == [4, 6])
    _ = try Drawing(Samples.candles(bars))
  }

  @Test func columns_without_any_value_leave_the_panel_empty() throws {
    for isLogarithmic in [false, true] {
      let drawing = try Drawing(Samples.line([.nan, .nan, .nan], isLogarithmic: isLogarithmic))
      guard case .lines(let runs, _) = drawing.picture.panels[0].shapes[0] else { return #expect(Bool(false)) }
      #expect(runs.isEmpty)
    }
  }

  @Test(arguments: [1e-6, 1, 80, 1e9, 1e-300, 1e300, 0, -5, .leastNonzeroMagnitude, -1e300])
  func one_price_is_a_line_in_the_middle(_ price: Double) throws {
    let drawing = try Drawing(Samples.line([price, price, price]))
    guard case .lines(let runs, _) = drawing.picture.panels[0].shapes[0] else { return #expect(Bool(false)) }
    let plot = drawing.picture.panels[0].plot
    for point in runs.joined() { #expect((point.y - plot.y - plot.height / 2).magnitude < plot.height * 0.5) }
    #expect(runs.joined().count == 3)
  }

  @Test(arguments: [1e-8, 1e-2, 1e5, 1e7, 1e-12]) func prices_of_any_size_have_labels_that_differ(_ unit: Double) throws
  {
    for isLogarithmic in [false, true] {
      let chart = Samples.candles(Samples.bars(60, unit: unit), isLogarithmic: isLogarithmic)
      let labels = try Drawing(chart).picture.panels[0].ticks.map(\.label)
      #expect(
        labels.count >= 3 && Set(labels).count == labels.count && labels.allSatisfy { $0.count <= 16 }, "\(labels)")
    }
  }

  @Test func negative_values_are_drawn() throws {
    let drawing = try Drawing(Samples.line([-3, 5, -40.5]))
    #expect(drawing.picture.panels[0].ticks.contains { $0.label.hasPrefix("\u{2212}") })
    let columns = Panel([Series("x", .columns([-3, 5], isRising: [false, true]))])
    let scene = try Scene(Chart("T", axis: .days(Samples.days(2)), panels: [columns]), .picture())
    guard case .columns(let drawn) = scene.panels[0].shapes[0] else { return #expect(Bool(false)) }
    // They meet at zero.
    #expect(drawn[0].top == drawn[1].bottom && drawn[0].bottom > drawn[0].top)
  }

  @Test func a_logarithmic_scale_leaves_out_what_has_no_place_and_says_so() throws {
    let drawing = try Drawing(Samples.line([1, 0, -2, 100], isLogarithmic: true))
    let note = "2 values aren't above 0, and a logarithmic scale has no place for them."
    #expect(drawing.picture.notes == [note] && drawing.svg.contains("aren't above 0") && drawing.text.contains(note))
    let one = try Drawing(Samples.line([1, 0], isLogarithmic: true)).picture.notes
    #expect(one == ["1 value isn't above 0, and a logarithmic scale has no place for it."])
    let error = #expect(throws: ChartError.nothingPositive("x")) {
      try Scene(Samples.line([0, -1], isLogarithmic: true), .picture())
    }
    #expect(error.map { "\($0)" }?.contains("'x'") == true)
  }

  @Test func values_at_the_ends_of_float64_are_drawn_or_left_out() throws {
    let tiny = Double.leastNormalMagnitude / 100
    for values in [
      [tiny, 2 * tiny], [tiny, 1], [1e-300, 1e300], [1e300, 1e299], [.leastNonzeroMagnitude, 1e308, 1],
    ] {
      for isLogarithmic in [false, true] {
        do { _ = try Drawing(Samples.line(values, isLogarithmic: isLogarithmic)) } catch ChartError.nothingPositive {}
      }
    }
  }

  @Test func twelve_panels_have_their_places_and_more_than_24_are_refused() throws {
    var chart = Samples.candles(Samples.bars(100))
    let panel = chart.panels[1]
    while chart.panels.count < 12 { chart.panels.append(panel) }
    let drawing = try Drawing(chart)
    let plots = drawing.picture.panels.map(\.plot)
    #expect(plots.count == 12 && zip(plots, plots.dropFirst()).allSatisfy { $0.bottom < $1.y })
    #expect(drawing.lines.count { $0.contains("volume") } == 11)
    chart.panels += Array(repeating: panel, count: 13)
    #expect(throws: ChartError.tooManyPanels(25)) { try Scene(chart, .picture()) }
  }

  @Test func texts_from_outside_stay_texts() throws {
    var chart = Samples.line([1, 2])
    chart.title = "<script>&\u{1B}[31m\u{0}\"\u{FFFF}"
    chart.subtitle = "]]>\n\u{202E}x"
    chart.marks = [DayMark(row: 0, .condition, "a < b & \"c\""), DayMark(row: 1, .split, "<")]
    let drawing = try Drawing(chart)
    #expect(!drawing.svg.contains("<script>") && !drawing.text.contains("\u{1B}") && !drawing.text.contains("\u{202E}"))
    let page = try ChartPage.document(chart)
    #expect(!page.contains("<script>&") && page.split(separator: "<script").count == 3 && !page.contains("\u{1B}"))
  }

  @Test func sizes_that_are_too_small_are_made_larger() throws {
    let chart = Samples.candles(Samples.bars(30))
    for size in [(0, 0), (1, 1), (10, 3), (30, 10)] {
      let text = TerminalWriter.text(try Scene(chart, .terminal(columns: size.0, rows: size.1)), styled: false)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 30 })
    }
    #expect(Drawing.isValid(SVGWriter.document(try Scene(chart, .picture(width: -5, height: 0)))))
  }
}

extension ScenePanel {
  /// How many candles it has.
  var candleCount: Int {
    shapes.reduce(0) { count, shape in
      if case .candles(let bars) = shape { count + bars.count } else { count }
    }
  }
}
