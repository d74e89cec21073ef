// Splits and dividends.

extension TickerAudit {
  mutating func checkSplit() {
    let evidence = SplitEvidence(
      days: columns.days, open: columns.open, close: columns.close, exDividend: columns.exDividend,
      splitRatio: columns.splitRatio)
    for split in evidence.unshownSplits(in: rows, percent: options.jump) {
      let values = [
        Value(.splitRatio, split.ratio), Value("close_before", split.closeBefore, like: .close),
        Value(.close, split.close),
      ]
      note(.split, row: split.row, values)
    }
  }

  mutating func checkSplitRatio() {
    for row in rows where columns.splitRatio[row] <= 0 {
      note(.splitRatio, row: row, [Value(.splitRatio, columns.splitRatio[row])])
    }
  }

  mutating func checkDividend() {
    let hasCloses = rows.contains { !columns.close[$0].isMissing }
    // The close before, divided by the splits since.
    var closeBefore = Double.missing
    for row in rows {
      if rowsAfterGaps.contains(row) { closeBefore = .missing }
      closeBefore /= columns.ratio(row)
      let (dividend, close) = (columns.exDividend[row], columns.close[row])
      if dividend < 0 || (dividend > 0 && close.isMissing && hasCloses) {
        note(.dividend, row: row, [Value(.exDividend, dividend)])
      } else if dividend > closeBefore {
        note(.dividend, row: row, [Value(.exDividend, dividend), Value("close_before", closeBefore, like: .close)])
      }
      if close > 0 { closeBefore = close }
    }
  }
}
