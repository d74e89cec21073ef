import Quoin
import Testing

@testable import Charts

@Suite struct SceneTests {
  @Test func thinning_keeps_the_first_smallest_largest_and_last_value_of_each_column() {
    var random = Samples.Generator(state: 3)
    for (rowCount, columnCount) in [(10_000, 100), (999, 7), (5000, 1), (401, 100)] {
      var values = (0..<rowCount).map { _ in Double(random.next(1000)) }
      for row in values.indices where random.next(10) == 0 { values[row] = .nan }
      let rows = Thinning.rows(of: values, columnCount: columnCount)
      #expect(rows == rows.sorted() && Set(rows).count == rows.count && rows.count <= 4 * columnCount)
      let kept = Set(rows)
      for column in 0..<columnCount {
        let range = (column * rowCount / columnCount)..<((column + 1) * rowCount / columnCount)
        let known = range.filter { !values[$0].isNaN }
        let shown = range.filter { kept.contains($0) && !values[$0].isNaN }.map { values[$0] }
        #expect(known.first.map(kept.contains) != false && known.last.map(kept.contains) != false)
        #expect(shown.min() == known.map { values[$0] }.min() && shown.max() == known.map { values[$0] }.max())
      }
    }
  }

  @Test func merged_bars_keep_extremes() throws {
    let bars = Samples.bars(1000)
    for bar in bars.merged(by: 7).enumerated() {
      let rows = (bar.offset * 7)..<min(1000, bar.offset * 7 + 7)
      let merged = try #require(bar.element)
      #expect(merged.open == bars.opens[rows.lowerBound] && merged.close == bars.closes[rows.upperBound - 1])
      #expect(merged.high == bars.highs[rows].max() && merged.low == bars.lows[rows].min())
    }
  }

  @Test func many_days_make_no_more_than_a_device_shows() throws {
    let chart = Samples.candles(Samples.bars(15_000))
    let scene = try Scene(chart, .picture())
    #expect(scene.panels[0].candleCount <= 240 && scene.notes.first?.hasPrefix("Each bar is ") == true)
    #expect(SVGWriter.document(scene).utf8.count < 60_000)
    let line = try Scene(Samples.line(Samples.bars(15_000).closes), .picture())
    guard case .lines(let runs, _) = line.panels[0].shapes[0] else { return #expect(Bool(false)) }
    #expect(runs.count == 1 && runs[0].count <= 4 * 960)
  }

  @Test func labels_of_days_never_collide_and_say_where_they_are() throws {
    var random = Samples.Generator(state: 11)
    for metrics in [SceneMetrics.picture(), .picture(width: 390), .terminal(columns: 80, rows: 24)] {
      for _ in 0..<200 {
        var day = TradingDay(daysSince1970: random.next(20_000) - 3000) ?? .earliest
        let gap = [1, 2, 7, 31, 365, 3000][random.next(6)]
        let days = (0..<(1 + random.next(400))).map { _ in
          day = day.advanced(by: 1 + random.next(gap)) ?? .latest
          return day
        }
        let values = days.indices.map(Double.init)
        let chart = Chart("T", axis: .days(days), panels: [Panel([Series("x", .line(values))])])
        let scene = try Scene(chart, metrics)
        #expect(!scene.ticks.isEmpty && Drawing.areApart(scene.ticks, metrics), "\(scene.ticks.map(\.label))")
        #expect(
          scene.ticks.contains { $0.label.count >= 4 && Int($0.label.suffix(4)) != nil }, "\(scene.ticks.map(\.label))")
      }
    }
  }

  @Test func labels_of_values_are_round_and_apart() throws {
    var random = Samples.Generator(state: 5)
    for _ in 0..<500 {
      let size = [1e-6, 0.01, 1, 1000, 1e9][random.next(5)]
      let low = Double(random.next(1000)) * size
      let high = low + Double(1 + random.next(100_000)) * size
      for isLogarithmic in [false, true] where !isLogarithmic || low > 0 {
        let scale = ValueScale(low...high, isLogarithmic: isLogarithmic, from: 300, to: 0)
        let ticks = ValueTicks.ticks(of: scale, spacing: 30, .plain)
        #expect((1...11).contains(ticks.count), "\(low) \(high) \(ticks.map(\.label))")
        #expect(Set(ticks.map(\.label)).count == ticks.count, "\(low) \(high) \(ticks.map(\.label))")
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.position - $1.position >= 20 })
      }
    }
  }

  @Test func numbers_are_written_as_the_ticker_has_them() {
    #expect(NumberForm.prices([80, 82.5, 81.25]) == .price(decimals: 2))
    #expect(NumberForm.prices([1.0625, 1.125, 3.0001]) == .price(decimals: 4))
    #expect(NumberForm.prices([76.681496609732, 75.146005476163]) == .price(decimals: 2))
    #expect(
      NumberForm.price(decimals: 2).text(86.9) == "86.90" && NumberForm.price(decimals: 2).text(-0.5) == "\u{2212}0.500"
    )
    #expect(NumberForm.price(decimals: 2).text(0.0000012) == "0.00000120")
    #expect(NumberForm.price(decimals: 2).text(1.5e9) == "1.5B" && NumberForm.amount.text(1_234_567) == "1.23M")
    #expect(
      NumberForm.amount.text(0) == "0" && NumberForm.amount.text(999_999) == "1M"
        && NumberForm.plain.text(70.3412) == "70.34")
    #expect(
      NumberForm.plain.text(1e-20) == "1e-20" && NumberForm.plain.text(.nan) == "-"
        && NumberForm.amount.text(2e200) == "2e200")
  }

  @Test func lines_of_several_tickers_begin_at_100_on_their_first_common_day() {
    let lines = [[Double.nan, 10, 20], [5, 4, 8]]
    let rebased = Rebasing.rebased(lines)
    #expect(rebased[0].dropFirst() == [100, 200] && rebased[1] == [125, 100, 200])
    // Whichever ticker comes first.
    let exchanged = Rebasing.rebased(lines.reversed())
    #expect(exchanged[0] == rebased[1] && exchanged[1].dropFirst() == rebased[0].dropFirst())
    #expect(Rebasing.rebased([[10, 20, 40], [.nan, .nan, 8], [0, 4, 2]])[0] == [25, 50, 100])
    #expect(Rebasing.rebased([[1, .nan], [.nan, 0]])[0][0] == 100)
  }

  @Test func bins_hold_all_values() {
    var random = Samples.Generator(state: 2)
    for count in [1, 2, 10, 1000] {
      let values = (0..<count).map { _ in Double(random.next(2000) - 1000) / 37 }
      let bins = Bins(of: values)
      #expect(bins?.counts.reduce(0, +) == count && (bins?.counts.count ?? 99) <= 62)
      #expect(bins.map { $0.edges[0] <= values.min()! + 1e-9 && $0.edges.last! >= values.max()! - 1e-9 } == true)
    }
    #expect(Bins(of: [.nan]) == nil && Bins(of: [0, 0])?.counts.reduce(0, +) == 2)
  }

  @Test func nothing_depends_on_chance() throws {
    let chart = Samples.candles(Samples.bars(300))
    let first = SVGWriter.document(try Scene(chart, .picture()))
    #expect(try SVGWriter.document(Scene(chart, .picture())) == first)
  }
}
