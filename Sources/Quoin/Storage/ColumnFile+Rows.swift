extension ColumnFile {
  /// Appends every row of block `index` to `columns`. Only the attributes of `columns` are decoded.
  func appendRows(
    ofBlock index: Int, to columns: inout QuoteColumns, _ scratch: BlockScratch
  ) throws(StoreError) {
    try appendDays(ofBlock: index, to: &columns.dayValues, scratch)
    for name in columns.attributes.names { try append(name, ofBlock: index, to: &columns[column: name], scratch) }
  }

  /// Appends an attribute's values in block `index` to a column of its kind.
  func append(
    _ name: AttributeName, ofBlock index: Int, to column: inout Column, _ scratch: BlockScratch
  ) throws(StoreError) {
    switch column {
    case .doubles: try append(name, ofBlock: index, to: &column.doubles, scratch)
    case .integers: try append(name, ofBlock: index, to: &column.integers, scratch)
    }
  }

  private func append<Value: BlockValue>(
    _ name: AttributeName, ofBlock index: Int, to column: inout ColumnBuffer<Value>, _ scratch: BlockScratch
  ) throws(StoreError) {
    unsafe try decode(index, .attribute(name), Value.self, scratch) { values throws(Damage) in
      unsafe column.append(contentsOf: UnsafeBufferPointer(values))
    }
  }

  private func appendDays(
    ofBlock index: Int, to column: inout ColumnBuffer<TradingDay>, _ scratch: BlockScratch
  ) throws(StoreError) {
    unsafe try decode(index, .date, Int64.self, scratch) { values throws(Damage) in
      unsafe try column.append(count: values.count) { days throws(Damage) in
        for row in values.indices {
          guard let day = unsafe TradingDay(daysSince1970: Int(values[row])) else {
            throw Damage(offset: 8, "row \(row) has a day outside the calendar")
          }
          unsafe days[row] = day
        }
      }
    }
  }

  /// Decodes block `index` of a section and hands its values to `body`.
  func decode<Value: BlockValue>(
    _ index: Int, _ section: ColumnSection, _ type: Value.Type, _ scratch: BlockScratch,
    _ body: (UnsafeMutableBufferPointer<Value>) throws(Damage) -> Void
  ) throws(StoreError) {
    let directory = try directory(section)
    let block = try block(index, section, directory)
    let offset = offset(index, section, directory)
    try StoreFormat.reading(path, at: offset) { () throws(Damage) in
      let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
      unsafe try block.decode(into: values, scratch)
      unsafe try body(values)
    }
  }

  /// The first and the last day of block `index`, by its statistics.
  func days(ofBlock index: Int) throws(StoreError) -> ClosedRange<TradingDay> {
    let directory = try directory(.date)
    let (first, last) = unsafe (directory.minima[index], directory.maxima[index])
    guard let first = TradingDay(daysSince1970: Int(Int64(bits: first))),
      let last = TradingDay(daysSince1970: Int(Int64(bits: last))), first <= last
    else {
      throw .damaged(
        path: path, offset: header.directories[ColumnSection.date.index].offset,
        reason: "the statistics of block \(index) are no days")
    }
    return first...last
  }
}
