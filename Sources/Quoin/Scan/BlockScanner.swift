/// Filters candidates and materializes their rows, several blocks at a time. It evaluates one condition at a time over all of
/// them, and then one column at a time. So what is looked up for one block serves the next, and waits for memory overlap.
/// Each thread of a scan has its own.
struct BlockScanner {
  let plan: ScanPlan
  let scratch = BlockScratch()
  /// The sections that were read so far, by file.
  private var readers: [[SectionReader?]]
  /// Stored bytes of the blocks that were read for the present chunk.
  var readByteCount = 0
  /// The narrow tests that were begun, by condition.
  var narrowRuns: [Int: NarrowRun] = [:]
  /// The sums of those that are linear, and of what these are divided by.
  var linearSums: [Int: (sum: LinearSum, divisor: LinearSum?)] = [:]
  /// The patches of the block that such a test reads.
  var narrowPatches: [(row: Int, patch: NarrowPatch)] = []

  init(_ plan: ScanPlan) {
    self.plan = plan
    readers = Array(repeating: [], count: plan.verdicts.count)
  }

  /// The matching rows of each candidate.
  mutating func masks(of candidates: ArraySlice<Candidate>) throws(StoreError) -> [RowMask] {
    try plan.budget.check()
    var masks = candidates.map { RowMask(first: Int($0.rowCount)) }
    try filter(plan.filter, candidates, &masks)
    return masks
  }

  /// The matching rows of some candidates.
  mutating func select(_ candidates: ArraySlice<Candidate>) throws(StoreError) -> Selection {
    readByteCount = 0
    var selection = Selection()
    for (candidate, mask) in zip(candidates, try masks(of: candidates)) {
      selection.append(mask, of: candidate, blockRowCount: Int(candidate.rowCount))
    }
    selection.readByteCount = readByteCount
    return selection
  }

  /// Clears the bits of rows for which `filter` doesn't hold.
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
    case .double(let section, let range):
      try forEachFile(candidates) { scanner, group throws(StoreError) in
        if let whole = condition.wholeRange, !scanner.plan.file(Int(group[group.startIndex].fileIndex)).hasFractions {
          try scanner.test(index, condition, section, whole, group, from: candidates.startIndex, &masks)
        } else {
          try scanner.test(index, condition, section, range, group, from: candidates.startIndex, &masks)
        }
      }
    case .integer(let section, let range):
      try forEachFile(candidates) { scanner, group throws(StoreError) in
        try scanner.test(index, condition, section, range, group, from: candidates.startIndex, &masks)
      }
    case .blocks: _ = undecided(index, candidates, &masks)
    case .computed(let program, let value):
      var undecided = undecided(index, candidates, &masks)
      if let narrow = condition.narrow {
        undecided = try decideNarrowly(index, narrow, candidates, undecided, &masks)
      }
      try self.test(index, program, value, candidates, undecided, &masks)
    }
  }

  /// Calls `body` with the candidates of each file, those that follow each other at once.
  @inline(__always)
  private mutating func forEachFile(
    _ candidates: ArraySlice<Candidate>,
    _ body: (inout BlockScanner, ArraySlice<Candidate>) throws(StoreError) -> Void
  ) throws(StoreError) {
    var rest = candidates
    while let first = rest.first {
      let group = rest.prefix { $0.fileIndex == first.fileIndex }
      rest = rest.dropFirst(group.count)
      try body(&self, group)
    }
  }

  /// Tests the candidates of one file.
  ///
  /// - Parameter start: the index of the candidate of the first mask.
  @inline(__always)
  private mutating func test<Value: BlockValue>(
    _ index: Int, _ condition: PreparedCondition, _ section: ColumnSection, _ range: ValueRange<Value>,
    _ group: ArraySlice<Candidate>, from start: Int, _ masks: inout [RowMask]
  ) throws(StoreError) {
    let fileIndex = Int(group[group.startIndex].fileIndex)
    let reader = try self.reader(fileIndex, section)
    guard let judged = plan.verdicts[fileIndex] else { return }
    let (firstBlock, verdicts) = (judged.firstBlock, judged.conditions[index])
    for place in group.indices {
      let (candidate, position, later) = (group[place], place - start, place + PrefetchDistance.blocks)
      // Where the next blocks lie has to be fetched too, so only blocks that will be read are.
      if later < group.endIndex, verdicts[Int(group[later].block) - firstBlock] == .some, !masks[later - start].isEmpty
      {
        reader.prefetch(Int(group[later].block))
      }
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
  }

  /// The reader of a section, made when it is first needed.
  mutating func reader(_ fileIndex: Int, _ section: ColumnSection) throws(StoreError) -> SectionReader {
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
    try plan.budget.check()
    readByteCount = 0
    try write(blocks, of: selection, output, start, withDays: true)
    if let program = plan.output { try compute(program, blocks, selection, output, start) }
    var row = start
    for block in blocks {
      let rows = row..<(row + block.rowCount)
      output.setTicker(at: block.candidate.ticker, rows)
      if order == .descending { output.reverse(rows) }
      row = rows.upperBound
    }
    return readByteCount
  }

  /// Writes the days, if they are wanted, and the attributes of the selected rows of some blocks, from row `start` on.
  mutating func write(
    _ blocks: ArraySlice<SelectedBlock>, of selection: Selection, _ output: BatchOutput, _ start: Int, withDays: Bool
  ) throws(StoreError) {
    try selection.withRows { rows throws(StoreError) in
      if withDays { try materializeDays(blocks, rows, output, start) }
      for name in output.attributes {
        // If the column that this one may be derived from is wanted too, its values are already there.
        let source = name.derivationSource.flatMap { output[$0] }
        switch output[name] {
        case .doubles(let column): try materialize(name, blocks, rows, column, source, start)
        case .integers(let column): try materialize(name, blocks, rows, column, source, start)
        case nil: break
        }
      }
    }
  }

  private mutating func materializeDays(
    _ blocks: ArraySlice<SelectedBlock>, _ selection: RowLists, _ output: BatchOutput, _ start: Int
  ) throws(StoreError) {
    var row = start
    let scratch = scratch
    try forEachBlock(blocks, .date, selection) { block, selected, _ throws(Damage) in
      let rows = row..<(row + selected.rowCount)
      try block.writeDays(selection.rows(of: selected), to: output.days, rows: rows, scratch)
      row = rows.upperBound
    }
  }

  @inline(__always)
  private mutating func materialize<Value: BlockValue>(
    _ name: Attribute, _ blocks: ArraySlice<SelectedBlock>, _ selection: RowLists,
    _ column: ColumnMemory<Value>, _ source: ColumnOutput?, _ start: Int
  ) throws(StoreError) {
    var row = start
    let scratch = scratch
    try forEachBlock(blocks, .attribute(name), selection) { block, selected, reader throws(Damage) in
      let rows = row..<(row + selected.rowCount)
      defer { row = rows.upperBound }
      if Value.self == Double.self, reader.holdsIntegers, let column = column as? ColumnMemory<Double> {
        return try block.writeDoubles(selection.rows(of: selected), to: column, rows: rows, scratch)
      }
      try block.write(selection.rows(of: selected), to: column, rows: rows, scratch, source: source)
    }
  }

  /// Calls `body` with a section's part of each of some blocks. The parts lie far apart in memory, so those of the next
  /// blocks are under way while one is read: first the beginnings, then the places of the rows.
  @inline(__always)
  private mutating func forEachBlock(
    _ blocks: ArraySlice<SelectedBlock>, _ section: ColumnSection, _ selection: RowLists,
    _ body: (EncodedBlock, SelectedBlock, SectionReader) throws(Damage) -> Void
  ) throws(StoreError) {
    var rest = blocks
    while let first = rest.first {
      let group = rest.prefix { $0.candidate.fileIndex == first.candidate.fileIndex }
      rest = rest.dropFirst(group.count)
      let reader = try self.reader(Int(first.candidate.fileIndex), section)
      for index in group.indices {
        if index + PrefetchDistance.blocks < group.endIndex {
          reader.prefetch(Int(group[index + PrefetchDistance.blocks].candidate.block))
        }
        if index + PrefetchDistance.rows < group.endIndex,
          let rows = selection.rows(of: group[index + PrefetchDistance.rows])
        {
          reader.prefetch(rows, ofBlock: Int(group[index + PrefetchDistance.rows].candidate.block))
        }
        let block = Int(group[index].candidate.block)
        readByteCount += reader.byteCount(block)
        let encoded = try reader.block(block)
        do throws(Damage) { try body(encoded, group[index], reader) } catch {
          throw reader.error(error, inBlock: block)
        }
      }
    }
  }
}

/// How many blocks ahead of the one that is read the processor is asked to fetch memory.
enum PrefetchDistance {
  /// For a block's header and lists.
  static let blocks = 8
  /// For the places of its selected rows, which the header says.
  static let rows = 4
}
