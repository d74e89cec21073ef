extension ColumnFile {
  /// Appends every row of block `index` to `columns`, whose attributes are decoded and no others.
  func appendRows(
    ofBlock index: Int, to columns: inout QuoteColumns, _ scratch: BlockScratch
  ) throws(StoreError) {
    unsafe try decode(index, .date, Int64.self, scratch) { days throws(Damage) in
      for row in days.indices {
        guard let day = unsafe TradingDay(daysSince1970: Int(days[row])) else {
          throw Damage(offset: 8, "row \(row) has a day outside the calendar")
        }
        columns.days.append(day)
      }
    }
    for name in columns.attributes.names {
      if name.isInteger {
        unsafe try decode(index, .attribute(name), Int64.self, scratch) { values throws(Damage) in
          unsafe columns.integers[name.slot].append(contentsOf: values)
        }
      } else {
        unsafe try decode(index, .attribute(name), Double.self, scratch) { values throws(Damage) in
          unsafe columns.doubles[name.slot].append(contentsOf: values)
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
