/// The values of one attribute for some rows: float64 or int64.
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

  /// Appends the values `rows` of a column of the same kind.
  mutating func append(contentsOf others: Column, rows: Range<Int>) {
    switch others {
    case .doubles(let others): doubles.append(contentsOf: others, rows: rows)
    case .integers(let others): integers.append(contentsOf: others, rows: rows)
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

  /// The bits of value `row`; all NaNs have the same.
  func bits(_ row: Int) -> UInt64 {
    switch self {
    case .doubles(let values): values[row].isNaN ? Double.missing.bitPattern : values[row].bitPattern
    case .integers(let values): UInt64(bitPattern: values[row])
    }
  }

  /// How many values, from the first one on and at most `limit`, have the same bits as the values of `others`, a column
  /// of the same kind, from `start` on. All NaNs are one value.
  func commonCount(with others: Column, from start: Int, limit: Int) -> Int {
    switch (self, others) {
    case (.doubles(let values), .doubles(let others)):
      values.commonCount(with: others, from: start, limit: limit) {
        $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN)
      }
    case (.integers(let values), .integers(let others)):
      values.commonCount(with: others, from: start, limit: limit) { $0 == $1 }
    default: preconditionFailure("float64 is compared with int64")
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
