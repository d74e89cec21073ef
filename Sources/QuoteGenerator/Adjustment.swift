import Quoin

// The recursion is `AdjustmentFactors`, which has its formula. Results are rounded by this module's own, faster function.

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
