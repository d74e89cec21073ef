import Synchronization

// Conditions that are decided in float32, block by block, and settled in float64 where that leaves rows in doubt.

extension BlockScanner {
  /// Clears the bits of rows of some candidates in which a narrow test doesn't hold.
  ///
  /// - Returns: those of `undecided` whose blocks have no such form, or too many rows in doubt; their masks are as they were.
  mutating func decideNarrowly(
    _ number: Int, _ condition: NarrowCondition, _ candidates: ArraySlice<Candidate>, _ undecided: [Int],
    _ masks: inout [RowMask]
  ) throws(StoreError) -> [Int] {
    guard let span = condition.test.span else {
      return try compareNarrowly(number, condition, candidates, undecided, &masks)
    }
    // All rows in which the comparison holds.
    var held = candidates.map { RowMask(first: Int($0.rowCount)) }
    let unknown = Set(try compareNarrowly(number, condition, candidates, undecided, &held))
    let first = candidates.startIndex
    var (rest, unspanned): ([Int], WideBlocks) = ([], WideBlocks())
    for group in undecided.chunked({ candidates[$0].ticker == candidates[$1].ticker }) {
      let ticker = NarrowTicker(plan, candidates[group[group.startIndex]].ticker, history: span.rows)
      var last: Int?
      for place in group {
        let before = ticker.blocks(before: candidates[place]).0.last
        // What holds in the rows before is known only if their block was the one before here.
        let carried: UInt64? =
          if let before {
            last.flatMap { last in
              candidates[last].isBlock(of: before) && before.rowCount >= span.rows
                ? held[last - first].last(of: Int(before.rowCount)) : nil
            }
          } else {
            0
          }
        last = unknown.contains(place) ? nil : place
        guard last != nil, let carried else {
          rest.append(place)
          if last != nil { unspanned.append(place, .rowsBefore) }
          continue
        }
        var rows = held[place - first].spanned(span.rows, areAll: span.isEvery, before: carried)
        if before == nil { rows.subtract(RowMask(first: min(span.rows - 1, Int(candidates[place].rowCount)))) }
        masks[place - first].formIntersection(rows)
      }
    }
    // Those that were compared for nothing.
    condition.add(blockCount: -unspanned.places.count, settledRowCount: 0, wide: unspanned)
    return rest
  }

  /// Clears the bits of rows of some candidates in which the comparison of a narrow test doesn't hold.
  ///
  /// - Returns: as above.
  private mutating func compareNarrowly(
    _ number: Int, _ condition: NarrowCondition, _ candidates: ArraySlice<Candidate>, _ undecided: [Int],
    _ masks: inout [RowMask]
  ) throws(StoreError) -> [Int] {
    let test = condition.test
    var (undecided, sumSettledCount) = (undecided, 0)
    let count = undecided.count
    if let linear = test.linear {
      let (wide, settledCount) = try decideLinearly(number, test, linear, candidates, undecided, &masks)
      (undecided, sumSettledCount) = (wide.places, settledCount)
      if test.hasWindows {
        condition.add(blockCount: count - undecided.count, settledRowCount: settledCount, wide: wide)
        return undecided
      }
    }
    // Taken out while it changes.
    var run = narrowRuns.removeValue(forKey: number) ?? NarrowRun(test)
    defer { narrowRuns[number] = run }
    run.settledCount = 0
    let first = candidates.startIndex
    var wide = WideBlocks()
    for group in undecided.chunked({ candidates[$0].ticker == candidates[$1].ticker }) {
      let ticker = NarrowTicker(plan, candidates[group[group.startIndex]].ticker, history: test.history)
      ticker.announce(group.map { candidates[$0] }, test, plan)
      for (index, place) in zip(group.indices, group) {
        let candidate = candidates[place]
        if index + PrefetchDistance.blocks < undecided.endIndex {
          try prefetch(test, candidates[undecided[index + PrefetchDistance.blocks]])
        }
        switch try decided(&run, candidate, ticker, among: masks[place - first]) {
        case .held(let rows): masks[place - first].formIntersection(rows)
        case .wide(let reason): wide.append(place, reason)
        }
      }
    }
    condition.add(
      blockCount: count - wide.places.count, settledRowCount: sumSettledCount + run.settledCount, wide: wide)
    return wide.places
  }

  private mutating func prefetch(_ test: NarrowTest, _ candidate: Candidate) throws(StoreError) {
    for index in test.attributes.indices {
      try reader(Int(candidate.fileIndex), .attribute(test.attributes[index].name)).prefetch(Int(candidate.block))
    }
  }

  /// The rows of a block in which a narrow test holds.
  private mutating func decided(
    _ run: inout NarrowRun, _ candidate: Candidate, _ ticker: NarrowTicker, among wanted: RowMask
  ) throws(StoreError) -> NarrowOutcome {
    let count = Int(candidate.rowCount)
    let (before, start) = ticker.blocks(before: candidate)
    let exist = RowMask(first: count)
    var rows = NarrowRest()
    // Rows with too few others before them have no value.
    if start < run.test.history { rows.addMissing(below: min(count, run.test.history - start)) }
    run.begin()
    for index in run.memory.columns.indices {
      guard
        let integers = try read(
          run.test.attributes[index], of: candidate, before, start, run.memory.columns[index], &rows)
      else { return .wide(.values) }
      run.append(integers)
    }
    guard var (held, inDoubt) = run.decided(exist, rounded: rows.hasRounded ? rows.rounded : nil, count: count) else {
      return .wide(.error)
    }
    if rows.hasOthers {
      inDoubt.formUnion(rows.inDoubt)
      inDoubt.subtract(rows.missing)
      held.subtract(rows.missing)
    }
    if inDoubt.isEmpty { return .held(held) }
    inDoubt.formIntersection(wanted)
    let doubtCount = inDoubt.count
    if doubtCount == 0 { return .held(held) }
    if doubtCount > count / 4 { return .wide(.doubt) }
    held.subtract(inDoubt)
    run.settledCount += doubtCount
    held.formUnion(try settled(run.test, candidate, before, inDoubt, doubtCount))
    return .held(held)
  }

  /// Reads an attribute's rows of a block, and as many of those before it as the test takes.
  ///
  /// - Returns: nil if they are no integers over one power of ten.
  private mutating func read(
    _ attribute: (name: Attribute, history: Int), of candidate: Candidate, _ before: ArraySlice<Candidate>,
    _ start: Int,
    _ memory: ColumnMemory<Float>, _ rows: inout NarrowRest
  ) throws(StoreError) -> NarrowIntegers? {
    guard var integers = try read(attribute, of: candidate, from: 0, memory, at: 0, &rows) else { return nil }
    // From the nearest block backwards.
    var (rest, end) = (min(attribute.history, start), 0)
    for block in before.reversed() {
      if rest == 0 { break }
      let count = min(rest, Int(block.rowCount))
      (rest, end) = (rest - count, end - count)
      guard
        let read = try read(attribute, of: block, from: Int(block.rowCount) - count, memory, at: end, &rows),
        integers.formUnion(read)
      else { return nil }
    }
    return integers
  }

  /// Reads the rows of a block from `first` on to where those begin that are `place` rows after the first of the block that is decided.
  private mutating func read(
    _ attribute: (name: Attribute, history: Int), of candidate: Candidate, from first: Int,
    _ memory: ColumnMemory<Float>,
    at place: Int, _ rows: inout NarrowRest
  ) throws(StoreError) -> NarrowIntegers? {
    let reader = try self.reader(Int(candidate.fileIndex), .attribute(attribute.name))
    let block = Int(candidate.block)
    readByteCount += reader.byteCount(block)
    let encoded = try reader.block(block)
    narrowPatches.removeAll(keepingCapacity: true)
    do throws(Damage) {
      let integers = try encoded.writeIntegers(
        from: first, to: memory, at: NarrowTest.historyMax + place, areIntegers: reader.holdsIntegers, scratch,
        &narrowPatches)
      for (row, patch) in narrowPatches { rows.insert(row - first + place, reach: attribute.history, patch) }
      return integers
    } catch { throw reader.error(error, inBlock: block) }
  }

  /// The rows, of some in doubt, in which a narrow test without windows holds in float64.
  private mutating func settled(
    _ test: NarrowTest, _ candidate: Candidate, _ before: ArraySlice<Candidate>, _ rows: RowMask, _ count: Int
  ) throws(StoreError) -> RowMask {
    var columns: [Int: BatchOutput] = [:]
    for shift in test.shifts {
      var selection = Selection()
      var rest = rows
      // From the block itself backwards, and then in order.
      var masks = [(block: candidate, mask: rest.taking(from: shift))]
      var end = 0
      for block in before.reversed() where !rest.isEmpty {
        let begin = end - Int(block.rowCount)
        masks.append((block, rest.taking(from: shift + begin)))
        end = begin
      }
      for (block, mask) in masks.reversed() { selection.append(mask, of: block, blockRowCount: Int(block.rowCount)) }
      let output = BatchOutput(
        rowCount: count, attributes: AttributeSet(test.attributes.map(\.name)), symbols: [],
        hasFractions: plan.snapshot.hasFractions)
      try write(selection.blocks[...], of: selection, output, 0, withDays: false)
      columns[shift] = output
    }
    let settled = test.settled(count: count) { node in
      guard case .attribute(let attribute, let shift) = node, let output = columns[shift] else {
        preconditionFailure("\(node) isn't read")
      }
      return output.doubles(test.attributes[attribute].name)
    }
    return settled.mask(from: 0, count: count).scattered(to: rows)
  }
}

extension RowMask {
  /// Removes the rows from `shift` on, and gives them as rows that are `shift` less.
  fileprivate mutating func taking(from shift: Int) -> RowMask {
    var taken = RowMask.none
    var left = RowMask.none
    forEachRow { row in
      if row >= shift { taken[row - shift] = true } else { left[row] = true }
    }
    self = left
    return taken
  }
}

/// The rows of a block that depend on a cell that isn't an integer.
private struct NarrowRest {
  /// On a missing one, so that they have no value.
  private(set) var missing = RowMask.none
  /// On one that is rounded.
  private(set) var rounded = RowMask.none
  private(set) var inDoubt = RowMask.none
  private(set) var hasRounded = false
  /// Whether there are rows that are missing or in doubt.
  private(set) var hasOthers = false

  /// Adds the first rows of a ticker, which have too few others before them.
  mutating func addMissing(below count: Int) {
    hasOthers = true
    for row in 0..<count { missing[row] = true }
  }

  /// Adds the rows that may depend on a cell: its own, and so many after it.
  mutating func insert(_ row: Int, reach: Int, _ patch: NarrowPatch) {
    let (first, end) = (max(0, row), min(Limits.rowsPerBlock, row + reach + 1))
    if first >= end { return }
    switch patch {
    case .missing where reach == 0:
      hasOthers = true
      missing[row] = true
    case .rounded:
      hasRounded = true
      for row in first..<end { rounded[row] = true }
    case .missing, .other:
      // A row that depends on one of several cells may still have a value.
      hasOthers = true
      for row in first..<end { inDoubt[row] = true }
    }
  }
}

/// A condition that is decided narrowly, and what all threads decided of it so.
final class NarrowCondition: Sendable {
  let test: NarrowTest
  private let blocks = Atomic(0)
  private let settledRows = Atomic(0)
  private let wide = Mutex<[WideReason: Int]>([:])

  init(_ test: NarrowTest) { self.test = test }

  /// - Parameter wide: the blocks that are left to float64.
  func add(blockCount: Int, settledRowCount: Int, wide: WideBlocks) {
    blocks.add(blockCount, ordering: .relaxed)
    settledRows.add(settledRowCount, ordering: .relaxed)
    if !wide.places.isEmpty { self.wide.withLock { $0.merge(wide.counts, uniquingKeysWith: +) } }
  }

  var blockCount: Int { blocks.load(ordering: .relaxed) }
  var settledRowCount: Int { settledRows.load(ordering: .relaxed) }
  /// How many blocks are left to float64, by reason.
  var wideBlockCounts: [WideReason: Int] { wide.withLock { $0 } }
}

/// The blocks of one ticker, for tests that look back.
struct NarrowTicker {
  private let blocks: TickerBlocks?

  init(_ plan: ScanPlan, _ ticker: Int32, history: Int) {
    blocks = history > 0 ? TickerBlocks(plan.snapshot.manifest, ticker, plan.file) : nil
  }

  /// Announces the blocks before some that are read too.
  func announce(_ wanted: [Candidate], _ test: NarrowTest, _ plan: ScanPlan) {
    guard let blocks else { return }
    let places = wanted.map(blocks.index(of:)).sorted()
    guard let first = places.first, let last = places.last else { return }
    let read = blocks.blocks(around: first..<(last + 1), Reach().shifted(by: test.history))
    plan.announce(blocks[read], test.attributes.map { .attribute($0.name) })
  }

  /// The blocks before one, and the number of their rows; none, if nothing looks back.
  func blocks(before candidate: Candidate) -> (ArraySlice<Candidate>, Int) {
    guard let blocks else { return ([], 0) }
    let index = blocks.index(of: candidate)
    return (blocks[0..<index], blocks.rows(ofBlock: index).lowerBound)
  }
}
