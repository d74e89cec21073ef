/// What is found in the rows of one ticker.
struct TickerAudit {
  typealias Value = AuditFinding.Value

  let ticker: TickerSymbol
  let columns: AuditedRows
  /// The ticker's rows.
  let rows: Range<Int>
  let options: AuditOptions
  /// The rows that come after a gap.
  let rowsAfterGaps: [Int]
  private(set) var findings: [AuditFinding] = []

  init(_ ticker: TickerSymbol, _ columns: AuditedRows, _ rows: Range<Int>, _ options: AuditOptions) {
    (self.ticker, self.columns, self.rows, self.options) = (ticker, columns, rows, options)
    rowsAfterGaps = columns.rowsAfterGaps(in: rows)
  }

  /// Looks for all that a ticker's rows show by themselves.
  mutating func checkRows() {
    for rule in options.rules {
      switch rule {
      case .lowAboveHigh: checkLowAboveHigh()
      case .outsideRange: checkOutsideRange()
      case .zeroPrice: checkZeroPrice()
      case .zeroVolume: checkZeroVolume()
      case .infinite: checkInfinite()
      case .negativeAdjusted: checkNegativeAdjusted()
      case .jump: checkJump()
      case .split: checkSplit()
      case .splitRatio: checkSplitRatio()
      case .dividend: checkDividend()
      case .adjusted: checkAdjusted()
      case .staleAdjusted: checkStaleAdjusted()
      case .missingColumn: checkMissingColumn()
      case .emptyRow: checkEmptyRow()
      case .futureDay: checkFutureDay()
      case .weekend: checkWeekend()
      case .repeatedRow: checkRepeatedRow()
      case .missingDay, .gap, .loneDay, .equalHistory: break
      }
    }
  }

  /// Notes a finding, if its day is wanted.
  mutating func note(
    _ rule: AuditRule, _ day: TradingDay, _ values: [Value] = [], twin: TickerSymbol? = nil,
    dayBefore: TradingDay? = nil
  ) {
    guard options.wants(day) else { return }
    findings.append(AuditFinding(ticker, day, rule, values, twin: twin, dayBefore: dayBefore))
  }

  mutating func note(_ rule: AuditRule, row: Int, _ values: [Value] = []) {
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
    for row in rows where columns.volume[row] <= 0 {
      note(.zeroVolume, row: row, [Value(.volume, columns.volume[row])])
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
      note(.repeatedRow, row: row, prices(row) + [Value(.volume, columns.volume[row])])
    }
  }

  private func prices(_ row: Int) -> [Value] {
    [
      Value(.open, columns.open[row]), Value(.high, columns.high[row]), Value(.low, columns.low[row]),
      Value(.close, columns.close[row]),
    ]
  }
}
