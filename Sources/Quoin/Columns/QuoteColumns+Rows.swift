extension QuoteColumns {
  /// Appends one quote's values; its ticker is not kept.
  public mutating func append(_ quote: DailyQuoteSummary) {
    days.append(quote.date)
    for name in attributes.names {
      if let key = Attribute<Int64>(name: name) {
        integers[name.slot].append(quote[key] ?? .missing)
      } else if let key = Attribute<Double>(name: name) {
        doubles[name.slot].append(quote[key] ?? .missing)
      }
    }
  }

  /// Appends the rows `range` of `other`, which must have the same attributes.
  mutating func append(_ other: QuoteColumns, rows range: Range<Int>) {
    precondition(attributes == other.attributes, "rows of \(other.attributes) appended to \(attributes)")
    days.append(contentsOf: other.days[range])
    for name in attributes.names {
      if name.isInteger {
        integers[name.slot].append(contentsOf: other.integers[name.slot][range])
      } else {
        doubles[name.slot].append(contentsOf: other.doubles[name.slot][range])
      }
    }
  }

  /// Appends all rows of `other`, which must have the same attributes.
  package mutating func append(_ other: QuoteColumns) { append(other, rows: 0..<other.rowCount) }

  /// Appends all rows of `other`, without a copy when there are none yet.
  mutating func adopt(_ other: QuoteColumns) {
    if isEmpty, attributes == other.attributes { self = other } else { append(other) }
  }

  /// The rows at these indices, in this order.
  func gathered(_ rows: [Int]) -> QuoteColumns {
    var result = QuoteColumns(attributes: attributes)
    result.days = rows.map { days[$0] }
    for name in attributes.names {
      if name.isInteger {
        result.integers[name.slot] = rows.map { integers[name.slot][$0] }
      } else {
        result.doubles[name.slot] = rows.map { doubles[name.slot][$0] }
      }
    }
    return result
  }

  /// The rows `range` alone.
  func sliced(_ range: Range<Int>) -> QuoteColumns {
    var result = QuoteColumns(attributes: attributes)
    result.append(self, rows: range)
    return result
  }

  mutating func reserveCapacity(_ rowCount: Int) {
    days.reserveCapacity(rowCount)
    for index in doubles.indices { doubles[index].reserveCapacity(rowCount) }
    for index in integers.indices { integers[index].reserveCapacity(rowCount) }
  }

  mutating func removeAll(keepingCapacity: Bool) {
    days.removeAll(keepingCapacity: keepingCapacity)
    for index in doubles.indices { doubles[index].removeAll(keepingCapacity: keepingCapacity) }
    for index in integers.indices { integers[index].removeAll(keepingCapacity: keepingCapacity) }
  }

  /// Whether row `row` and row `otherRow` of `other`, which has the same attributes, hold the same bits in each; all NaNs
  /// are one value.
  func isIdentical(row: Int, to other: QuoteColumns, row otherRow: Int) -> Bool {
    guard days[row] == other.days[otherRow] else { return false }
    // An absent attribute's arrays are empty on both sides.
    return integers.indices.allSatisfy { integers[$0].isEmpty || integers[$0][row] == other.integers[$0][otherRow] }
      && doubles.indices.allSatisfy { slot in
        if doubles[slot].isEmpty { return true }
        let (a, b) = (doubles[slot][row], other.doubles[slot][otherRow])
        return a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
      }
  }

  /// Whether the days rise strictly from row to row.
  var isStrictlyAscending: Bool {
    var previous: TradingDay?
    for day in days {
      if let previous, previous >= day { return false }
      previous = day
    }
    return true
  }
}

extension QuoteColumns {
  /// The same rows with every attribute present; what was absent is missing.
  var completed: QuoteColumns {
    guard attributes != .all else { return self }
    var result = QuoteColumns()
    result.days = days
    for name in AttributeName.allCases {
      let isPresent = attributes.contains(name)
      if name.isInteger {
        result.integers[name.slot] =
          isPresent ? integers[name.slot] : Array(repeating: Int64.missing, count: rowCount)
      } else {
        result.doubles[name.slot] = isPresent ? doubles[name.slot] : Array(repeating: Double.missing, count: rowCount)
      }
    }
    return result
  }

  /// The rows in rising order of days; of rows of the same day, the last one only.
  var sortedByDay: QuoteColumns {
    guard !isStrictlyAscending else { return self }
    let order = days.indices.sorted { (days[$0], $0) < (days[$1], $1) }
    let last = order.indices.filter { $0 + 1 == order.count || days[order[$0]] != days[order[$0 + 1]] }
    return gathered(last.map { order[$0] })
  }
}
