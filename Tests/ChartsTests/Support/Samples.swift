import Quoin

@testable import Charts

/// Charts for the tests, the same on every machine.
enum Samples {
  /// Weekdays from 2005-01-03 on.
  static func days(_ count: Int) -> [TradingDay] {
    var days: [TradingDay] = []
    var day: TradingDay = "2005-01-03"
    while days.count < count {
      if (1...5).contains(day.weekday) { days.append(day) }
      day = day.advanced(by: 1) ?? .latest
    }
    return days
  }

  /// Prices in cents times `unit`, which go up and down.
  static func bars(_ count: Int, unit: Double = 0.01) -> PriceBars {
    var random = Generator(state: 7)
    var cents = 5000
    var columns: [[Double]] = [[], [], [], []]
    for _ in 0..<count {
      let open = cents
      cents = max(100, cents + random.next(241) - 118)
      let cells = [open, max(open, cents) + random.next(80), min(open, cents) - random.next(80), cents]
      for (column, cell) in cells.enumerated() { columns[column].append(Double(cell) * unit) }
    }
    return PriceBars(opens: columns[0], highs: columns[1], lows: columns[2], closes: columns[3])
  }

  static func candles(_ bars: PriceBars, isLogarithmic: Bool = false) -> Chart {
    let volumes = (0..<bars.count).map { Double(1_000_000 + $0 * 7919 % 900_000) }
    let panels = [
      Panel([Series("close", .candles(bars))], isLogarithmic: isLogarithmic, form: .prices(bars.closes)),
      Panel(
        [Series("volume", .columns(volumes, isRising: (0..<bars.count).map { bars.bar($0)?.isRising ?? true }))],
        form: .amount),
    ]
    return Chart(
      "TEST", subtitle: "2005", axis: .days(days(bars.count)), panels: panels, summary: "Made up for tests.")
  }

  static func line(_ values: [Double], isLogarithmic: Bool = false) -> Chart {
    Chart(
      "TEST", axis: .days(days(values.count)),
      panels: [Panel([Series("x", .line(values))], isLogarithmic: isLogarithmic, form: .prices(values))])
  }

  /// A linear congruential generator.
  struct Generator {
    var state: UInt64

    /// Below `limit`.
    mutating func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
  }
}
