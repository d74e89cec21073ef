/// Open, high, low and close of days, or of longer stretches, one of each a row. NaN is missing.
package struct PriceBars: Sendable, Equatable {
  package private(set) var opens: [Double]
  package private(set) var highs: [Double]
  package private(set) var lows: [Double]
  package private(set) var closes: [Double]

  /// All columns have the same number of rows.
  package init(opens: [Double], highs: [Double], lows: [Double], closes: [Double]) {
    precondition(
      opens.count == closes.count && highs.count == closes.count && lows.count == closes.count,
      "columns of \(opens.count), \(highs.count), \(lows.count) and \(closes.count) rows")
    (self.opens, self.highs, self.lows, self.closes) = (opens, highs, lows, closes)
  }

  package var count: Int { closes.count }

  /// A bar of which something is known: what is missing is taken from the rest. Nil without open and close.
  package func bar(_ row: Int) -> PriceBar? {
    let (open, close) = (opens[row], closes[row])
    guard open.isDrawable || close.isDrawable else { return nil }
    let bar = PriceBar(open: open.isDrawable ? open : close, close: close.isDrawable ? close : open)
    return bar.reaching(lows[row]).reaching(highs[row])
  }

  /// Bars of `count` rows each, the last of the rest: the first open, the highest high, the lowest low, the last close.
  package func merged(by count: Int) -> [PriceBar?] {
    stride(from: 0, to: self.count, by: count).map { start in
      var merged: PriceBar?
      for row in start..<min(start + count, self.count) {
        guard let next = bar(row) else { continue }
        merged = merged.map { $0.followed(by: next) } ?? next
      }
      return merged
    }
  }
}

/// A bar without missing values. Its high and low enclose the others.
package struct PriceBar: Sendable, Equatable {
  package var open: Double
  package var high: Double
  package var low: Double
  package var close: Double

  init(open: Double, close: Double) {
    (self.open, self.close) = (open, close)
    (low, high) = (min(open, close), max(open, close))
  }

  package var isRising: Bool { close >= open }

  /// The bar with its high or low as far as `value`, if there is one.
  fileprivate func reaching(_ value: Double) -> PriceBar {
    guard value.isDrawable else { return self }
    var bar = self
    (bar.low, bar.high) = (min(low, value), max(high, value))
    return bar
  }

  fileprivate func followed(by next: PriceBar) -> PriceBar {
    var bar = reaching(next.low).reaching(next.high)
    bar.close = next.close
    return bar
  }
}

extension Double {
  /// Whether a scale can have a place for it: neither missing nor so large that differences overflow.
  @inline(__always)
  package var isDrawable: Bool { magnitude <= 1e300 }

  /// Whether a logarithmic scale can have a place for it: above zero, and not so near to it that quotients overflow.
  @inline(__always)
  var hasLogarithm: Bool { self >= 1e-300 }
}
