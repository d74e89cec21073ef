extension QuoteColumns {
  /// Rows of these days in which every cell of `attributes` is missing.
  init(days: ColumnBuffer<TradingDay>, attributes: AttributeSet) {
    self.init(attributes: attributes)
    dayValues = days
    for name in attributes.names { self[column: name] = Column(missing: days.count, of: name) }
  }

  /// Appends one quote's values; its ticker is not kept.
  public mutating func append(_ quote: DailyQuoteSummary) {
    dayValues.append(quote.date)
    for name in attributes.names {
      if name.isInteger, !quote.hasFraction, !self[column: name].isDouble {
        self[column: name].integers.append(quote.integer(name) ?? .missing)
      } else if name.isInteger {
        self[column: name].becomeDoubles()
        self[column: name].doubles.append(
          quote.integer(name).map(Double.besideFractions) ?? quote[name] ?? .missing)
      } else {
        self[column: name].doubles.append(quote[name] ?? .missing)
      }
    }
  }

  /// Appends quotes' values; their tickers are not kept.
  public mutating func append(contentsOf quotes: some Sequence<DailyQuoteSummary>) {
    for quote in quotes { append(quote) }
  }

  /// Appends the rows `range` of `other`, which must have the same attributes.
  mutating func append(_ other: QuoteColumns, rows range: Range<Int>) {
    precondition(attributes == other.attributes, "rows of \(other.attributes) appended to \(attributes)")
    dayValues.append(contentsOf: other.dayValues, rows: range)
    for name in attributes.names { self[column: name].append(contentsOf: other[column: name], rows: range) }
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
    result.dayValues = dayValues.gathered(rows)
    for name in attributes.names { result[column: name] = self[column: name].gathered(rows) }
    return result
  }

  /// The rows `range` alone.
  package func sliced(_ range: Range<Int>) -> QuoteColumns {
    var result = QuoteColumns(attributes: attributes)
    result.append(self, rows: range)
    return result
  }

  /// Reverses the order of the rows.
  mutating func reverse() {
    dayValues.reverse()
    for name in attributes.names { self[column: name].reverse() }
  }

  mutating func reserveCapacity(_ rowCount: Int) {
    dayValues.reserveCapacity(rowCount)
    for name in attributes.names { self[column: name].reserveCapacity(rowCount) }
  }

  mutating func removeAll(keepingCapacity: Bool) {
    dayValues.removeAll(keepingCapacity: keepingCapacity)
    for name in attributes.names { self[column: name].removeAll(keepingCapacity: keepingCapacity) }
  }

  /// Whether row `row` and row `otherRow` of `other`, which has the same attributes, hold the same bits in each; all NaNs
  /// are one value.
  func isIdentical(row: Int, to other: QuoteColumns, row otherRow: Int) -> Bool {
    dayValues[row] == other.dayValues[otherRow]
      && columns.indices.allSatisfy {
        columns[$0].count == 0 || columns[$0].isIdentical(row, other.columns[$0], otherRow)
      }
  }

  /// Whether the two rows hold the same bits in this attribute, which both have.
  func isIdentical(row: Int, to other: QuoteColumns, row otherRow: Int, in name: Attribute) -> Bool {
    self[column: name].isIdentical(row, other[column: name], otherRow)
  }

  /// Takes one cell of `other` over. Both have the attribute.
  mutating func copyCell(_ name: Attribute, _ row: Int, from other: QuoteColumns, row otherRow: Int) {
    switch (self[column: name], other[column: name]) {
    case (.integers, .integers(let others)): self[column: name].integers[row] = others[otherRow]
    case (_, .doubles(let others)):
      self[column: name].becomeDoubles()
      self[column: name].doubles[row] = others[otherRow]
    case (.doubles, .integers(let others)):
      self[column: name].doubles[row] = Double.besideFractions(others[otherRow])
    }
  }

  /// Whether the days rise strictly from row to row.
  var isStrictlyAscending: Bool { isSorted(by: <) }

  /// Whether the days fall strictly from row to row.
  var isStrictlyDescending: Bool { isSorted(by: >) }

  private func isSorted(by areInOrder: (TradingDay, TradingDay) -> Bool) -> Bool {
    dayValues.withSpan { days in
      var row = 1
      while row < days.count {
        if !areInOrder(days[row - 1], days[row]) { return false }
        row += 1
      }
      return true
    }
  }
}

extension QuoteColumns {
  /// The same rows with every attribute present; what was absent is missing.
  var completed: QuoteColumns {
    guard attributes != .all else { return self }
    var result = QuoteColumns()
    result.dayValues = dayValues
    for name in Attribute.allCases {
      result[column: name] = attributes.contains(name) ? self[column: name] : Column(missing: rowCount, of: name)
    }
    return result
  }

  /// The same rows with these attributes alone, which must be present.
  package func having(_ some: AttributeSet) -> QuoteColumns {
    guard some != attributes else { return self }
    var result = QuoteColumns(attributes: some)
    result.dayValues = dayValues
    for name in some.names { result[column: name] = self[column: name] }
    return result
  }

  /// The attributes that have a value in some row.
  package var valuedAttributes: AttributeSet {
    AttributeSet(
      attributes.names.filter { name in
        switch self[column: name] {
        case .doubles(let values): values.withSpan { span in span.indices.contains { !span[$0].isMissing } }
        case .integers(let values): values.withSpan { span in span.indices.contains { !span[$0].isMissing } }
        }
      })
  }

  /// The rows in rising order of days; of rows of the same day, the last one only.
  var sortedByDay: QuoteColumns {
    guard !isStrictlyAscending else { return self }
    let (days, order) = (dayValues, rowsByDay)
    let last = order.indices.filter { $0 + 1 == order.count || days[order[$0]] != days[order[$0 + 1]] }
    return gathered(last.map { order[$0] })
  }

  /// The rows in rising order of days; of rows of the same day, one with the last value of each attribute that isn't missing.
  var filledByDay: QuoteColumns {
    var result = sortedByDay
    if result.rowCount == rowCount { return result }
    // From the last row of each day backwards, a gap gets the value that is nearest.
    let order = rowsByDay
    var place = order.count - 1
    for row in result.dayValues.indices.reversed() {
      while place >= 0, dayValues[order[place]] == result.dayValues[row] {
        for name in attributes.names
        where result[column: name].isMissing(row) && !self[column: name].isMissing(order[place]) {
          result.copyCell(name, row, from: self, row: order[place])
        }
        place -= 1
      }
    }
    return result
  }

  /// The rows in rising order of days; rows of one day in their own order.
  var rowsByDay: [Int] { dayValues.indices.sorted { (dayValues[$0], $0) < (dayValues[$1], $1) } }
}
