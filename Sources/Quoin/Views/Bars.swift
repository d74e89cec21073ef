// Bars: one row for the rows of a ticker in each period. Missing cells take no part, and a cell is missing if there is nothing
// else. Sums are exact and rounded once.

/// Why rows can't become a bar: a sum of theirs is more than a cell holds.
struct BarOverflow: Error {
  let days: ClosedRange<TradingDay>
}

extension QuoteColumns {
  /// A row for each period that has rows here, which must rise by day.
  func bars(by period: CalendarPeriod, label: BarLabel) throws(BarOverflow) -> QuoteColumns {
    let stretches = period.stretches(of: dayValues)
    let days = stretches.map { label == .lastRow ? dayValues[$0.rows.upperBound - 1] : $0.lastDay }
    return try bars(of: stretches.map(\.rows), days: days)
  }

  /// A row for each of these ranges of rows, which are in the order of time, with these days.
  func bars(of rows: [Range<Int>], days: [TradingDay]) throws(BarOverflow) -> QuoteColumns {
    var bars = QuoteColumns(attributes: attributes)
    bars.dayValues = ColumnBuffer(days)
    for name in attributes {
      switch self[column: name] {
      case .doubles(let values): bars[column: name] = .doubles(try self.bars(of: values, rows, name.barRule))
      case .integers(let values): bars[column: name] = .integers(try self.bars(of: values, rows, name.barRule))
      }
    }
    return bars
  }

  private func bars<Value: BarValue>(
    of values: ColumnBuffer<Value>, _ stretches: [Range<Int>], _ rule: BarRule
  ) throws(BarOverflow) -> ColumnBuffer<Value> {
    var bars: [Value] = []
    bars.reserveCapacity(stretches.count)
    try values.withSpan { values throws(BarOverflow) in
      for rows in stretches {
        guard let value = rule.value(of: values, rows) else {
          throw BarOverflow(days: dayValues[rows.lowerBound]...dayValues[rows.upperBound - 1])
        }
        bars.append(value)
      }
    }
    return ColumnBuffer(bars)
  }
}

extension Attribute {
  /// What a bar's cell is. Adjusted attributes are as those that they are computed from.
  fileprivate var barRule: BarRule {
    switch derivationSource ?? self {
    case .open: .first
    case .high: .maximum
    case .low: .minimum
    case .splitRatio: .product
    case .volume, .exDividend: .sum
    default: .last
    }
  }
}

private enum BarRule {
  case first, last, minimum, maximum, sum, product

  /// The value of some rows; nil if it is more than a cell holds.
  @inline(__always)
  func value<Value: BarValue>(of values: Span<Value>, _ rows: Range<Int>) -> Value? {
    switch self {
    case .first: return rows.first { !values[$0].isMissing }.map { values[$0] } ?? .missing
    case .last: return rows.last { !values[$0].isMissing }.map { values[$0] } ?? .missing
    case .minimum: return rows.reduce(into: .missing) { $0.formMinimum(values[$1]) }
    case .maximum: return rows.reduce(into: .missing) { $0.formMaximum(values[$1]) }
    case .sum:
      var (sum, hasValue) = (Value.Total(), false)
      for row in rows where !values[row].isMissing {
        sum.add(values[row])
        hasValue = true
      }
      return hasValue ? Value(cellOf: sum) : .missing
    case .product:
      var product: Value?
      for row in rows where !values[row].isMissing {
        let ratio = values[row].asRatio
        guard let next = product.map({ $0.multiplied(by: ratio) }) ?? ratio else { return nil }
        product = next
      }
      return product ?? .missing
    }
  }
}

/// A value that sums and products can become, if a cell holds them.
private protocol BarValue: BlockValue {
  init?(cellOf sum: Total)
  func multiplied(by other: Self) -> Self?
  /// What a split makes of a share: 1 if the value is 0, as some files say that there is none, or less, which none can be.
  var asRatio: Self { get }
}

extension Double: BarValue {
  fileprivate init?(cellOf sum: ExactSum) { self = sum.value }
  fileprivate func multiplied(by other: Double) -> Double? { self * other }
  fileprivate var asRatio: Double { self > 0 ? self : 1 }
}

extension Int64: BarValue {
  fileprivate init?(cellOf sum: Int128) {
    guard let value = Int64(exactly: sum), !value.isMissing else { return nil }
    self = value
  }

  fileprivate var asRatio: Int64 { self > 0 ? self : 1 }

  fileprivate func multiplied(by other: Int64) -> Int64? {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows || product.isMissing ? nil : product
  }
}
