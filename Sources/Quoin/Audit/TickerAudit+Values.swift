// Values that are missing where others are there, and those that no quote can have.

extension TickerAudit {
  mutating func checkInfinite() {
    // Hardly any column has one.
    let found = columns.all.filter { column in rows.contains { column.values[$0] == .infinity } }
    if found.isEmpty { return }
    for row in rows {
      let wrong = found.filter { $0.values[row] == .infinity }
      if !wrong.isEmpty { note(.infinite, row: row, wrong.map { Value($0.name, .infinity) }) }
    }
  }

  mutating func checkNegativeAdjusted() {
    for row in rows where columns.hasNegativeAdjustedPrice(row) {
      let wrong = columns.pricePairs.filter { $0.adjusted[row] < 0 && !($0.price[row] <= 0) }
      if !wrong.isEmpty { note(.negativeAdjusted, row: row, wrong.map { Value($0.name, $0.adjusted[row]) }) }
    }
  }

  mutating func checkStaleAdjusted() {
    var firstRow = rows.upperBound
    var values: [Value] = []
    for (name, isOpen) in columns.adjustedCells {
      guard let last = rows.last(where: { isOpen($0) != nil }), isOpen(last) == true else { continue }
      guard let lastKnown = rows.last(where: { isOpen($0) == false }) else { continue }
      let stale = (lastKnown + 1..<rows.upperBound).filter { isOpen($0) == true }
      firstRow = min(firstRow, stale.first ?? firstRow)
      values.append(Value("rows_without_\(name.wikiName)", Double(stale.count), like: .volume))
    }
    if !values.isEmpty { note(.staleAdjusted, row: firstRow, values) }
  }

  mutating func checkMissingColumn() {
    let counts = columns.prices.map { name, values in (name, rows.count { !values[$0].isMissing }) }
    guard counts.contains(where: { $0 != .close && $1 > 0 }) else { return }
    let missing = counts.filter { $0.1 == 0 }.map { Value("rows_with_\($0.0.wikiName)", 0, like: .volume) }
    if missing.isEmpty { return }
    note(.missingColumn, row: rows.upperBound - 1, missing + [Value("rows", Double(rows.count), like: .volume)])
  }

  mutating func checkEmptyRow() {
    for row in rows where columns.isEmpty(row) { note(.emptyRow, row: row) }
  }
}

extension AuditedRows {
  /// The unadjusted prices.
  fileprivate var prices: [(name: Attribute, values: ColumnMemory<Double>)] {
    [(.open, open), (.high, high), (.low, low), (.close, close)]
  }

  /// All columns.
  fileprivate var all: [(name: Attribute, values: ColumnMemory<Double>)] {
    prices + [(.volume, volume), (.exDividend, exDividend), (.splitRatio, splitRatio)]
      + pricePairs.map { ($0.name, $0.adjusted) } + [(.adjustedVolume, adjustedVolume)]
  }

  /// The adjusted prices, each with what it is computed from.
  fileprivate var pricePairs: [(name: Attribute, adjusted: ColumnMemory<Double>, price: ColumnMemory<Double>)] {
    [
      (.adjustedOpen, adjustedOpen, open), (.adjustedHigh, adjustedHigh, high), (.adjustedLow, adjustedLow, low),
      (.adjustedClose, adjustedClose, close),
    ]
  }

  /// For each adjusted attribute whether its cell in a row is open: missing, although what it is computed from is there; nil if
  /// that is missing too.
  fileprivate var adjustedCells: [(name: Attribute, isOpen: (Int) -> Bool?)] {
    pricePairs.map { name, adjusted, price in
      (name, { adjusted[$0].isMissing ? price[$0].isMissing ? nil : true : false })
    } + [(.adjustedVolume, { adjustedVolume[$0].isMissing ? volume[$0].isMissing ? nil : true : false })]
  }

  @inline(__always)
  fileprivate func hasNegativeAdjustedPrice(_ row: Int) -> Bool {
    adjustedOpen[row] < 0 || adjustedHigh[row] < 0 || adjustedLow[row] < 0 || adjustedClose[row] < 0
  }

  /// Whether a row says nothing: it has no price and no volume, and neither pays a dividend nor splits.
  @inline(__always)
  fileprivate func isEmpty(_ row: Int) -> Bool {
    guard close[row].isMissing, open[row].isMissing, high[row].isMissing, low[row].isMissing, volume[row].isMissing
    else {
      return false
    }
    let isEventful =
      !exDividend[row].isMissing && exDividend[row] != 0 || !splitRatio[row].isMissing && splitRatio[row] != 1
    return !isEventful && adjustedVolume[row].isMissing && pricePairs.allSatisfy { $0.adjusted[row].isMissing }
  }
}
