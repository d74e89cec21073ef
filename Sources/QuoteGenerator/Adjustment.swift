import Quoin

// The vendor's recursion, newest day first:
//
//   F[i-1] = F[i] * (close[i] / (close[i] + exDividend[i])) / splitRatio[i]
//   S[i-1] = S[i] * splitRatio[i]
//   adjusted price[i]  = rounded14(price[i] * F[i])
//   adjusted volume[i] = rounded14(volume[i] * S[i])
//
// In this order of operations it gives back every adjusted cell of WIKI's AAPL and MSFT bit for bit. F and S of the
// last day are 1 in a table that reaches to the day it was made.

/// F and S: what a day's raw price and volume are multiplied by.
struct AdjustmentFactors {
  var price = 1.0
  var volume = 1.0

  /// Steps over a day to the one before it. A missing close or ratio changes nothing.
  mutating func stepBack(close: Double, exDividend: Double, splitRatio: Double) {
    if exDividend > 0, close > 0 { price *= close / (close + exDividend) }
    if splitRatio > 0, splitRatio != 1 {
      price /= splitRatio
      volume *= splitRatio
    }
  }
}

extension RawQuotes {
  /// All twelve columns, the adjusted ones derived with these factors on the last day.
  consuming func adjusted(from last: AdjustmentFactors = AdjustmentFactors()) -> QuoteColumns {
    var columns = QuoteColumns(days: days)
    let factors = priceFactors(from: last)
    columns[.adjustedOpen] = Self.products(open, factors)
    columns[.adjustedHigh] = Self.products(high, factors)
    columns[.adjustedLow] = Self.products(low, factors)
    columns[.adjustedClose] = Self.products(close, factors)
    columns[.adjustedVolume] = adjustedVolumes(from: last)
    columns[.open] = open
    columns[.high] = high
    columns[.low] = low
    columns[.close] = close
    columns[.volume] = volume
    columns[.exDividend] = exDividend
    columns[.splitRatio] = splitRatio
    return columns
  }

  private func priceFactors(from last: AdjustmentFactors) -> [Double] {
    var factors = last
    var prices = [Double](repeating: 1, count: days.count)
    for row in days.indices.reversed() {
      prices[row] = factors.price
      factors.stepBack(close: close[row], exDividend: exDividend[row], splitRatio: splitRatio[row])
    }
    return prices
  }

  private static func products(_ values: [Double], _ factors: [Double]) -> [Double] {
    var products = values
    for row in values.indices {
      products[row] = values[row].isMissing ? .missing : rounded14(values[row] * factors[row])
    }
    return products
  }

  /// Volumes in today's shares, to the whole share (the vendor gives fractions after odd ratios).
  private func adjustedVolumes(from last: AdjustmentFactors) -> [Double] {
    var factors = last
    var volumes = volume.map { $0.isMissing ? .missing : Double($0) }
    for row in days.indices.reversed() {
      if !volume[row].isMissing, factors.volume != 1 {
        volumes[row] = rounded14(volumes[row] * factors.volume).rounded()
      }
      factors.stepBack(close: close[row], exDividend: exDividend[row], splitRatio: splitRatio[row])
    }
    return volumes
  }
}
