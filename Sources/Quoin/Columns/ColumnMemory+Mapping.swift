// New columns whose values are computed row by row.
//
// Sound: a column has `count` values, and two that are read together have as many.

extension ColumnMemory {
  /// A column of the values that `value` makes of each row.
  @inline(__always)
  convenience init(count: Int, _ value: (Int) -> Value) {
    self.init(capacity: count, count: count)
    for row in 0..<count { unsafe base[row] = value(row) }
  }

  /// A column of `count` values that `fill` writes, all of them.
  convenience init(count: Int, fill: (inout MutableSpan<Value>) -> Void) {
    self.init(capacity: count, count: count)
    var values = unsafe values.mutableSpan
    fill(&values)
  }

  /// A column of the same value in each row.
  convenience init(repeating value: Value, count: Int) {
    self.init(capacity: count, count: count)
    unsafe values.update(repeating: value)
  }

  /// Writes values into some rows. Several threads may do so at once, into other rows each.
  func write(_ values: [Value], at rows: [UInt32]) {
    precondition(values.count == rows.count)
    for (value, row) in zip(values, rows) {
      precondition(Int(row) < count, "row \(row) of \(count)")
      unsafe base[Int(row)] = value
    }
  }

  /// A column of what `body` makes of each value of another.
  @inline(__always)
  convenience init<Source>(mapping column: ColumnMemory<Source>, _ body: (Source) -> Value) {
    self.init(capacity: column.count, count: column.count)
    for row in 0..<count { unsafe base[row] = unsafe body(column.base[row]) }
  }

  /// A column of what `body` makes of each pair of values of two others.
  @inline(__always)
  convenience init<Source>(
    mapping x: ColumnMemory<Source>, _ y: ColumnMemory<Source>, _ body: (Source, Source) -> Value
  ) {
    precondition(x.count == y.count, "\(x.count) and \(y.count) values")
    self.init(capacity: x.count, count: x.count)
    for row in 0..<count { unsafe base[row] = unsafe body(x.base[row], y.base[row]) }
  }
}
