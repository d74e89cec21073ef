/// Filters candidates and materializes their rows, several blocks at a time. It evaluates one condition at a time over all of
/// them, and then one column at a time. So what is looked up for one block serves the next, and waits for memory overlap.
/// Each thread of a scan has its own.
struct BlockScanner {
  let plan: ScanPlan
  private let scratch = BlockScratch()
  /// The sections that were read so far, by file.
  private var readers: [[SectionReader?]]
  /// Stored bytes of the blocks that were read for the present chunk.
  private var readByteCount = 0

  init(_ plan: ScanPlan) {
    self.plan = plan
    readers = Array(repeating: [], count: plan.verdicts.count)
  }

  /// The matching rows of each candidate.
  mutating func masks(of candidates: ArraySlice<Candidate>) throws(StoreError) -> [RowMask] {
    var masks = candidates.map { RowMask(first: plan.rowCount(of: $0)) }
    try filter(plan.filter, candidates, &masks)
    return masks
  }

  /// The matching rows of some candidates.
  mutating func select(_ candidates: ArraySlice<Candidate>) throws(StoreError) -> Selection {
    readByteCount = 0
    var selection = Selection()
    for (candidate, mask) in zip(candidates, try masks(of: candidates)) {
      selection.append(mask, of: candidate, blockRowCount: plan.rowCount(of: candidate))
    }
    selection.readByteCount = readByteCount
    return selection
  }

  /// The number of matching rows of some candidates. If the statistics say that all rows of a block match, it isn't read.
  mutating func count(_ candidates: ArraySlice<Candidate>) throws(StoreError) -> Int {
    var count = 0
    for candidate in candidates where candidate.verdict == .all { count += plan.rowCount(of: candidate) }
    let undecided = candidates.filter { $0.verdict == .some }
    for mask in try masks(of: undecided[...]) { count += mask.count }
    return count
  }

  /// Clears the bits of rows that `filter` doesn't select.
  private mutating func filter(
    _ filter: ScanFilter, _ candidates: ArraySlice<Candidate>, _ masks: inout [RowMask]
  ) throws(StoreError) {
    switch filter {
    case .leaf(let index): try test(index, candidates, &masks)
    case .all(let parts): for part in parts { try self.filter(part, candidates, &masks) }
    case .any(let parts):
      var undecided = masks
      for index in masks.indices { masks[index] = .none }
      for part in parts {
        var rows = undecided
        try self.filter(part, candidates, &rows)
        for index in rows.indices {
          masks[index].formUnion(rows[index])
          undecided[index].subtract(rows[index])
        }
      }
    }
  }

  private mutating func test(
    _ index: Int, _ candidates: ArraySlice<Candidate>, _ masks: inout [RowMask]
  ) throws(StoreError) {
    let condition = plan.conditions[index]
    switch condition.range {
    case .double(let range): try test(index, condition, range, candidates, &masks)
    case .integer(let range): try test(index, condition, range, candidates, &masks)
    }
  }

  @inline(__always)
  private mutating func test<Value: BlockValue>(
    _ index: Int, _ condition: PreparedCondition, _ range: ValueRange<Value>, _ candidates: ArraySlice<Candidate>,
    _ masks: inout [RowMask]
  ) throws(StoreError) {
    var start = 0
    while start < masks.count {
      let fileIndex = candidates[candidates.startIndex + start].fileIndex
      let rest = candidates[(candidates.startIndex + start)...]
      let end = (rest.firstIndex { $0.fileIndex != fileIndex } ?? rest.endIndex) - candidates.startIndex
      let reader = try self.reader(Int(fileIndex), condition.condition.section)
      let file = plan.verdicts[Int(fileIndex)]
      let (firstBlock, verdicts) = (file?.firstBlock ?? 0, file?.conditions[index] ?? [])
      for position in start..<end {
        if position + 8 < end { reader.prefetch(Int(candidates[candidates.startIndex + position + 8].block)) }
        let candidate = candidates[candidates.startIndex + position]
        if candidate.verdict == .all || masks[position].isEmpty { continue }
        let block = Int(candidate.block)
        switch verdicts[block - firstBlock] {
        case .all: continue
        case .none: masks[position] = .none
        case .some:
          readByteCount += reader.byteCount(block)
          let encoded = try reader.block(block)
          do throws(Damage) {
            let rows = try encoded.rows(in: range, among: masks[position], scratch)
            if condition.isInverted { masks[position].subtract(rows) } else { masks[position].formIntersection(rows) }
          } catch { throw reader.error(error, inBlock: block) }
        }
      }
      start = end
    }
  }

  /// The reader of a section, made when it is first needed.
  private mutating func reader(_ fileIndex: Int, _ section: ColumnSection) throws(StoreError) -> SectionReader {
    if readers[fileIndex].isEmpty { readers[fileIndex] = Array(repeating: nil, count: ColumnSection.count) }
    if let reader = readers[fileIndex][section.index] { return reader }
    let reader = try SectionReader(plan.file(fileIndex), section)
    readers[fileIndex][section.index] = reader
    return reader
  }

  /// Writes the selected rows of some blocks to a batch in the making, from row `start` on: the ticker, the day, and the
  /// batch's attributes.
  ///
  /// - Returns: the stored bytes of the blocks that were read.
  mutating func materialize(
    _ blocks: ArraySlice<SelectedBlock>, of selection: Selection, _ output: BatchOutput, _ start: Int,
    _ order: DateOrder
  ) throws(StoreError) -> Int {
    readByteCount = 0
    try selection.withRows { rows throws(StoreError) in
      try materializeDays(blocks, rows, output, start)
      for name in output.attributes {
        // If the column that this one may be derived from is wanted too, its values are already there.
        let source = name.derivationSource.flatMap { output[$0] }
        switch output[name] {
        case .doubles(let column): try materialize(name, blocks, rows, column, source?.doubles, start)
        case .integers(let column): try materialize(name, blocks, rows, column, source?.integers, start)
        case nil: break
        }
      }
    }
    var row = start
    for block in blocks {
      let rows = row..<(row + block.rowCount)
      unsafe output.tickers[rows].update(repeating: plan.symbol(of: block.candidate))
      if order == .descending { output.reverse(rows) }
      row = rows.upperBound
    }
    return readByteCount
  }

  private mutating func materializeDays(
    _ blocks: ArraySlice<SelectedBlock>, _ selection: SelectedRows, _ output: BatchOutput, _ start: Int
  ) throws(StoreError) {
    var row = start
    let scratch = scratch
    try forEachBlock(blocks, .date, selection) { block, selected throws(Damage) in
      let days = unsafe scratch.output(Int64.self, count: selected.rowCount)
      unsafe try Self.values(of: block, selected, selection, into: days, scratch)
      for index in days.indices {
        guard let day = unsafe TradingDay(daysSince1970: Int(days[index])) else {
          throw Damage(offset: 0, "the block has a day out of the calendar")
        }
        unsafe output.days[row + index] = day
      }
      row += selected.rowCount
    }
  }

  @inline(__always)
  private mutating func materialize<Value: BlockValue>(
    _ name: AttributeName, _ blocks: ArraySlice<SelectedBlock>, _ selection: SelectedRows,
    _ column: ColumnMemory<Value>, _ source: ColumnMemory<Value>?, _ start: Int
  ) throws(StoreError) {
    var row = start
    let scratch = scratch
    let (output, source) = unsafe (column.values, source?.values)
    try forEachBlock(blocks, .attribute(name), selection) { block, selected throws(Damage) in
      let rows = row..<(row + selected.rowCount)
      let values = unsafe UnsafeMutableBufferPointer(rebasing: output[rows])
      let known =
        if let source = unsafe source {
          unsafe UnsafeBufferPointer(rebasing: source[rows])
        } else { unsafe UnsafeBufferPointer<Value>?.none }
      unsafe try Self.values(of: block, selected, selection, into: values, scratch, source: known)
      row = rows.upperBound
    }
  }

  /// Writes the values of the selected rows of a block.
  @inline(__always)
  private static func values<Value: BlockValue>(
    of block: EncodedBlock, _ selected: SelectedBlock, _ selection: SelectedRows,
    into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch, source: UnsafeBufferPointer<Value>? = nil
  ) throws(Damage) {
    if selected.isWhole {
      unsafe try block.decode(into: output, scratch, source: source)
    } else {
      unsafe try block.gather(selection.rows(of: selected), into: output, scratch, source: source)
    }
  }

  /// Calls `body` with a section's part of each block. The parts lie far apart in memory, so those of the next blocks are
  /// fetched while one is read: first their beginnings, then the places of the rows.
  @inline(__always)
  private mutating func forEachBlock(
    _ blocks: ArraySlice<SelectedBlock>, _ section: ColumnSection, _ selection: SelectedRows,
    _ body: (EncodedBlock, SelectedBlock) throws(Damage) -> Void
  ) throws(StoreError) {
    var start = blocks.startIndex
    while start < blocks.endIndex {
      let fileIndex = blocks[start].candidate.fileIndex
      let end = blocks[start...].firstIndex { $0.candidate.fileIndex != fileIndex } ?? blocks.endIndex
      let reader = try self.reader(Int(fileIndex), section)
      for index in start..<end {
        if index + 8 < end { reader.prefetch(Int(blocks[index + 8].candidate.block)) }
        if index + 4 < end, !blocks[index + 4].isWhole {
          reader.prefetch(selection.rows(of: blocks[index + 4]), ofBlock: Int(blocks[index + 4].candidate.block))
        }
        let block = Int(blocks[index].candidate.block)
        readByteCount += reader.byteCount(block)
        let encoded = try reader.block(block)
        do throws(Damage) { try body(encoded, blocks[index]) } catch { throw reader.error(error, inBlock: block) }
      }
      start = end
    }
  }
}
