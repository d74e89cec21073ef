// The vendor's recursion, newest day first:
//
//   F[i-1] = F[i] * (close[i] / (close[i] + exDividend[i])) / splitRatio[i]
//   S[i-1] = S[i] * splitRatio[i]
//   adjusted price[i]  = price[i] * F[i], rounded to 14 digits
//   adjusted volume[i] = volume[i] * S[i], rounded to 14 digits
//
// F and S of the last day are 1. In this order of operations it gives back every adjusted cell of WIKI's AAPL and MSFT bit for
// bit.

/// F and S: what a day's raw price and volume are multiplied by.
package struct AdjustmentFactors {
  package var price: Double
  package var volume: Double

  package init(price: Double = 1, volume: Double = 1) { (self.price, self.volume) = (price, volume) }

  /// Steps over a day to the one before it. A missing close, dividend or ratio changes nothing, nor does one of zero or less.
  package mutating func stepBack(close: Double, exDividend: Double, splitRatio: Double) {
    if exDividend > 0, exDividend.isFinite, close > 0, close.isFinite { price *= close / (close + exDividend) }
    if splitRatio > 0, splitRatio.isFinite, splitRatio != 1 {
      price /= splitRatio
      volume *= splitRatio
    }
  }
}

extension QuoteColumns {
  /// The same rows with adjusted prices and volumes, computed from prices, volumes, dividends and splits by the recursion of
  /// Quandl's WIKI table.
  ///
  /// The rows have to be all that there are, up to the last day, whose adjusted values are the raw ones. Going back, a split
  /// divides the prices of the days before it by its ratio and multiplies their volumes, and a dividend multiplies their prices
  /// by close / (close + dividend), both of its day. Results are rounded to 14 significant digits. A missing dividend counts as
  /// 0, a missing split ratio as 1. Where the raw value is missing, the adjusted one is.
  ///
  /// - Returns: the rows in their order, with the five adjusted attributes in place of those that there were. Complexity:
  ///   O(rows) if they are in order of days.
  public func adjusted() -> QuoteColumns {
    var result = QuoteColumns(attributes: attributes.union(.adjusted))
    result.dayValues = dayValues
    for name in attributes { result[column: name] = self[column: name] }
    let factors = adjustmentFactors()
    for name in AttributeSet.adjusted {
      guard let source = name.derivationSource else { continue }
      let values = zip(doubles(source), factors).map { value, factors in
        let factor = source.countsShares ? factors.volume : factors.price
        return factor == 1 || value.isMissing ? value : SignificantDigits(digits: 14).nearest(to: value * factor)
      }
      result[column: name] = .doubles(ColumnBuffer(values))
    }
    return result
  }

  /// The factors of each row.
  private func adjustmentFactors() -> [AdjustmentFactors] {
    let (closes, dividends, ratios) = (doubles(.close), doubles(.exDividend), doubles(.splitRatio))
    var rows = Array(repeating: AdjustmentFactors(), count: rowCount)
    var factors = AdjustmentFactors()
    for row in (isStrictlyAscending ? Array(0..<rowCount) : rowsByDay).reversed() {
      rows[row] = factors
      factors.stepBack(close: closes[row], exDividend: dividends[row], splitRatio: ratios[row])
    }
    return rows
  }
}
