/// Filters and materializes one candidate block at a time. One for each thread that scans.
struct BlockScanner {
  let plan: ScanPlan
  private let scratch = BlockScratch()
  /// Bytes of the blocks that were looked into.
  private(set) var readByteCount = 0

  init(_ plan: ScanPlan) { self.plan = plan }

  /// The rows of a candidate that match.
  mutating func rows(of candidate: Candidate) throws(StoreError) -> RowMask {
    var mask = RowMask(first: plan.rowCount(of: candidate))
    if candidate.verdict == .some { try filter(plan.filter, candidate, &mask) }
    return mask
  }

  /// Clears the bits of rows for which `filter` doesn't hold.
  private mutating func filter(
    _ filter: ScanFilter, _ candidate: Candidate, _ mask: inout RowMask
  ) throws(StoreError) {
    switch filter {
    case .leaf(let index): try test(index, candidate, &mask)
    case .all(let parts):
      for part in parts where !mask.isEmpty { try self.filter(part, candidate, &mask) }
    case .any(let parts):
      var (undecided, passed) = (mask, RowMask.none)
      for part in parts where !undecided.isEmpty {
        var rows = undecided
        try self.filter(part, candidate, &rows)
        passed.formUnion(rows)
        undecided.subtract(rows)
      }
      mask = passed
    }
  }

  private mutating func test(_ index: Int, _ candidate: Candidate, _ mask: inout RowMask) throws(StoreError) {
    switch plan.verdict(index, fileIndex: candidate.fileIndex, block: candidate.block) {
    case .all: break
    case .none: mask = .none
    case .some:
      let condition = plan.conditions[index]
      let scratch = scratch
      let rows = try withBlock(condition.condition.section, candidate) { block throws(Damage) in
        try condition.rows(of: block, scratch)
      }
      mask.formIntersection(rows)
    }
  }

  /// Appends the rows of `mask` to `batch`: the ticker, the day and the batch's attributes.
  mutating func materialize(
    _ mask: RowMask, of candidate: Candidate, _ order: DateOrder, into batch: inout QuoteBatch
  ) throws(StoreError) {
    let rows = SelectedRows(mask, order)
    batch.tickers.append(contentsOf: repeatElement(candidate.ticker, count: rows.count))
    let days: [Int64] = try values(rows, .date, candidate)
    for number in days {
      guard let day = TradingDay(daysSince1970: Int(number)) else {
        let file = plan.files[candidate.fileIndex]
        throw .damaged(path: file.path, offset: 0, reason: "block \(candidate.block) has a day out of the calendar")
      }
      batch.columns.days.append(day)
    }
    for name in batch.columns.attributes.names {
      if name.isInteger {
        try append(rows, .attribute(name), candidate, to: &batch.columns.integers[name.slot])
      } else {
        try append(rows, .attribute(name), candidate, to: &batch.columns.doubles[name.slot])
      }
    }
  }

  /// The values of the selected rows of a section.
  mutating func values<Value: BlockValue>(
    _ rows: SelectedRows, _ section: ColumnSection, _ candidate: Candidate
  ) throws(StoreError) -> [Value] {
    var values: [Value] = []
    try append(rows, section, candidate, to: &values)
    return values
  }

  private mutating func append<Value: BlockValue>(
    _ rows: SelectedRows, _ section: ColumnSection, _ candidate: Candidate, to values: inout [Value]
  ) throws(StoreError) {
    let scratch = scratch
    try withBlock(section, candidate) { block throws(Damage) in
      let output = unsafe scratch.output(Value.self, count: rows.count)
      if rows.isWhole(of: block.rowCount) {
        unsafe try block.decode(into: output, scratch)
      } else {
        unsafe try rows.withIndices { indices throws(Damage) in
          unsafe try block.gather(indices, into: output, scratch)
        }
      }
      switch rows.order {
      case .ascending: unsafe values.append(contentsOf: output)
      case .descending: unsafe values.append(contentsOf: output.reversed())
      }
    }
  }

  private mutating func withBlock<Result>(
    _ section: ColumnSection, _ candidate: Candidate, _ body: (EncodedBlock) throws(Damage) -> Result
  ) throws(StoreError) -> Result {
    let file = plan.files[candidate.fileIndex]
    let directory = try file.directory(section)
    let block = try file.block(candidate.block, section, directory)
    readByteCount += directory.blockOffset(candidate.block + 1) - directory.blockOffset(candidate.block)
    let offset = file.header.blocks[section.index].offset + directory.blockOffset(candidate.block)
    return try StoreFormat.reading(file.path, at: offset) { () throws(Damage) in try body(block) }
  }
}

/// The surviving rows of a block as indices, for gathering, and the order in which they are wanted.
struct SelectedRows {
  let order: DateOrder
  private let indices: [UInt16]

  init(_ mask: RowMask, _ order: DateOrder) {
    self.order = order
    let count = mask.count
    indices = unsafe [UInt16](unsafeUninitializedCapacity: count) { buffer, filled in
      var index = 0
      mask.forEachRow { row in
        // Sound: the mask has `count` rows.
        unsafe buffer[index] = UInt16(row)
        index += 1
      }
      filled = index
    }
  }

  var count: Int { indices.count }

  func isWhole(of rowCount: Int) -> Bool { count == rowCount }

  /// Calls `body` with the rows in rising order.
  func withIndices(_ body: (UnsafeBufferPointer<UInt16>) throws(Damage) -> Void) throws(Damage) {
    let result: Result<Void, Damage> = unsafe indices.withUnsafeBufferPointer { buffer in
      Result { () throws(Damage) in unsafe try body(buffer) }
    }
    try result.get()
  }
}
