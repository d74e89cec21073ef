// Jumps: prices that are far from the close before.

extension TickerAudit {
  /// The close before, and what became of such a share since: how many shares, and what was paid on them.
  private struct Before {
    var close: Double
    var ratio = 1.0
    var dividend = 0.0
  }

  mutating func checkJump() {
    let (fall, rise) = (1 - options.jump / 100, 1 + options.jump / 100)
    var before = Before(close: .missing)
    for row in rows {
      if rowsAfterGaps.contains(row) { before = Before(close: .missing) }
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
