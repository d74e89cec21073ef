/// The smallest and the largest of values that can be drawn.
struct Extremes {
  let isLogarithmic: Bool
  private var lowest = Double.infinity
  private var highest = -Double.infinity
  private(set) var leftOutCount = 0

  init(isLogarithmic: Bool) { self.isLogarithmic = isLogarithmic }

  var range: ClosedRange<Double>? { lowest <= highest ? lowest...highest : nil }

  mutating func add(_ shape: Series.Shape) {
    switch shape {
    case .candles(let bars), .ohlc(let bars):
      for values in [bars.opens, bars.highs, bars.lows, bars.closes] { add(values) }
    case .line(let values, _), .area(let values), .columns(let values, _), .points(_, let values): add(values)
    case .band(let lower, let upper):
      add(lower)
      add(upper)
    case .bins(_, let counts): add(counts.map(Double.init))
    }
  }

  mutating func add(_ values: [Double]) {
    for value in values where value.isDrawable {
      if isLogarithmic && !value.hasLogarithm {
        leftOutCount += 1
      } else {
        if value < lowest { lowest = value }
        if value > highest { highest = value }
      }
    }
  }
}
