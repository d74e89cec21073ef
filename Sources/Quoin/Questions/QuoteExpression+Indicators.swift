// The indicators of technical analysis: functions of all rows of a ticker so far. They begin as TA-Lib's do, with an average of the
// first values, and are missing before. Numbers of rows are 1 or more; a call with others traps.

extension QuoteExpression {
  /// The exponential moving average, in which the newest value counts 2 / (rows + 1).
  public static func ema(_ x: QuoteExpression = .close, _ rows: Int = 30) -> QuoteExpression {
    of(.ema, [x], [rows])
  }
  /// The exponential moving average in which the newest value counts `weight`, above 0 and below 1. It begins with the first value.
  public static func ema(_ x: QuoteExpression = .close, weight: Double) -> QuoteExpression {
    precondition(weight > 0 && weight < 1, "an average with the weight \(weight)")
    return indicator(.ema, [x], [weight])
  }
  /// Wilder's moving average, in which the newest value counts 1 / rows.
  public static func wilder(_ x: QuoteExpression = .close, _ rows: Int = 30) -> QuoteExpression {
    of(.wilder, [x], [rows])
  }
  /// The relative strength index, from 0 to 100.
  public static func rsi(_ x: QuoteExpression = .close, _ rows: Int = 14) -> QuoteExpression { of(.rsi, [x], [rows]) }
  /// A fast exponential moving average less a slow one.
  public static func macd(
    _ x: QuoteExpression = .close, fast: Int = 12, slow: Int = 26
  ) -> QuoteExpression {
    of(.macd, [x], [fast, slow])
  }
  /// The exponential moving average of `macd`.
  public static func macdSignal(
    _ x: QuoteExpression = .close, fast: Int = 12, slow: Int = 26, signal: Int = 9
  ) -> QuoteExpression {
    of(.macdSignal, [x], [fast, slow, signal])
  }
  /// Wilder's average of the true ranges: how far prices move in a row, in the unit of prices.
  public static func atr(
    high: QuoteExpression = .high, low: QuoteExpression = .low, close: QuoteExpression = .close, _ rows: Int = 14
  ) -> QuoteExpression {
    of(.atr, [high, low, close], [rows])
  }
  /// The average directional index, from 0 to 100: how one-sided the movements are.
  public static func adx(
    high: QuoteExpression = .high, low: QuoteExpression = .low, close: QuoteExpression = .close, _ rows: Int = 14
  ) -> QuoteExpression {
    of(.adx, [high, low, close], [rows])
  }
  /// %K of the slow stochastic oscillator, from 0 to 100.
  public static func stoch(
    high: QuoteExpression = .high, low: QuoteExpression = .low, close: QuoteExpression = .close, _ rows: Int = 5,
    slow: Int = 3
  ) -> QuoteExpression {
    of(.stoch, [high, low, close], [rows, slow])
  }
  /// %D of the slow stochastic oscillator: the mean of `stoch`.
  public static func stochSignal(
    high: QuoteExpression = .high, low: QuoteExpression = .low, close: QuoteExpression = .close, _ rows: Int = 5,
    slow: Int = 3, signal: Int = 3
  ) -> QuoteExpression {
    of(.stochSignal, [high, low, close], [rows, slow, signal])
  }
  /// The commodity channel index: how far the typical price is from its mean, in 1.5 % of its mean absolute deviation.
  public static func cci(
    high: QuoteExpression = .high, low: QuoteExpression = .low, close: QuoteExpression = .close, _ rows: Int = 14
  ) -> QuoteExpression {
    of(.cci, [high, low, close], [rows])
  }
  /// Williams' %R, from -100 to 0.
  public static func willr(
    high: QuoteExpression = .high, low: QuoteExpression = .low, close: QuoteExpression = .close, _ rows: Int = 14
  ) -> QuoteExpression {
    of(.willr, [high, low, close], [rows])
  }
  /// The money flow index, from 0 to 100.
  public static func mfi(
    high: QuoteExpression = .high, low: QuoteExpression = .low, close: QuoteExpression = .close,
    volume: QuoteExpression = .volume, _ rows: Int = 14
  ) -> QuoteExpression {
    of(.mfi, [high, low, close, volume], [rows])
  }
  /// The on-balance volume: that of all rows so far, with the volumes of falls taken off.
  public static func obv(_ x: QuoteExpression = .close, volume: QuoteExpression = .volume) -> QuoteExpression {
    of(.obv, [x, volume], [])
  }

  private static func of(_ indicator: Indicator, _ inputs: [QuoteExpression], _ rows: [Int]) -> QuoteExpression {
    precondition(rows.allSatisfy { $0 > 0 }, "\(indicator.name) of \(rows) rows")
    return self.indicator(indicator, inputs, rows.map(Double.init))
  }
}
