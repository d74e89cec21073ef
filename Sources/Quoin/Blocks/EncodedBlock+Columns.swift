// Decoding to columns.
//
// Sound throughout: a destination has room for as many values as are written, which a precondition checks.

extension EncodedBlock {
  /// Writes the values of some rows, or of all when `selected` is nil, to the rows `rows` of a column.
  ///
  /// - Parameter source: where this block is derived, the column that it is computed from, if its rows `rows` are there.
  @inline(__always)
  func write<Value: BlockValue>(
    _ selected: RowList?, to column: ColumnMemory<Value>, rows: Range<Int>, _ scratch: BlockScratch,
    source: ColumnOutput?
  ) throws(Damage) {
    precondition(rows.upperBound <= column.count && rows.upperBound <= source?.count ?? .max, "rows \(rows)")
    let output = unsafe UnsafeMutableBufferPointer(rebasing: column.values[rows])
    let known: SourceValues? =
      switch source {
      case .doubles(let memory): unsafe .doubles(UnsafeBufferPointer(rebasing: memory.values[rows]))
      case .integers(let memory): unsafe .integers(UnsafeBufferPointer(rebasing: memory.values[rows]))
      case nil: nil
      }
    unsafe try write(selected, to: output, scratch, source: known)
  }

  /// Writes the values of a block of int64s, of some rows or of all when `selected` is nil, as float64s to the rows `rows` of a
  /// column.
  func writeDoubles(
    _ selected: RowList?, to column: ColumnMemory<Double>, rows: Range<Int>, _ scratch: BlockScratch
  ) throws(Damage) {
    precondition(rows.upperBound <= column.count, "rows \(rows) of \(column.count)")
    let numbers = unsafe scratch.source(Int64.self, count: rows.count)
    unsafe try write(selected, to: numbers, scratch, source: nil)
    unsafe try Self.convert(
      UnsafeBufferPointer(numbers), into: UnsafeMutableBufferPointer(rebasing: column.values[rows]))
  }

  /// Every value of a block of int64s as a float64, until `scratch` is used again.
  func decodedDoubles(_ scratch: BlockScratch) throws(Damage) -> UnsafeMutableBufferPointer<Double> {
    let numbers = unsafe scratch.source(Int64.self, count: rowCount)
    unsafe try decode(into: numbers, scratch)
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Double.self)[..<rowCount])
    unsafe try Self.convert(UnsafeBufferPointer(numbers), into: values)
    return unsafe values
  }

  /// Writes whole numbers as float64s. Throws if one isn't a float64.
  private static func convert(
    _ numbers: UnsafeBufferPointer<Int64>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(Damage) {
    unsafe Double.convert(numbers, into: values)
    for row in numbers.indices where unsafe values[row].magnitude >= 0x1p53 {
      if unsafe Int64(exactly: values[row]) == numbers[row] { continue }
      throw unsafe Damage(
        offset: 0, "a volume of \(numbers[row]) beside volumes with fractions (no float64 is that number)",
        isUnknown: true)
    }
  }

  /// Writes the days of some rows, or of all when `selected` is nil, to the rows `rows` of a column.
  func writeDays(
    _ selected: RowList?, to column: ColumnMemory<TradingDay>, rows: Range<Int>, _ scratch: BlockScratch
  ) throws(Damage) {
    precondition(rows.upperBound <= column.count, "rows \(rows) of \(column.count)")
    let days = unsafe scratch.output(Int64.self, count: rows.count)
    unsafe try write(selected, to: days, scratch, source: nil)
    unsafe try Self.copy(UnsafeBufferPointer(days), to: UnsafeMutableBufferPointer(rebasing: column.values[rows]))
  }

  /// Writes the values of some rows, or of all when `selected` is nil, to `output`, which has room for exactly these.
  @inline(__always)
  func write<Value: BlockValue>(
    _ selected: RowList?, to output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch, source: SourceValues?
  ) throws(Damage) {
    if let selected {
      unsafe try gather(selected, into: output, scratch, source: source)
    } else {
      unsafe try decode(into: output, scratch, source: source)
    }
  }

  /// Appends every value to a column. When the block is damaged, nothing is appended.
  func append<Value: BlockValue>(
    to column: inout ColumnBuffer<Value>, _ scratch: BlockScratch
  ) throws(Damage) {
    unsafe try column.append(count: rowCount) { values throws(Damage) in unsafe try decode(into: values, scratch) }
  }

  /// Appends every value of a block of days to a column. When the block is damaged, nothing is appended.
  func appendDays(to column: inout ColumnBuffer<TradingDay>, _ scratch: BlockScratch) throws(Damage) {
    let values = unsafe try decoded(Int64.self, scratch)
    unsafe try column.append(count: rowCount) { days throws(Damage) in
      unsafe try Self.copy(UnsafeBufferPointer(values), to: days)
    }
  }

  /// Copies numbers of days as days.
  private static func copy(
    _ numbers: UnsafeBufferPointer<Int64>, to days: UnsafeMutableBufferPointer<TradingDay>
  ) throws(Damage) {
    for index in numbers.indices {
      guard let day = unsafe TradingDay(daysSince1970: Int(numbers[index])) else {
        throw Damage(offset: 8, "the block has a day outside the calendar")
      }
      unsafe days[index] = day
    }
  }

  /// The statistics of the values, and whether each value is greater than the one before.
  func measured<Value: BlockValue>(
    _ type: Value.Type, _ scratch: BlockScratch
  ) throws(Damage) -> (statistics: BlockStatistics<Value>, isRising: Bool) {
    let values = unsafe try decoded(type, scratch)
    let isRising = unsafe zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
    return (unsafe BlockStatistics(UnsafeBufferPointer(values)), isRising)
  }

  /// Every value, until `scratch` is used again.
  func decoded<Value: BlockValue>(
    _ type: Value.Type, _ scratch: BlockScratch
  ) throws(Damage) -> UnsafeMutableBufferPointer<Value> {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(type)[..<rowCount])
    unsafe try decode(into: values, scratch)
    return unsafe values
  }
}
