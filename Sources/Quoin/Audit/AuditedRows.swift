/// The columns of some tickers' rows that an audit reads; those that it doesn't need are empty.
struct AuditedRows {
  let days: ColumnMemory<TradingDay>
  let open, high, low, close: ColumnMemory<Double>
  let volume: ColumnMemory<Double>
  let exDividend, splitRatio: ColumnMemory<Double>
  let adjustedOpen, adjustedHigh, adjustedLow, adjustedClose, adjustedVolume: ColumnMemory<Double>

  init(_ columns: QuoteColumns) {
    func doubles(_ name: Attribute) -> ColumnMemory<Double> { columns[column: name].doubles.shared }
    days = columns.dayValues.shared
    (open, high, low, close) = (doubles(.open), doubles(.high), doubles(.low), doubles(.close))
    volume =
      switch columns[column: .volume] {
      case .doubles(let values): values.shared
      case .integers(let numbers): ColumnMemory(mapping: numbers.shared) { Double.nearest(to: $0) }
      }
    (exDividend, splitRatio) = (doubles(.exDividend), doubles(.splitRatio))
    (adjustedOpen, adjustedHigh) = (doubles(.adjustedOpen), doubles(.adjustedHigh))
    (adjustedLow, adjustedClose) = (doubles(.adjustedLow), doubles(.adjustedClose))
    adjustedVolume = doubles(.adjustedVolume)
  }

  /// What is paid on a share on the day of `row`: 0 for less than that.
  func dividend(_ row: Int) -> Double { exDividend[row] > 0 ? exDividend[row] : 0 }

  /// Whether low isn't above high, and open and close lie between them; what is missing or not above 0 isn't compared.
  @inline(__always)
  func isRangeSound(_ row: Int) -> Bool {
    let (open, close) = (open[row].ifPositive, close[row].ifPositive)
    let (low, high) = (low[row].ifPositive, high[row].ifPositive)
    return !(low > high || open < low || open > high || close < low || close > high)
  }

  /// Whether a price is 0 or less.
  @inline(__always)
  func hasZeroPrice(_ row: Int) -> Bool { open[row] <= 0 || high[row] <= 0 || low[row] <= 0 || close[row] <= 0 }

  /// Whether open, high, low, close and volume are those of the row before, and the volume isn't 0.
  @inline(__always)
  func repeatsRowBefore(_ row: Int) -> Bool {
    close[row] == close[row - 1] && volume[row] == volume[row - 1] && open[row] == open[row - 1]
      && high[row] == high[row - 1] && low[row] == low[row - 1] && volume[row] != 0 && !volume[row].isMissing
  }

  /// How many shares become of one on the day of `row`: 1 if no split is said, or if none can be.
  func ratio(_ row: Int) -> Double { splitRatio[row] > 0 ? splitRatio[row] : 1 }
}

extension Double {
  /// The price; missing if it is 0 or less, so that comparisons with it are false.
  var ifPositive: Double { self > 0 ? self : .missing }
}
