extension ColumnFile {
  /// Appends every row of block `index` to `columns`. Only the attributes of `columns` are decoded.
  func appendRows(
    ofBlock index: Int, to columns: inout QuoteColumns, _ scratch: BlockScratch
  ) throws(StoreError) {
    try appendDays(ofBlock: index, to: &columns.dayValues, scratch)
    for name in columns.attributes.names { try append(name, ofBlock: index, to: &columns[column: name], scratch) }
  }

  /// Appends an attribute's values in block `index` to a column, which becomes float64 if they are.
  func append(
    _ name: Attribute, ofBlock index: Int, to column: inout Column, _ scratch: BlockScratch
  ) throws(StoreError) {
    if holdsDoubles(name) {
      column.becomeDoubles()
      try append(name, ofBlock: index, to: &column.doubles, scratch)
    } else if column.isDouble {
      var numbers = ColumnBuffer<Int64>()
      try append(name, ofBlock: index, to: &numbers, scratch)
      column.append(contentsOf: .integers(numbers), rows: 0..<numbers.count)
    } else {
      try append(name, ofBlock: index, to: &column.integers, scratch)
    }
  }

  private func append<Value: BlockValue>(
    _ name: Attribute, ofBlock index: Int, to column: inout ColumnBuffer<Value>, _ scratch: BlockScratch
  ) throws(StoreError) {
    try read(index, .attribute(name)) { block throws(Damage) in try block.append(to: &column, scratch) }
  }

  private func appendDays(
    ofBlock index: Int, to column: inout ColumnBuffer<TradingDay>, _ scratch: BlockScratch
  ) throws(StoreError) {
    try read(index, .date) { block throws(Damage) in try block.appendDays(to: &column, scratch) }
  }

  /// Calls `body` with block `index` of a section, and says in its errors where in the file that is.
  func read(
    _ index: Int, _ section: ColumnSection, _ body: (EncodedBlock) throws(Damage) -> Void
  ) throws(StoreError) {
    let directory = try directory(section)
    let copies = makeCopies()
    let block = try block(index, section, directory, copies)
    defer { withExtendedLifetime(copies) {} }
    let offset = offset(index, section, directory)
    try StoreFormat.reading(path, at: offset) { () throws(Damage) in try body(block) }
  }

  /// The extremes of a ratio in each block. Nothing is known of the blocks of a file that doesn't have them.
  func extremes(of ratio: BlockRatio) throws(StoreError) -> [RatioExtremes] {
    guard let statistics = header.statistics(of: ratio) else { return Array(repeating: .unknown, count: blockCount) }
    file.announce(statistics.extent.range)
    return try withPart(statistics.extent, statistics.noun) { bytes throws(Damage) in
      (0..<blockCount).map { RatioExtremes(bytes, at: $0 * ratio.byteCount, of: ratio) }
    }
  }

  /// The first and the last day of block `index`, by its statistics.
  func days(ofBlock index: Int) throws(StoreError) -> ClosedRange<TradingDay> {
    let directory = try directory(.date)
    let (first, last) = (directory.minimum(index), directory.maximum(index))
    guard let first = TradingDay(daysSince1970: Int(Int64(bits: first))),
      let last = TradingDay(daysSince1970: Int(Int64(bits: last))), first <= last
    else {
      throw .damaged(
        path: path, offset: header.column(.date)?.directory.offset ?? 0,
        reason: "the statistics of block \(index) aren't days")
    }
    return first...last
  }
}
