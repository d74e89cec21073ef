/// The indicators of technical analysis, which depend on a ticker's history from its first row on.
///
/// They begin as TA-Lib's do, with an average of the first values, and are missing before. Where they would be 0 / 0 they are
/// 0, as there. Rows in which an input isn't a finite number are passed over: they repeat the value of the row before.
final class Indicator: Function {
  let name: String
  let meaning: String
  /// The attributes from which it is computed if no others are given.
  let inputs: [Attribute]
  /// The numbers of rows that it takes, with their usual values.
  let periods: [Int]
  /// Whether a number below 1 in place of rows is what the newest value counts.
  let takesWeight: Bool
  let synonyms: [String]
  /// The values of some histories without missing cells.
  private let compute: @Sendable (_ histories: [[ColumnMemory<Double>]], _ numbers: [Double]) -> [ColumnMemory<Double>]

  /// - Parameter compute: the values of columns without missing cells.
  init(
    _ name: String, _ meaning: String, of inputs: [Attribute], _ periods: [Int], synonyms: [String] = [],
    _ compute: @escaping @Sendable (_ inputs: [[Double]], _ periods: [Int]) -> [Double]
  ) {
    (self.name, self.meaning, self.inputs, self.periods) = (name, meaning, inputs, periods)
    (self.synonyms, takesWeight) = (synonyms, false)
    self.compute = { histories, numbers in
      histories.map { inputs in
        let values = compute(inputs.map(\.asArray), numbers.map { Int($0) })
        return ColumnMemory(count: values.count) { values[$0].ifFinite }
      }
    }
  }

  /// - Parameter recurrent: what goes through the rows one after another.
  private init(
    recurrent name: String, _ meaning: String, of inputs: [Attribute], _ periods: [Int], synonyms: [String] = [],
    takesWeight: Bool = false, _ recurrent: @escaping @Sendable (_ numbers: [Double]) -> Recurrent
  ) {
    (self.name, self.meaning, self.inputs, self.periods) = (name, meaning, inputs, periods)
    (self.synonyms, self.takesWeight) = (synonyms, takesWeight)
    compute = { recurrent($1).values($0) }
  }

  /// Several inputs are left out, because nobody gives others.
  var example: String {
    "\(name)(\(((inputs.count == 1 ? [inputs[0].wikiName] : []) + periods.map { "\($0)" }).joined(separator: ", ")))"
  }

  static let all = [
    ema, wilder, rsi, atr, macd, macdSignal, adx, stoch, stochSignal, cci, willr, mfi, obv,
  ]
}

extension Indicator {
  private static let prices: [Attribute] = [.high, .low, .close]

  static let ema = Indicator(
    recurrent: "ema",
    "The exponential moving average: of n rows, the newest value counts 2 / (n + 1); as much as the number, if that is below 1.",
    of: [.close], [30], takesWeight: true
  ) {
    // With a weight it begins with the first value, for there is no number of rows.
    $0[0] < 1 ? Averages.exponential(1, factor: $0[0]) : Averages.exponential(Int($0[0]))
  }

  static let wilder = Indicator(
    recurrent: "wilder", "Wilder's moving average: the newest value counts 1 / n.", of: [.close], [30],
    synonyms: ["rma"]
  ) { Averages.exponential(Int($0[0]), factor: 1 / $0[0]) }

  static let rsi = Indicator(
    recurrent: "rsi", "Wilder's relative strength index, from 0 to 100.", of: [.close], [14]
  ) { Strength.rsi(Int($0[0])) }

  static let atr = Indicator(recurrent: "atr", "The average true range.", of: prices, [14]) {
    Directions.atr(Int($0[0]))
  }

  static let macd = Indicator(
    recurrent: "macd", "A fast exponential moving average less a slow one.", of: [.close], [12, 26]
  ) { Averages.macd(Int($0[0]), Int($0[1])) }

  static let macdSignal = Indicator(
    recurrent: "macd_signal", "The exponential moving average of macd.", of: [.close], [12, 26, 9]
  ) { Averages.macdSignal(Int($0[0]), Int($0[1]), Int($0[2])) }

  static let adx = Indicator("adx", "The average directional index.", of: prices, [14]) { Directions.adx($0, $1[0]) }

  static let stoch = Indicator("stoch", "The slow stochastic oscillator, %K.", of: prices, [5, 3]) {
    Channels.stoch($0, $1[0], $1[1])
  }

  static let stochSignal = Indicator("stoch_signal", "The average of stoch, %D.", of: prices, [5, 3, 3]) {
    Averages.simple(Channels.stoch($0, $1[0], $1[1]), $1[2])
  }

  static let cci = Indicator("cci", "The commodity channel index.", of: prices, [14]) { Channels.cci($0, $1[0]) }

  static let willr = Indicator("willr", "Williams' %R, from -100 to 0.", of: prices, [14]) {
    Channels.willr($0, $1[0])
  }

  static let mfi = Indicator("mfi", "The money flow index, from 0 to 100.", of: prices + [.volume], [14]) {
    Strength.mfi($0, $1[0])
  }

  static let obv = Indicator("obv", "On-balance volume.", of: [.close, .volume], []) { inputs, _ in
    Strength.obv(inputs[0], inputs[1])
  }
}

extension Indicator {
  /// A value for each row of some tickers, from their first rows on.
  ///
  /// - Parameters:
  ///   - histories: of each ticker, columns of the same length, as many as `inputs` has.
  ///   - numbers: of rows, 1 or more, as many as `periods` has; or a weight between 0 and 1.
  func values(of histories: [[ColumnMemory<Double>]], _ numbers: [Double]) -> [ColumnMemory<Double>] {
    precondition(histories.allSatisfy { $0.count == inputs.count }, "\(name) of other than \(inputs.count) inputs")
    precondition(
      histories.allSatisfy { history in history.allSatisfy { $0.count == history[0].count } }, "inputs of \(name)")
    precondition(
      numbers.count == periods.count && numbers.allSatisfy { $0 >= 1 || takesWeight && $0 > 0 }, "\(name) of \(numbers)"
    )
    let wholeRows = histories.map { Self.wholeRows($0) }
    let whole = zip(histories, wholeRows).map { history, rows in
      guard let rows else { return history }
      return history.map { column in ColumnMemory(count: rows.count) { column[rows[$0]] } }
    }
    let computed = compute(whole, numbers)
    return histories.indices.map { index in
      guard let rows = wholeRows[index] else { return computed[index] }
      return Self.repeated(computed[index], at: rows, count: histories[index][0].count)
    }
  }

  /// The rows in which no input is missing or infinite; nil, if that is all of them.
  private static func wholeRows(_ inputs: [ColumnMemory<Double>]) -> [Int]? {
    if inputs.allSatisfy(\.areFinite) { return nil }
    return (0..<inputs[0].count).filter { row in inputs.allSatisfy { $0[row].isFinite } }
  }

  /// The values of some rows, each repeated up to the next one.
  private static func repeated(_ values: ColumnMemory<Double>, at rows: [Int], count: Int) -> ColumnMemory<Double> {
    let repeated = ColumnMemory<Double>(repeating: .missing, count: count)
    for (index, row) in rows.enumerated() {
      repeated.update(row..<(index + 1 < rows.count ? rows[index + 1] : count), repeating: values[index])
    }
    return repeated
  }
}
