/// What is found in the rows of one ticker.
struct TickerAudit {
  typealias Value = AuditFinding.Value

  let ticker: TickerSymbol
  let columns: AuditedRows
  /// The ticker's rows.
  let rows: Range<Int>
  let options: AuditOptions
  private(set) var findings: [AuditFinding] = []

  init(_ ticker: TickerSymbol, _ columns: AuditedRows, _ rows: Range<Int>, _ options: AuditOptions) {
    (self.ticker, self.columns, self.rows, self.options) = (ticker, columns, rows, options)
  }

  /// Looks for all that a ticker's rows show by themselves.
  mutating func checkRows() {
    for rule in options.rules {
      switch rule {
      case .lowAboveHigh: checkLowAboveHigh()
      case .outsideRange: checkOutsideRange()
      case .zeroPrice: checkZeroPrice()
      case .zeroVolume: checkZeroVolume()
      case .jump: checkJump()
      case .adjusted: checkAdjusted()
      case .futureDay: checkFutureDay()
      case .repeatedRow: checkRepeatedRow()
      case .missingDay, .loneDay, .equalHistory: break
      }
    }
  }

  /// Notes a finding, if its day is wanted.
  mutating func note(
    _ rule: AuditRule, _ day: TradingDay, _ values: [Value] = [], twin: TickerSymbol? = nil
  ) {
    if options.wants(day) { findings.append(AuditFinding(ticker, day, rule, values, twin: twin)) }
  }

  private mutating func note(_ rule: AuditRule, row: Int, _ values: [Value]) {
    note(rule, columns.days[row], values)
  }

  private mutating func checkLowAboveHigh() {
    for row in rows {
      let (low, high) = (columns.low[row], columns.high[row])
      if low > high, high > 0 { note(.lowAboveHigh, row: row, [Value(.low, low), Value(.high, high)]) }
    }
  }

  private mutating func checkOutsideRange() {
    for row in rows where !columns.isRangeSound(row) {
      let (low, high) = (columns.low[row].ifPositive, columns.high[row].ifPositive)
      if low > high { continue }
      let outside = [Value(.open, columns.open[row].ifPositive), Value(.close, columns.close[row].ifPositive)]
        .filter { $0.number < low || $0.number > high }
      let range = [Value(.low, low), Value(.high, high)].filter { !$0.number.isMissing }
      note(.outsideRange, row: row, outside + range)
    }
  }

  private mutating func checkZeroPrice() {
    for row in rows where columns.hasZeroPrice(row) {
      note(.zeroPrice, row: row, prices(row).filter { $0.number <= 0 })
    }
  }

  private mutating func checkZeroVolume() {
    for row in rows where columns.volume[row] <= 0 && !columns.volume[row].isMissing {
      note(.zeroVolume, row: row, [Value(.volume, Double(columns.volume[row]))])
    }
  }

  private mutating func checkFutureDay() {
    for row in rows.reversed() {
      let ahead = columns.days[row].daysSince1970 - options.today.daysSince1970
      guard ahead > 0 else { return }
      note(.futureDay, row: row, [Value("days_ahead", Double(ahead), like: .volume)])
    }
  }

  private mutating func checkRepeatedRow() {
    for row in rows.dropFirst() where columns.repeatsRowBefore(row) {
      note(.repeatedRow, row: row, prices(row) + [Value(.volume, Double(columns.volume[row]))])
    }
  }

  private func prices(_ row: Int) -> [Value] {
    [
      Value(.open, columns.open[row]), Value(.high, columns.high[row]), Value(.low, columns.low[row]),
      Value(.close, columns.close[row]),
    ]
  }
}

extension TickerAudit {
  /// The close before, and what became of such a share since: how many shares, and what was paid on them.
  private struct Before {
    var close: Double
    var ratio = 1.0
    var dividend = 0.0
  }

  private mutating func checkJump() {
    let (fall, rise) = (1 - options.jump / 100, 1 + options.jump / 100)
    var before = Before(close: .missing)
    for row in rows {
      before.ratio *= columns.ratio(row)
      before.dividend += columns.dividend(row) * before.ratio
      let close = columns.close[row].ifPositive
      let (bottom, top) = (before.close * fall, before.close * rise)
      func jumps(_ price: Double) -> Bool {
        guard price < bottom || price > top else { return false }
        let whole = price * before.ratio + before.dividend
        return whole < bottom || whole > top
      }
      let (low, high) = (columns.low[row].ifPositive, columns.high[row].ifPositive)
      if jumps(close) {
        noteJump(row, before, .close, close)
      } else if jumps(low), columns.isRangeSound(row) {
        noteJump(row, before, .low, low)
      } else if jumps(high), columns.isRangeSound(row) {
        noteJump(row, before, .high, high)
      }
      if close > 0 { before = Before(close: close) }
    }
  }

  private mutating func noteJump(_ row: Int, _ before: Before, _ name: Attribute, _ price: Double) {
    var values: [Value] = [Value("close_before", before.close, like: .close), .init(name, price)]
    if before.ratio != 1 { values.append(Value(.splitRatio, before.ratio)) }
    if before.dividend != 0 { values.append(Value(.exDividend, columns.dividend(row))) }
    // In tenths of a percent, as people say it.
    values.append(Value("change_percent", ((price / before.close - 1) * 1000).rounded() / 10, like: .close))
    note(.jump, columns.days[row], values)
  }
}
