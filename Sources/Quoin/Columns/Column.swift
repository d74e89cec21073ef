/// The values of one attribute for some rows: float64 or int64. A column of volumes is int64 until one with a fraction comes in.
package enum Column: Sendable {
  case doubles(ColumnBuffer<Double>)
  case integers(ColumnBuffer<Int64>)

  /// No values yet, of an attribute's kind.
  package init(of name: Attribute) { self = name.isInteger ? .integers(ColumnBuffer()) : .doubles(ColumnBuffer()) }

  /// Missing values of an attribute.
  init(missing count: Int, of name: Attribute) {
    self =
      name.isInteger
      ? .integers(ColumnBuffer(repeating: .missing, count: count))
      : .doubles(ColumnBuffer(repeating: .missing, count: count))
  }

  package var count: Int {
    switch self {
    case .doubles(let values): values.count
    case .integers(let values): values.count
    }
  }

  /// The values of a float64 column. Traps when it isn't one.
  var doubles: ColumnBuffer<Double> {
    get {
      guard case .doubles(let values) = self else { preconditionFailure("an int64 column is read as float64") }
      return values
    }
    _modify {
      var values = doubles
      self = .doubles(ColumnBuffer())
      defer { self = .doubles(values) }
      yield &values
    }
  }

  /// The values of an int64 column. Traps when it isn't one.
  var integers: ColumnBuffer<Int64> {
    get {
      guard case .integers(let values) = self else { preconditionFailure("a float64 column is read as int64") }
      return values
    }
    _modify {
      var values = integers
      self = .integers(ColumnBuffer())
      defer { self = .integers(values) }
      yield &values
    }
  }
}

extension Column {
  mutating func reserveCapacity(_ count: Int) {
    switch self {
    case .doubles: doubles.reserveCapacity(count)
    case .integers: integers.reserveCapacity(count)
    }
  }

  mutating func removeAll(keepingCapacity: Bool) {
    switch self {
    case .doubles: doubles.removeAll(keepingCapacity: keepingCapacity)
    case .integers: integers.removeAll(keepingCapacity: keepingCapacity)
    }
  }

  /// Appends the values `rows` of another column. If one of the two is float64, this one is afterwards.
  mutating func append(contentsOf others: Column, rows: Range<Int>) {
    switch others {
    case .doubles(let others):
      becomeDoubles()
      doubles.append(contentsOf: others, rows: rows)
    case .integers(let others):
      if isDouble {
        doubles.append(contentsOf: others.array(rows).lazy.map(Double.besideFractions))
      } else {
        integers.append(contentsOf: others, rows: rows)
      }
    }
  }

  /// The values at these places, in this order.
  func gathered(_ rows: [Int]) -> Column {
    switch self {
    case .doubles(let values): .doubles(values.gathered(rows))
    case .integers(let values): .integers(values.gathered(rows))
    }
  }

  mutating func reverse() {
    switch self {
    case .doubles: doubles.reverse()
    case .integers: integers.reverse()
    }
  }

  /// Whether two values have the same bits, as float64s if one of them is.
  func isIdentical(_ row: Int, _ other: Column, _ otherRow: Int) -> Bool {
    switch (self, other) {
    case (.integers(let numbers), .doubles): Double.besideFractions(numbers[row]).bitPattern == other.bits(otherRow)
    case (.doubles, .integers): other.isIdentical(otherRow, self, row)
    default: bits(row) == other.bits(otherRow)
    }
  }

  /// Whether value `row` is missing.
  func isMissing(_ row: Int) -> Bool {
    switch self {
    case .doubles(let values): values[row].isMissing
    case .integers(let values): values[row].isMissing
    }
  }

  /// The bits of value `row`; all NaNs have the same.
  func bits(_ row: Int) -> UInt64 {
    switch self {
    case .doubles(let values): values[row].isNaN ? Double.missing.bitPattern : values[row].bitPattern
    case .integers(let values): UInt64(bitPattern: values[row])
    }
  }

  /// How many values, from the first one on and at most `limit`, have the same bits as the values of `others` from `start` on,
  /// as float64s if one of the columns has these. All NaNs are one value.
  func commonCount(with others: Column, from start: Int, limit: Int) -> Int {
    switch (self, others) {
    case (.doubles(let values), .doubles(let others)):
      values.commonCount(with: others, from: start, limit: limit) {
        $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN)
      }
    case (.integers(let values), .integers(let others)):
      values.commonCount(with: others, from: start, limit: limit) { $0 == $1 }
    default: asDoubles.commonCount(with: others.asDoubles, from: start, limit: limit)
    }
  }
}

extension ColumnBuffer {
  /// How many values, from the first one on and at most `limit`, are the same as the values of `others` from `start` on.
  func commonCount(with others: ColumnBuffer, from start: Int, limit: Int, _ areSame: (Value, Value) -> Bool) -> Int {
    withSpan { values in
      others.withSpan { others in
        var row = 0
        while row < limit, areSame(values[row], others[start + row]) { row += 1 }
        return row
      }
    }
  }
}
