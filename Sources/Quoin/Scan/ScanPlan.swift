// A scan, stage by stage:
//
//   plan         predicate -> conditions and how they combine; tickers -> runs of blocks
//   prune        statistics of every condition's column, one pass -> verdict for each block: none, some, all
//   filter       blocks with `some`: range kernels on encoded values -> mask of rows; cheapest and most selective first
//   materialize  surviving rows of the wanted columns only
//
// Planning and pruning happen at once, for all blocks; filtering and materializing block by block, as results are asked
// for.

/// In which order a ticker's rows come.
public enum DateOrder: String, Hashable, Sendable, CaseIterable {
  case ascending
  case descending
}

/// A block that may have matching rows.
struct Candidate: Sendable {
  let ticker: TickerSymbol
  let fileIndex: Int
  let block: Int
  /// What the whole predicate says of it: `some` or `all`.
  let verdict: Verdict
}

/// The blocks that a scan has to look at, in the order of its results, and the prepared predicate.
struct ScanPlan: Sendable {
  let files: [ColumnFile]
  private(set) var candidates: [Candidate] = []
  private(set) var filter: ScanFilter
  let conditions: [PreparedCondition]
  /// The verdicts on each file's blocks by condition; empty where no block of the file is wanted.
  private var verdicts: [[[Verdict]]]
  /// The verdicts of the whole predicate on each file's blocks.
  private var combined: [[Verdict]]
  private(set) var blockCount = 0
  private(set) var tickerCount = 0

  init(
    _ snapshot: Snapshot, _ tickers: [TickerSymbol]?, _ predicate: Predicate, _ order: DateOrder
  ) throws(StoreError) {
    files = snapshot.files
    let normalized = NormalizedPredicate(predicate)
    filter = normalized.filter
    conditions = normalized.conditions.map(PreparedCondition.init)
    verdicts = files.map { _ in [] }
    combined = files.map { _ in [] }
    let tickers = Self.ordered(snapshot.manifest, tickers)
    tickerCount = tickers.count
    try prune(tickers.flatMap { snapshot.manifest.runs(ofTickerAt: $0) })
    for index in tickers {
      let runs = snapshot.manifest.runs(ofTickerAt: index)
      let symbol = snapshot.manifest.tickers[index].symbol
      switch order {
      case .ascending: for run in runs { for block in run.blocks { consider(block, run, symbol) } }
      case .descending:
        for run in runs.reversed() { for block in run.blocks.reversed() { consider(block, run, symbol) } }
      }
    }
    orderBySelectivity()
  }

  /// The verdict of condition `index` on a block.
  func verdict(_ index: Int, fileIndex: Int, block: Int) -> Verdict { verdicts[fileIndex][index][block] }

  func rowCount(of candidate: Candidate) -> Int { files[candidate.fileIndex].rowCount(candidate.block) }

  /// The places of the wanted tickers in the manifest: those named, once each and in that order, or all.
  private static func ordered(_ manifest: Manifest, _ tickers: [TickerSymbol]?) -> [Int] {
    guard let tickers else { return Array(manifest.tickers.indices) }
    var seen: Set<TickerSymbol> = []
    return tickers.filter { seen.insert($0).inserted }.compactMap(manifest.index(of:))
  }

  /// Judges the blocks of these runs by the statistics. Neighbouring runs are judged together, so that the market is a
  /// few passes over long arrays.
  private mutating func prune(_ runs: [Run]) throws(StoreError) {
    var wanted: [Range<Int>?] = files.map { _ in nil }
    for run in runs {
      let range = wanted[run.fileIndex] ?? run.blocks
      wanted[run.fileIndex] =
        min(range.lowerBound, run.blocks.lowerBound)..<max(range.upperBound, run.blocks.upperBound)
    }
    for (fileIndex, range) in wanted.enumerated() {
      guard let range else { continue }
      for condition in conditions {
        var column = Array(repeating: Verdict.none, count: range.lowerBound)
        try condition.condition.prune(range, of: files[fileIndex], into: &column)
        verdicts[fileIndex].append(column)
      }
      combined[fileIndex] = filter.verdicts(verdicts[fileIndex], blockCount: range.upperBound)
    }
  }

  private mutating func consider(_ block: Int, _ run: Run, _ ticker: TickerSymbol) {
    blockCount += 1
    let verdict = combined[run.fileIndex][block]
    if verdict != .none {
      candidates.append(Candidate(ticker: ticker, fileIndex: run.fileIndex, block: block, verdict: verdict))
    }
  }

  /// Puts first, in each `all`, the part that passes the fewest blocks whole and, in each `any`, the one that passes
  /// the most: it decides the most rows, and what it decides the others need not.
  private mutating func orderBySelectivity() {
    let weights = conditions.indices.map { index in
      verdicts.reduce(0) { sum, file in
        index < file.count ? file[index].reduce(sum) { $0 + Int($1.rawValue) } : sum
      }
    }
    filter = filter.ordered(by: weights)
  }
}

extension ScanFilter {
  /// The same filter with the parts of each `all` in rising, of each `any` in falling order of weight.
  fileprivate func ordered(by weights: [Int]) -> ScanFilter {
    switch self {
    case .leaf: self
    case .all(let parts): .all(parts.map { $0.ordered(by: weights) }.sorted { $0.weight(weights) < $1.weight(weights) })
    case .any(let parts): .any(parts.map { $0.ordered(by: weights) }.sorted { $0.weight(weights) > $1.weight(weights) })
    }
  }

  private func weight(_ weights: [Int]) -> Int {
    switch self {
    case .leaf(let index): weights[index]
    case .all(let parts): parts.map { $0.weight(weights) }.min() ?? .max
    case .any(let parts): parts.map { $0.weight(weights) }.max() ?? 0
    }
  }
}

/// A condition with what its kernel can prepare once for all blocks.
struct PreparedCondition: Sendable {
  let condition: Condition
  private let kernel: Kernel
  /// Whether the rows outside the kernel's range are wanted: those of every value leave the missing ones.
  private let isInverted: Bool

  private enum Kernel {
    case double(RangeKernel<Double>)
    case integer(RangeKernel<Int64>)
  }

  init(_ condition: Condition) {
    self.condition = condition
    switch condition {
    case .double(_, let range): (kernel, isInverted) = (.double(RangeKernel(range)), false)
    case .integer(_, let range): (kernel, isInverted) = (.integer(RangeKernel(range)), false)
    case .isMissing(let name) where name.isInteger:
      (kernel, isInverted) = (.integer(RangeKernel(Int64.allValues)), true)
    case .isMissing: (kernel, isInverted) = (.double(RangeKernel(Double.allValues)), true)
    }
  }

  /// The rows of a block for which the condition holds.
  func rows(of block: EncodedBlock, _ scratch: BlockScratch) throws(Damage) -> RowMask {
    let inside =
      switch kernel {
      case .double(let kernel): try kernel.rows(of: block, scratch)
      case .integer(let kernel): try kernel.rows(of: block, scratch)
      }
    guard isInverted else { return inside }
    var outside = RowMask(first: block.rowCount)
    outside.subtract(inside)
    return outside
  }
}
