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
  private let compute: @Sendable (_ inputs: [[Double]], _ numbers: [Double]) -> [Double]

  /// - Parameter compute: the values of columns without missing cells.
  init(
    _ name: String, _ meaning: String, of inputs: [Attribute], _ periods: [Int], synonyms: [String] = [],
    _ compute: @escaping @Sendable (_ inputs: [[Double]], _ periods: [Int]) -> [Double]
  ) {
    (self.name, self.meaning, self.inputs, self.periods) = (name, meaning, inputs, periods)
    (self.synonyms, takesWeight) = (synonyms, false)
    self.compute = { compute($0, $1.map { Int($0) }) }
  }

  /// An average of one input that takes a weight too.
  private init(
    average name: String, _ meaning: String, synonyms: [String] = [],
    _ compute: @escaping @Sendable (_ input: [Double], _ number: Double) -> [Double]
  ) {
    (self.name, self.meaning, inputs, periods, takesWeight) = (name, meaning, [.close], [30], true)
    (self.synonyms, self.compute) = (synonyms, { compute($0[0], $1[0]) })
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
    average: "ema",
    "The exponential moving average: of n rows, the newest value counts 2 / (n + 1); as much as the number, if that is below 1."
  ) { $1 < 1 ? Averages.weighted($0, $1) : Averages.exponential($0, Int($1)) }

  static let wilder = Indicator(
    "wilder", "Wilder's moving average: the newest value counts 1 / n.", of: [.close], [30], synonyms: ["rma"]
  ) { Averages.wilder($0[0], $1[0]) }

  static let rsi = Indicator("rsi", "Wilder's relative strength index, from 0 to 100.", of: [.close], [14]) {
    Strength.rsi($0[0], $1[0])
  }

  static let atr = Indicator("atr", "The average true range.", of: prices, [14]) { Directions.atr($0, $1[0]) }

  static let macd = Indicator(
    "macd", "A fast exponential moving average less a slow one.", of: [.close], [12, 26]
  ) { Averages.macd($0[0], $1[0], $1[1]) }

  static let macdSignal = Indicator(
    "macd_signal", "The exponential moving average of macd.", of: [.close], [12, 26, 9]
  ) { Averages.exponential(Averages.macd($0[0], $1[0], $1[1]), $1[2]) }

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
  /// The values of rows that miss nothing. What isn't finite is made missing in place: a second array takes as long as an average.
  private func computed(_ columns: [[Double]], _ numbers: [Double]) -> [Double] {
    var values = compute(columns, numbers)
    for row in values.indices { values[row] = values[row].ifFinite }
    return values
  }

  /// A value for each row of a ticker, from its first row on.
  ///
  /// - Parameters:
  ///   - inputs: columns of the same length, as many as `inputs` has.
  ///   - numbers: of rows, 1 or more, as many as `periods` has; or a weight between 0 and 1.
  func values(of inputs: [ColumnBuffer<Double>], _ numbers: [Double]) -> ColumnBuffer<Double> {
    precondition(inputs.count == self.inputs.count, "\(name) of \(inputs.count) inputs")
    let rowCount = inputs[0].count
    precondition(inputs.allSatisfy { $0.count == rowCount }, "inputs of \(inputs.map(\.count)) rows")
    precondition(
      numbers.count == periods.count && numbers.allSatisfy { $0 >= 1 || takesWeight && $0 > 0 }, "\(name) of \(numbers)"
    )
    let columns = inputs.map(\.array)
    guard columns.contains(where: Self.hasMissing) else {
      return ColumnBuffer(computed(columns, numbers))
    }
    let wholeRows = (0..<rowCount).filter { row in columns.allSatisfy { $0[row].isFinite } }
    let values = computed(columns.map { column in wholeRows.map { column[$0] } }, numbers)
    var repeated = [Double](repeating: .missing, count: rowCount)
    for (index, row) in wholeRows.enumerated() {
      let next = index + 1 < wholeRows.count ? wholeRows[index + 1] : rowCount
      for row in row..<next { repeated[row] = values[index] }
    }
    return ColumnBuffer(repeated)
  }

  /// Whether a value is missing or infinite. It looks at all, several at a time: a loop that may end early would take them one by one.
  private static func hasMissing(_ column: [Double]) -> Bool {
    column.reduce(0) { $0 &+ ($1.magnitude < .infinity ? 0 : 1) } > 0
  }
}
