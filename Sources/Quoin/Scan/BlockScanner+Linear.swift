// Conditions that compare one sum of columns, decided on the offsets of two and more blocks at once.

extension BlockScanner {
  /// Clears the bits of rows of some candidates in which a linear test doesn't hold.
  ///
  /// - Returns: those of `undecided` whose blocks can't be added up, or have too many rows in doubt, with their masks as they were; and
  ///   the number of rows that were settled in float64.
  mutating func decideLinearly(
    _ number: Int, _ test: NarrowTest, _ linear: LinearTest, _ candidates: ArraySlice<Candidate>, _ undecided: [Int],
    _ masks: inout [RowMask]
  ) throws(StoreError) -> (wide: WideBlocks, settledCount: Int) {
    let (sum, divisor) = linearSums[number] ?? (LinearSum(linear.sum), linear.divisor.map(LinearSum.init))
    linearSums[number] = (sum, divisor)
    let (first, signs) = (candidates.startIndex, linear.signs)
    // The sum has all columns of the divisor.
    let divisorPlaces =
      linear.divisor.map { divisor in
        divisor.weights.indices.map { linear.sum.place(divisor.attributes[$0], shift: divisor.weights[$0].shift) }
      } ?? []
    var (wide, settledCount) = (WideBlocks(), 0)
    var earlier = EarlierBlocks(plan, test)
    for group in undecided.chunked({ candidates[$0].fileIndex == candidates[$1].fileIndex }) {
      let file = Int(candidates[group[group.startIndex]].fileIndex)
      var readers: [SectionReader] = []
      for attribute in test.attributes { readers.append(try reader(file, .attribute(attribute.name))) }
      for start in stride(from: group.startIndex, to: group.endIndex, by: LinearSum.blockCount) {
        let part = group[start..<min(start + LinearSum.blockCount, group.endIndex)]
        let before = part.map { earlier.block(before: candidates[$0], sum.shiftMax) }
        var isSet = before.map { $0 != nil }
        // One column after another, so that what is looked up for one block serves the next.
        for (index, attribute) in linear.sum.attributes.enumerated() {
          try set(sum, index, readers[attribute], candidates, group[start...], before, &isSet)
        }
        var doubtful: [DoubtfulRows] = []
        for (index, place) in part.enumerated() {
          let count = Int(candidates[place].rowCount)
          guard isSet[index] else {
            wide.append(place, before[index] == nil ? .rowsBefore : .values)
            continue
          }
          guard var hasDoubt = sum.decide(index, count: count, signs) else {
            wide.append(place, .error)
            continue
          }
          var (held, inDoubt) = (sum.held, sum.inDoubt)
          if let divisor {
            for (term, source) in divisorPlaces.enumerated() { divisor.set(index, term, as: sum, source) }
            guard let (positive, without) = divisor.positiveRows(index, count: count) else {
              wide.append(place, .error)
              continue
            }
            // What is divided by 0 has no value.
            var others = RowMask(first: count)
            others.subtract(positive)
            held.subtract(others)
            inDoubt.formUnion(others)
            inDoubt.subtract(without)
            hasDoubt = !inDoubt.isEmpty
          }
          guard hasDoubt else {
            masks[place - first].formIntersection(held)
            continue
          }
          inDoubt.formIntersection(masks[place - first])
          let doubtCount = inDoubt.count
          // A window's value takes a step for each of its rows.
          if doubtCount > count / 4 || test.hasWindows && doubtCount * sum.shiftMax > Self.stepsOfWindowsMax {
            wide.append(place, .doubt)
            continue
          }
          // What holds in rows in doubt is decided below.
          if doubtCount > 0 {
            doubtful.append(DoubtfulRows(block: index, place: place, rows: inDoubt, count: doubtCount))
            held.formUnion(inDoubt)
          }
          masks[place - first].formIntersection(held)
        }
        if doubtful.isEmpty { continue }
        let settled = linear.settled(test, sum, doubtful)
        var next = 0
        for part in doubtful {
          let holds = settled.mask(from: next, count: part.count).scattered(to: part.rows)
          masks[part.place - first].subtract(RowMask(words: part.rows.words & ~holds.words))
          next += part.count
        }
        settledCount += next
      }
    }
    return (wide, settledCount)
  }

  /// To evaluate a block in float64 takes about as long as so many steps of a window's rows in doubt.
  private static let stepsOfWindowsMax = 2000

  /// Sets a term of a sum to that of some blocks, and what is before them.
  ///
  /// - Parameters:
  ///   - group: where the blocks are, and then those that come next.
  ///   - before: what is before each block.
  ///   - isSet: whether all terms of a block could be set so far.
  private mutating func set(
    _ sum: LinearSum, _ index: Int, _ reader: SectionReader, _ candidates: ArraySlice<Candidate>,
    _ group: ArraySlice<Int>,
    _ before: [EarlierBlocks.Nearest?], _ isSet: inout [Bool]
  ) throws(StoreError) {
    let reach = sum.weights[index].reach
    for place in before.indices {
      let later = group.startIndex + place + PrefetchDistance.blocks
      if later < group.endIndex { reader.prefetch(Int(candidates[group[later]].block)) }
      if !isSet[place] { continue }
      var hasBefore = false
      if reach > 0, case .block(let candidate) = before[place] {
        hasBefore = try setBefore(
          sum, place, index, candidate, reader.section,
          isNext: place > 0 && isSet[place - 1]
            && candidates[group[group.startIndex + place - 1]].isBlock(of: candidate))
        if !hasBefore {
          isSet[place] = false
          continue
        }
      }
      let block = Int(candidates[group[group.startIndex + place]].block)
      readByteCount += reader.byteCount(block)
      let encoded = try reader.block(block, in: sum.copies(place, index))
      do throws(Damage) {
        isSet[place] = try sum.set(
          place, index, encoded, areIntegers: reader.holdsIntegers, hasBefore: hasBefore, scratch)
      } catch { throw reader.error(error, inBlock: block) }
    }
  }

  /// Sets what a term has before the block at a place.
  ///
  /// - Parameters:
  ///   - candidate: the block before.
  ///   - isNext: whether that is the block at the place before.
  /// - Returns: whether it could be set.
  private mutating func setBefore(
    _ sum: LinearSum, _ place: Int, _ index: Int, _ candidate: Candidate, _ section: ColumnSection, isNext: Bool
  ) throws(StoreError) -> Bool {
    if isNext { return sum.setBefore(place, index) }
    let reader = try self.reader(Int(candidate.fileIndex), section)
    let block = Int(candidate.block)
    readByteCount += reader.byteCount(block)
    let encoded = try reader.block(block, in: sum.copies(place, index, ofBefore: true))
    do throws(Damage) {
      return try sum.setBefore(place, index, encoded, areIntegers: reader.holdsIntegers, scratch)
    } catch { throw reader.error(error, inBlock: block) }
  }
}

extension Candidate {
  /// Whether both are the same block.
  func isBlock(of other: Candidate) -> Bool { fileIndex == other.fileIndex && block == other.block }
}

/// The blocks before others, of one ticker after another.
private struct EarlierBlocks {
  private let plan: ScanPlan
  private let test: NarrowTest
  private var last: (ticker: Int32, blocks: TickerBlocks)?
  private var announced: (file: Int32, block: Int16)?

  /// The rows before a block's first one.
  enum Nearest {
    case none
    /// Those of a block that has as many as are wanted.
    case block(Candidate)
  }

  init(_ plan: ScanPlan, _ test: NarrowTest) { (self.plan, self.test) = (plan, test) }

  /// The block that has the last `count` rows before a block; nil if it has only some of them.
  mutating func block(before candidate: Candidate, _ count: Int) -> Nearest? {
    if count == 0 { return Nearest.none }
    let runs = plan.snapshot.manifest.runs(ofTickerAt: Int(candidate.ticker))
    var nearest = candidate
    if runs.count == 1, let run = runs.first {
      // Most tickers are in one file, whose blocks follow each other.
      if Int(candidate.block) == run.firstBlock { return Nearest.none }
      nearest = Candidate(
        ticker: candidate.ticker, fileIndex: candidate.fileIndex, block: candidate.block - 1,
        rowCount: Int16(plan.file(Int(candidate.fileIndex)).rowCount(Int(candidate.block) - 1)), verdict: .all)
    } else {
      guard let block = all(before: candidate).last else { return Nearest.none }
      nearest = block
    }
    if announced?.file != nearest.fileIndex || announced?.block != nearest.block {
      plan.announce([nearest], test.attributes.map { .attribute($0.name) })
    }
    announced = (candidate.fileIndex, candidate.block)
    return nearest.rowCount < count ? nil : .block(nearest)
  }

  /// All blocks before a block.
  mutating func all(before candidate: Candidate) -> ArraySlice<Candidate> {
    if test.history == 0 { return [] }
    let blocks: TickerBlocks
    if let last, last.ticker == candidate.ticker {
      blocks = last.blocks
    } else {
      blocks = TickerBlocks(plan.snapshot.manifest, candidate.ticker, plan.file)
      last = (candidate.ticker, blocks)
    }
    return blocks[0..<blocks.index(of: candidate)]
  }
}

/// Rows of a block in doubt: which block that is of those that were set, and of the candidates.
private struct DoubtfulRows {
  let block: Int
  let place: Int
  let rows: RowMask
  let count: Int
}

extension LinearTest {
  /// The test of the rows of some blocks that were decided, one block after another: in float64, as the language defines it.
  fileprivate func settled(_ test: NarrowTest, _ linear: LinearSum, _ doubtful: [DoubtfulRows]) -> RowTest {
    let count = doubtful.reduce(0) { $0 + $1.count }
    return test.settled(count: count) { node in
      let values = ColumnMemory<Double>(capacity: count, count: count)
      var next = 0
      for part in doubtful {
        switch node {
        case .attribute(let attribute, let shift):
          linear.writeValues(
            of: sum.place(attribute, shift: shift), in: part.rows, ofBlockAt: part.block, to: values, from: next)
        case .window(let window):
          let index = sum.place(window)
          var row = next
          part.rows.forEachRow {
            values[row] = linear.value(ofWindow: index, isMean: window.isMean, in: $0, ofBlockAt: part.block)
            row += 1
          }
        default: preconditionFailure("\(node) isn't stored")
        }
        next += part.count
      }
      return values
    }
  }
}

extension RowMask {
  /// The rows that survive, of some: the first bit is that of the first one.
  func scattered(to rows: RowMask) -> RowMask {
    var scattered = RowMask.none
    var index = 0
    rows.forEachRow { row in
      if self[index] { scattered[row] = true }
      index += 1
    }
    return scattered
  }
}

extension LinearSum {
  fileprivate convenience init(_ terms: LinearTerms) {
    self.init(
      terms.weights, constant: terms.constant, size: terms.constantSize, isDifference: terms.isDifference)
  }

  /// The rows of the block at a place, whose terms were all set, in which the sum is above 0, and those in which it is 0 or missing; nil if
  /// its error can't be bounded. There may be others.
  fileprivate func positiveRows(_ place: Int, count: Int) -> (positive: RowMask, without: RowMask)? {
    decide(place, count: count, .above) == nil ? nil : (held, zero.union(missing))
  }
}
