// A scan, stage by stage:
//
//   plan         predicate -> conditions and how they combine; tickers -> runs of blocks
//   prune        statistics of every condition's column, one pass -> verdict for each block: none, some, all
//   filter       blocks with `some`: their codecs compare encoded values -> mask of rows; most selective condition first
//   materialize  surviving rows of the wanted columns only (late materialization)
//
// Planning and pruning happen at once for all blocks. Filtering and materializing happen as results are asked for, a window
// of blocks at a time.

/// A block that may have matching rows.
struct Candidate: Sendable, BitwiseCopyable {
  /// The place of its ticker in the manifest.
  let ticker: Int32
  let fileIndex: Int32
  var block: Int16
  /// Rows of the block.
  var rowCount: Int16
  /// What the whole predicate says of it: `some` or `all`.
  var verdict: Verdict
}

/// The blocks that a scan has to read, in the order of its results, and the prepared predicate.
final class ScanPlan: Sendable {
  let snapshot: Snapshot
  /// The threads of this scan.
  let crew: Crew
  /// What the question may cost. The scan looks at it before each chunk of blocks.
  let budget: QuestionBudget
  /// What the programs were for rows of long histories.
  let farResults = FarResults()
  let candidates: [Candidate]
  let filter: ScanFilter
  let conditions: [PreparedCondition]
  /// For each condition, the part of the predicate that it is of.
  let parts: [Predicate]
  /// What the columns of the result that are computed are computed by; nil without any.
  let output: Program?
  /// What the programs take from quotes of other tickers.
  let series: [MarketValue: MarketSeries]
  /// By file; nil if no block of the file is wanted.
  let verdicts: [FileVerdicts?]
  private let files: [ColumnFile?]
  let blockCount: Int
  let tickerCount: Int

  /// - Parameter statistics: the sections whose directories are read besides those of the conditions.
  init(
    of query: QuoteQuery, statistics: [ColumnSection], within budget: QuestionBudget
  ) throws(StoreError) {
    let snapshot = query.snapshot
    (self.snapshot, self.budget) = (snapshot, budget)
    crew = Crew(threadCount: query.threadCount)
    let normalized = try NormalizedPredicate(query.predicate, hasFractions: snapshot.hasFractions)
    parts = normalized.parts
    var conditions = normalized.conditions.map { PreparedCondition($0, snapshot) }
    output = query.computed.isEmpty ? nil : try Program(query.computed.map(\.expression))
    var programs = conditions.compactMap(\.program)
    if let output { programs.append(output) }
    if let day = snapshot.asOf, programs.contains(where: \.looksAhead) { throw .looksAhead(asOf: day) }
    series = try Self.marketSeries(of: programs, query)
    let wanted = Self.ordered(snapshot.manifest, query.tickers)
    let runs = query.tickers == nil ? snapshot.manifest.runs : wanted.flatMap(snapshot.manifest.runs(ofTickerAt:))
    let wantedBlocks = Self.wantedBlocks(of: runs, snapshot)
    snapshot.announceDirectories(ofFilesWith: wantedBlocks, of: conditions, statistics)
    let wantedFiles = try Self.files(wantedBlocks, of: snapshot)
    for index in conditions.indices {
      conditions[index] = try conditions[index].judged(wanted, of: snapshot, wantedFiles, series, within: budget)
    }
    self.conditions = conditions
    verdicts = try Self.prune(wantedBlocks, of: snapshot, normalized.filter, conditions, crew)
    files = verdicts.map { $0?.file }
    tickerCount = wanted.count
    blockCount = runs.reduce(0) { $0 + $1.blockCount }
    candidates = JudgedBlocks(verdicts).candidates(of: wanted, in: snapshot.manifest, query.order, atMost: blockCount)
    filter =
      conditions.count > 1 && !candidates.isEmpty
      ? normalized.filter.orderedBySelectivity(conditions, verdicts) : normalized.filter
  }

  /// File `index` of the manifest, of which some block must be wanted.
  @inline(__always)
  func file(_ index: Int) -> ColumnFile {
    guard let file = files[index] else { preconditionFailure("no block of file \(index) is wanted") }
    return file
  }

  /// What the programs take from quotes of other tickers. Values of values of the market are queries inside queries.
  private static func marketSeries(
    of programs: [Program], _ query: QuoteQuery
  ) throws(StoreError) -> [MarketValue: MarketSeries] {
    if programs.allSatisfy(\.marketValues.isEmpty) { return [:] }
    return try SystemThread.deep(levelCount: .max) { () throws(StoreError) in try query.marketSeries(of: programs) }
  }

  /// The places of the wanted tickers in the manifest: all, or the named ones in that order, each once.
  private static func ordered(_ manifest: Manifest, _ tickers: [TickerSymbol]?) -> [Int] {
    guard let tickers else { return Array(manifest.tickers.indices) }
    var seen: Set<TickerSymbol> = []
    return tickers.filter { seen.insert($0).inserted }.compactMap(manifest.index(of:))
  }

  /// For each file, the blocks from the first one of these runs to the last.
  private static func wantedBlocks(of runs: [Run], _ snapshot: Snapshot) -> [Range<Int>?] {
    var wanted: [Range<Int>?] = snapshot.files.map { _ in nil }
    for run in runs {
      let range = wanted[run.fileIndex] ?? run.blocks
      wanted[run.fileIndex] =
        min(range.lowerBound, run.blocks.lowerBound)..<max(range.upperBound, run.blocks.upperBound)
    }
    return wanted
  }

  /// The files of which some block is wanted.
  private static func files(_ wanted: [Range<Int>?], of snapshot: Snapshot) throws(StoreError) -> [ColumnFile?] {
    var files: [ColumnFile?] = []
    for (index, blocks) in wanted.enumerated() { files.append(blocks == nil ? nil : try snapshot.file(index)) }
    return files
  }

  /// Judges the wanted blocks of each file by the statistics. All blocks from the first wanted one of a file to its last are
  /// judged together, so the market takes a few passes over long arrays.
  private static func prune(
    _ wanted: [Range<Int>?], of snapshot: Snapshot, _ filter: ScanFilter, _ conditions: [PreparedCondition],
    _ crew: Crew
  ) throws(StoreError) -> [FileVerdicts?] {
    let verdictCount = conditions.count * wanted.reduce(0) { $0 + ($1?.count ?? 0) }
    let crew = verdictCount >= ScanChunks.verdictsWorthThreads ? crew : .alone
    let chunks = ScanChunks.ranges(ofFiles: wanted, crew)
    let judged = try crew.map(chunks.count, worker: ()) { _, index throws(StoreError) in
      try FileVerdicts(
        filter, conditions, chunks[index].blocks, of: snapshot.file(chunks[index].file), at: chunks[index].file)
    }
    var files = [FileVerdicts?](repeating: nil, count: wanted.count)
    for ((file, _), verdicts) in zip(chunks, judged) {
      if files[file]?.append(verdicts) == nil { files[file] = verdicts }
    }
    return files
  }
}

/// The blocks of all files that have a verdict, one file after the other: a market has thousands of runs, and to look into arrays of each
/// file for each of them took longer than to judge the blocks.
private struct JudgedBlocks {
  private let verdicts: [Verdict]
  private let rowCounts: [Int16]
  /// By file, where block 0 would be; nil if no block of the file is wanted.
  private let starts: [Int?]

  init(_ files: [FileVerdicts?]) {
    var (verdicts, starts): ([Verdict], [Int?]) = ([], [])
    for file in files {
      starts.append(file.map { verdicts.count - $0.firstBlock })
      if let file { verdicts += file.combined }
    }
    (self.verdicts, self.starts) = (verdicts, starts)
    rowCounts = Array(capacity: verdicts.count) { rowCounts in
      for case let file? in files {
        for rowCount in file.file.rowCounts[file.firstBlock...].prefix(file.combined.count) {
          // At most 1,024.
          rowCounts.append(Int16(truncatingIfNeeded: rowCount))
        }
      }
    }
  }

  /// The blocks of some tickers that statistics don't rule out, in the order of the results.
  ///
  /// - Parameter blockCount: the blocks of these tickers.
  func candidates(
    of tickers: [Int], in manifest: Manifest, _ order: DateOrder, atMost blockCount: Int
  ) -> [Candidate] {
    let (runs, verdicts, rowCounts) = (manifest.runs.span, verdicts.span, rowCounts.span)
    return Array(capacity: blockCount) { candidates in
      for ticker in tickers {
        let record = manifest.tickers[ticker]
        for place in 0..<record.runCount {
          let run = runs[record.firstRun + (order == .ascending ? place : record.runCount - 1 - place)]
          guard let start = starts[run.fileIndex] else { continue }
          var candidate = Candidate(
            ticker: Int32(ticker), fileIndex: Int32(run.fileIndex), block: 0, rowCount: 0, verdict: .none)
          for step in 0..<run.blockCount {
            let block = order == .ascending ? run.firstBlock + step : run.firstBlock + run.blockCount - 1 - step
            candidate.verdict = verdicts[start + block]
            guard candidate.verdict != .none else { continue }
            candidate.block = Int16(truncatingIfNeeded: block)
            candidate.rowCount = rowCounts[start + block]
            candidates.append(candidate)
          }
        }
      }
    }
  }
}

extension ScanFilter {
  /// Puts the most decisive part first: in each `all` the one that lets the fewest blocks pass, in each `any` the one that
  /// lets the most pass. The other parts needn't look at the rows that it decides. What has to be computed comes last.
  fileprivate func orderedBySelectivity(_ conditions: [PreparedCondition], _ verdicts: [FileVerdicts?]) -> ScanFilter {
    ordered(
      by: conditions.indices.map { index in
        if case .computed = conditions[index].range { return nil }
        return verdicts.reduce(0) { $0 + ($1?.weights[index] ?? 0) }
      })
  }

  /// The same filter, with the parts of each `all` in rising order of weight, and those of each `any` in falling order.
  fileprivate func ordered(by weights: [Int?]) -> ScanFilter {
    switch self {
    case .leaf: self
    case .all(let parts):
      .all(parts.map { $0.ordered(by: weights) }.sorted { $0.weight(weights, .max) < $1.weight(weights, .max) })
    case .any(let parts):
      .any(parts.map { $0.ordered(by: weights) }.sorted { $0.weight(weights, -1) > $1.weight(weights, -1) })
    }
  }

  /// - Parameter last: the weight of what comes last.
  private func weight(_ weights: [Int?], _ last: Int) -> Int {
    switch self {
    case .leaf(let index): weights[index] ?? last
    case .all(let parts): parts.map { $0.weight(weights, last) }.min() ?? .max
    case .any(let parts): parts.map { $0.weight(weights, last) }.max() ?? 0
    }
  }
}

/// A condition, with everything that can be prepared once for all blocks. It is an object, because each scan looks at each a dozen times,
/// and a program is many words to copy.
final class PreparedCondition: Sendable {
  let condition: Condition
  let range: Range
  /// Whether the rows outside the range are wanted. Missing cells are outside the range of all values.
  let isInverted: Bool
  /// The range of a condition on float64s in files that have int64s in their place.
  let wholeRange: ValueRange<Int64>?
  /// What is computed, if that is a comparison that can be decided in float32.
  let narrow: NarrowCondition?
  /// The verdicts on all blocks of each file, if they don't come from one column's statistics.
  private let verdicts: [[Verdict]]?

  enum Range {
    case double(ColumnSection, ValueRange<Double>)
    case integer(ColumnSection, ValueRange<Int64>)
    /// The values for which a program has to be evaluated.
    case computed(Program, Double)
    /// For each file, the blocks of the tickers that match.
    case blocks([[Swift.Range<Int>]])
  }

  init(_ condition: Condition, _ snapshot: Snapshot) {
    let manifest = snapshot.manifest
    self.condition = condition
    verdicts = nil
    narrow =
      if case .computed(let program, let value) = condition {
        NarrowTest(program, value).map(NarrowCondition.init)
      } else {
        nil
      }
    switch condition {
    case .double(let name, let range): (self.range, isInverted) = (.double(.attribute(name), ValueRange(range)), false)
    case .integer(let section, let range): (self.range, isInverted) = (.integer(section, ValueRange(range)), false)
    case .ticker(let pattern, let matches):
      var blocks: [[Swift.Range<Int>]] = manifest.files.map { _ in [] }
      for (index, ticker) in manifest.tickers.enumerated() where pattern.matches(ticker.symbol) == matches {
        for run in manifest.runs(ofTickerAt: index) { blocks[run.fileIndex].append(run.blocks) }
      }
      (range, isInverted) = (.blocks(blocks), false)
    case .computed(let program, let value):
      (range, isInverted) = (.computed(program, value), false)
    case .isMissing(let name):
      isInverted = true
      range =
        switch name.key {
        case .double: .double(.attribute(name), ValueRange(Double.allValues))
        case .integer where snapshot.hasFractions: .double(.attribute(name), ValueRange(Double.allValues))
        case .integer: .integer(.attribute(name), ValueRange(Int64.allValues))
        }
    }
    wholeRange =
      if case .double(.volume, let range) = range {
        ValueRange((range.lowerBound...range.upperBound).wholeNumbers ?? Int64.allValues)
      } else {
        nil
      }
  }

  private init(_ other: PreparedCondition, _ verdicts: [[Verdict]]) {
    (condition, range, isInverted) = (other.condition, other.range, other.isInverted)
    (wholeRange, narrow, self.verdicts) = (other.wholeRange, other.narrow, verdicts)
  }
}

extension ClosedRange<Double> {
  /// The int64s in the range; nil if there are none.
  var wholeNumbers: ClosedRange<Int64>? {
    let (first, last) = (lowerBound.rounded(.up), upperBound.rounded(.down))
    guard first <= last, first < 0x1p63, last > -0x1p63 else { return nil }
    let all = Int64.allValues
    return (Int64(exactly: first) ?? all.lowerBound).clamped(all)...(Int64(exactly: last) ?? all.upperBound)
  }
}

extension Int64 {
  fileprivate func clamped(_ range: ClosedRange<Int64>) -> Int64 { Swift.max(self, range.lowerBound) }
}

extension PreparedCondition {
  /// What has to be evaluated; nil if the condition is on stored values.
  var program: Program? {
    if case .computed(let program, _) = range { program } else { nil }
  }

  /// The same with the verdicts on what is computed, for blocks of some tickers.
  fileprivate func judged(
    _ tickers: [Int], of snapshot: Snapshot, _ files: [ColumnFile?], _ series: [MarketValue: MarketSeries],
    within budget: QuestionBudget
  ) throws(StoreError) -> PreparedCondition {
    guard case .computed(let program, let value) = range else { return self }
    if let test = narrow?.test, test.span == nil, let linear = test.linear {
      return PreparedCondition(self, try linear.verdicts(test, tickers, of: snapshot, files))
    }
    return PreparedCondition(
      self, try program.verdicts(on: value, tickers, of: snapshot, files, series, within: budget))
  }

  /// The verdicts on the blocks `range` of a file, if these don't come from one column's statistics; nil if they do.
  func ownVerdicts(_ range: Swift.Range<Int>, ofFileAt index: Int) -> [Verdict]? {
    if let verdicts { return Array(verdicts[index][range]) }
    guard case .blocks(let files) = self.range else { return nil }
    var verdicts = [Verdict](repeating: .none, count: range.count)
    for blocks in files[index] {
      for block in blocks.clamped(to: range) { verdicts[block - range.lowerBound] = .all }
    }
    return verdicts
  }
}
