// Whether prices show the splits that stand beside them. Raw prices jump by a split: after 10 for 1 they are a tenth. Many
// vendors divide the prices before a split by its ratio, and give the ratio too. Who divides such prices again makes them ten
// times too small.

/// A split by which the prices don't move, although they could have shown it.
struct UnshownSplit: Hashable, Sendable {
  let row: Int
  let ratio: Double
  let closeBefore: Double
  let close: Double
  /// Whether the prices move by the ratio a few rows earlier or later: then they have the split, on another day.
  let isShownNearby: Bool
}

/// What prices say about splits.
struct SplitEvidence {
  let days: ColumnMemory<TradingDay>
  let open, close, exDividend, splitRatio: ColumnMemory<Double>

  /// A smaller ratio can't be told from what a price does in a day. It is a little below 1.5, because ratios are rounded.
  static let ratioMin = 1.49
  /// A close that is older says nothing about the price before the split.
  private static let closeAgeMax = 14
  /// How many rows before and after its day a split is looked for.
  private static let nearbyRowCount = 5

  /// The splits of some rows, which rise by day, that their prices don't show: open and close lie within `percent` percent of
  /// the close before, and nearer to it than to what the split makes of it.
  func unshownSplits(in rows: Range<Int>, percent: Double) -> [UnshownSplit] {
    rows.filter { isLarge(splitRatio[$0]) }.compactMap { unshownSplit(at: $0, in: rows, percent) }
  }

  private func isLarge(_ ratio: Double) -> Bool {
    ratio < .infinity && (ratio >= Self.ratioMin || (ratio > 0 && ratio <= 1 / Self.ratioMin))
  }

  private func unshownSplit(at row: Int, in rows: Range<Int>, _ percent: Double) -> UnshownSplit? {
    let ratio = splitRatio[row]
    guard let before = closeBefore(row, in: rows) else { return nil }
    let prices = [open[row], close[row]].filter { $0 > 0 }
    let dividend = exDividend[row] > 0 ? exDividend[row] : 0
    let (bottom, top) = (before * (1 - percent / 100), before * (1 + percent / 100))
    let goesOn = prices.allSatisfy { price in
      price >= bottom && price <= top && !moves(price + dividend, from: before, by: ratio)
    }
    guard goesOn, let price = prices.last else { return nil }
    return UnshownSplit(
      row: row, ratio: ratio, closeBefore: before, close: price,
      isShownNearby: isShownNearby(row, in: rows, ratio))
  }

  /// Whether a price is nearer to what a split makes of the close before than to that close itself.
  private func moves(_ price: Double, from before: Double, by ratio: Double) -> Bool {
    (price / before * ratio).distanceFromOne < (price / before).distanceFromOne
  }

  /// The newest close before a row, unless it is old, or another split lies between.
  private func closeBefore(_ row: Int, in rows: Range<Int>) -> Double? {
    for earlier in (rows.lowerBound..<row).reversed() {
      if days[row].daysSince1970 - days[earlier].daysSince1970 > Self.closeAgeMax { return nil }
      if close[earlier] > 0 { return close[earlier] }
      if isLarge(splitRatio[earlier]) { return nil }
    }
    return nil
  }

  private func isShownNearby(_ row: Int, in rows: Range<Int>, _ ratio: Double) -> Bool {
    let nearby = (row - Self.nearbyRowCount)...(row + Self.nearbyRowCount)
    return nearby.contains { near in
      guard near != row, near > rows.lowerBound, near < rows.upperBound, !isLarge(splitRatio[near]) else {
        return false
      }
      let (before, price) = (close[near - 1], close[near])
      return before > 0 && price > 0 && moves(price, from: before, by: ratio)
    }
  }
}

extension QuoteColumns {
  /// The first split of a ticker's rows, which rise by day, that is in the prices already, so that dividing by it would divide
  /// twice; nil if there is none.
  var firstSplitInPrices: (day: TradingDay, ratio: Double)? {
    let evidence = SplitEvidence(self)
    let splits = evidence.unshownSplits(in: 0..<rowCount, percent: SplitEvidence.usualPercent)
    return splits.first { !$0.isShownNearby }.map { (dayValues[$0.row], $0.ratio) }
  }

  /// Throws `splitInPrices` if these rows of a ticker can't be adjusted, because they are already.
  func checkSplits(of ticker: TickerSymbol) throws(StoreError) {
    guard let split = firstSplitInPrices else { return }
    throw .splitInPrices(ticker: ticker, day: split.day, ratio: split.ratio)
  }
}

extension SplitEvidence {
  /// How far prices go in a day without a split, unless somebody says otherwise: less than a split of 2 for 1 takes from them.
  static let usualPercent = 40.0

  /// Of rows that have all of the columns.
  init(_ columns: QuoteColumns) {
    func doubles(_ name: Attribute) -> ColumnMemory<Double> { columns[column: name].doubles.shared }
    self.init(
      days: columns.dayValues.shared, open: doubles(.open), close: doubles(.close),
      exDividend: doubles(.exDividend), splitRatio: doubles(.splitRatio))
  }
}

extension Double {
  /// How many times a number above 0 is 1, or 1 is the number.
  fileprivate var distanceFromOne: Double { max(self, 1 / self) }
}
