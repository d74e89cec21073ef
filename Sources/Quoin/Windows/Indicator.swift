/// The indicators of technical analysis, which depend on a ticker's history from its first row on.
///
/// They begin as TA-Lib's do, with an average of the first values, and are missing before. Where they would be 0 / 0 they are
/// 0, as there. Rows in which an input is missing are passed over: they repeat the value of the row before.
enum Indicator: String, CaseIterable, Hashable, Sendable {
  /// The exponential moving average: of n rows, the newest value counts 2 / (n + 1).
  case ema
  /// Wilder's moving average: the newest value counts 1 / n.
  case wilder
  case rsi
  case atr
  /// A fast less a slow exponential moving average, and the moving average of that.
  case macd
  case macdSignal = "macd_signal"
  case adx
  /// The slow stochastic oscillator, %K, and its average, %D.
  case stoch
  case stochSignal = "stoch_signal"
  case cci
  case willr
  case mfi
  case obv

  /// The attributes from which it is computed if no others are given.
  var inputs: [Attribute] {
    switch self {
    case .ema, .wilder, .rsi, .macd, .macdSignal: [.close]
    case .atr, .adx, .stoch, .stochSignal, .cci, .willr: [.high, .low, .close]
    case .mfi: [.high, .low, .close, .volume]
    case .obv: [.close, .volume]
    }
  }

  /// The numbers of rows that it takes, with their usual values.
  var periods: [Int] {
    switch self {
    case .ema, .wilder: [30]
    case .rsi, .atr, .adx, .cci, .willr, .mfi: [14]
    case .macd: [12, 26]
    case .macdSignal: [12, 26, 9]
    case .stoch: [5, 3]
    case .stochSignal: [5, 3, 3]
    case .obv: []
    }
  }

  /// A value for each row of a ticker, from its first row on.
  ///
  /// - Parameters:
  ///   - inputs: columns of the same length, as many as `inputs` has.
  ///   - periods: numbers of rows of 1 or more, as many as `periods` has.
  func values(of inputs: [ColumnBuffer<Double>], periods: [Int]) -> ColumnBuffer<Double> {
    precondition(inputs.count == self.inputs.count, "\(rawValue) of \(inputs.count) inputs")
    let rowCount = inputs[0].count
    precondition(inputs.allSatisfy { $0.count == rowCount }, "inputs of \(inputs.map(\.count)) rows")
    precondition(periods.count == self.periods.count && periods.allSatisfy { $0 > 0 }, "\(rawValue) of \(periods)")
    let columns = inputs.map(\.array)
    guard columns.contains(where: Self.hasMissing) else {
      return ColumnBuffer(values(of: columns, periods))
    }
    let wholeRows = (0..<rowCount).filter { row in columns.allSatisfy { !$0[row].isMissing } }
    let values = values(of: columns.map { column in wholeRows.map { column[$0] } }, periods)
    var repeated = [Double](repeating: .missing, count: rowCount)
    for (index, row) in wholeRows.enumerated() {
      let next = index + 1 < wholeRows.count ? wholeRows[index + 1] : rowCount
      for row in row..<next { repeated[row] = values[index] }
    }
    return ColumnBuffer(repeated)
  }

  /// Whether a value is missing. It looks at all, several at a time: a loop that may end early would take them one by one.
  private static func hasMissing(_ column: [Double]) -> Bool {
    column.reduce(0) { $0 &+ ($1 != $1 ? 1 : 0) } > 0
  }

  private func values(of inputs: [[Double]], _ periods: [Int]) -> [Double] {
    switch self {
    case .ema: Averages.exponential(inputs[0], periods[0])
    case .wilder: Averages.wilder(inputs[0], periods[0])
    case .macd: Averages.macd(inputs[0], periods[0], periods[1])
    case .macdSignal: Averages.exponential(Averages.macd(inputs[0], periods[0], periods[1]), periods[2])
    case .rsi: Strength.rsi(inputs[0], periods[0])
    case .mfi: Strength.mfi(inputs, periods[0])
    case .obv: Strength.obv(inputs[0], inputs[1])
    case .atr: Directions.atr(inputs, periods[0])
    case .adx: Directions.adx(inputs, periods[0])
    case .stoch: Channels.stoch(inputs, periods[0], periods[1])
    case .stochSignal: Averages.simple(Channels.stoch(inputs, periods[0], periods[1]), periods[2])
    case .willr: Channels.willr(inputs, periods[0])
    case .cci: Channels.cci(inputs, periods[0])
    }
  }
}
