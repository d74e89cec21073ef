// What no quote may have, whichever way it comes: in a file, an Arrow stream, from Python, Spark, Swift or C.
//
// Files are refused for these values while they are read, where the line is known (`DecimalParser`). Other rows come here.
// A row without any value says nothing, so it is left out and counted: a frame that was made long from a wide one has such a
// row wherever a stock wasn't listed, and windows would count it as a day.

extension QuoteColumns {
  /// Throws for the first row with a value that no quote has: an infinite one, or a volume below zero.
  ///
  /// - Throws: `StoreError.impossibleValue`.
  func checkValues(of ticker: TickerSymbol) throws(StoreError) {
    var first: (row: Int, name: Attribute)?
    for name in Attribute.allCases where attributes.contains(name) {
      if let row = self[column: name].firstImpossible(isVolume: name.isVolume), row < first?.row ?? .max {
        first = (row, name)
      }
    }
    guard let (row, name) = first else { return }
    throw .impossibleValue(ticker: ticker, day: dayValues[row], attribute: name, text: self[column: name].text(row))
  }
}

extension QuoteColumns {
  /// The rows without any value, ascending.
  var emptyRows: [Int] {
    // Nearly always a column without a gap says that there are none.
    if attributes.names.contains(where: { !self[column: $0].hasGaps }) { return [] }
    return (0..<rowCount).filter { row in attributes.names.allSatisfy { self[column: $0].isMissing(row) } }
  }

  /// Removes the rows without any value, and returns their number.
  mutating func removeEmptyRows() -> Int {
    let empty = emptyRows
    if empty.isEmpty { return 0 }
    let removed = Set(empty)
    self = gathered((0..<rowCount).filter { !removed.contains($0) })
    return empty.count
  }
}

/// The days that a change has brought already, so that one that comes twice with different values is noticed, however many
/// rows lie between.
package struct DaysBrought {
  private var days: [TickerSymbol: DaySet] = [:]

  package init() {}

  /// Throws if a day comes twice with different values: in these rows, or before.
  ///
  /// - Parameter stored: the rows of some days as the change has them now.
  /// - Throws: `StoreError.dayTwice`, and what `stored` throws.
  mutating func add(
    _ rows: QuoteColumns, of ticker: TickerSymbol, _ mode: UpsertMode,
    stored: (ClosedRange<TradingDay>) throws(StoreError) -> QuoteColumns
  ) throws(StoreError) {
    let order = rows.isStrictlyAscending ? [] : rows.rowsByDay
    let isFirst = order.indices.map { $0 == 0 || rows.dayValues[order[$0 - 1]] != rows.dayValues[order[$0]] }
    // The first row of each day, with which the others are compared.
    var first = order.isEmpty ? rows : rows.gathered(order.indices.filter { isFirst[$0] }.map { order[$0] })
    let known = first.dayValues.withSpan { days[ticker, default: DaySet()].insert($0) }
    let areRepeated = first.rowCount < rows.rowCount
    if mode == .fill ? areRepeated || !known.isEmpty : mode != .keep && !known.isEmpty {
      let bounds = mode == .fill ? 0..<first.rowCount : known[0]..<(known[known.count - 1] + 1)
      let before = try stored(first.dayValues[bounds.lowerBound]...first.dayValues[bounds.upperBound - 1])
      for row in known {
        guard let place = before.dayValues.sortedIndex(of: first.dayValues[row], by: { $0 }) else { continue }
        try first.checkSame(row, before, place, of: ticker, mode)
      }
      // What fills a gap is compared with what was there.
      if mode == .fill { first = first.filled(from: before, where: first.attributes, andWhereMissing: true) }
    }
    if !areRepeated { return }
    var place = -1
    for index in order.indices {
      if isFirst[index] { place += 1 } else { try rows.checkSame(order[index], first, place, of: ticker, mode) }
    }
  }
}

extension QuoteColumns {
  /// Throws if a row has another value than an earlier one of its day.
  fileprivate func checkSame(
    _ row: Int, _ other: QuoteColumns, _ otherRow: Int, of ticker: TickerSymbol, _ mode: UpsertMode
  ) throws(StoreError) {
    for name in attributes.names where !isIdentical(row: row, to: other, row: otherRow, in: name) {
      if mode == .fill, self[column: name].isMissing(row) { continue }
      throw .dayTwice(ticker: ticker, day: dayValues[row])
    }
  }
}

extension Attribute {
  fileprivate var isVolume: Bool { self == .volume || self == .adjustedVolume }
}

extension Column {
  /// The place of the first value that is infinite, or below zero if it is a volume; nil if there is none.
  fileprivate func firstImpossible(isVolume: Bool) -> Int? {
    switch self {
    case .doubles(let values):
      let lowest = isVolume ? 0 : -Double.greatestFiniteMagnitude
      return values.first { $0 < lowest || $0 == .infinity }
    case .integers(let values):
      return isVolume ? values.first { $0 < 0 && $0 != .missing } : nil
    }
  }

  /// Whether some value is missing.
  fileprivate var hasGaps: Bool {
    switch self {
    case .doubles(let values): values.first { $0.isNaN } != nil
    case .integers(let values): values.first { $0 == .missing } != nil
    }
  }

  fileprivate func text(_ row: Int) -> String {
    switch self {
    case .doubles(let values): "\(values[row])"
    case .integers(let values): "\(values[row])"
    }
  }
}

extension ColumnBuffer {
  /// The place of the first value of which this is true.
  fileprivate func first(where isTrue: (Value) -> Bool) -> Int? {
    withSpan { values in
      // Most columns have none, so a whole stretch is looked at in one go, without a branch.
      for start in stride(from: 0, to: values.count, by: 1024) {
        let rows = start..<Swift.min(start + 1024, values.count)
        var count = 0
        for row in rows { count &+= isTrue(values[row]) ? 1 : 0 }
        if count > 0 { return rows.first { isTrue(values[$0]) } }
      }
      return nil
    }
  }
}
