/// What a scan did with the blocks of one ticker.
package struct TickerScanReport: Sendable {
  package enum Fate: Sendable, Hashable {
    /// By the statistics.
    case ruledOut
    /// There were enough rows before it.
    case notReached
    /// Its values were compared, or all its rows match by the statistics.
    case lookedAt(matching: Int, of: Int)
  }

  package let ticker: TickerSymbol
  /// What became of each block, in order of days.
  let fates: [Fate]

  /// How many tickers are described.
  static let countMax = 20

  /// The first tickers of a scan that have blocks which weren't ruled out.
  static func tickers(of plan: ScanPlan, _ scan: Scan) -> [TickerScanReport] {
    var wanted: [Int32] = []
    var fates: [CandidatePlace: Fate] = [:]
    for (index, candidate) in plan.candidates.enumerated() {
      if wanted.last != candidate.ticker {
        if wanted.count == countMax { break }
        wanted.append(candidate.ticker)
      }
      let place = CandidatePlace(candidate)
      let rowCount = Int(candidate.rowCount)
      let matchingCount = candidate.verdict == .all ? rowCount : scan.blockRowCounts[place] ?? 0
      fates[place] = index < scan.lookedAtCount ? .lookedAt(matching: matchingCount, of: rowCount) : .notReached
    }
    let manifest = plan.snapshot.manifest
    return wanted.map { ticker in
      let blocks = manifest.runs(ofTickerAt: Int(ticker)).flatMap { run in
        run.blocks.map { CandidatePlace(file: Int32(run.fileIndex), block: Int16($0)) }
      }
      return TickerScanReport(
        ticker: manifest.tickers[Int(ticker)].symbol, fates: blocks.map { fates[$0] ?? .ruledOut })
    }
  }
}

/// Where a block is.
struct CandidatePlace: Hashable, Sendable {
  let file: Int32
  let block: Int16

  init(file: Int32, block: Int16) { (self.file, self.block) = (file, block) }

  init(_ candidate: Candidate) { self.init(file: candidate.fileIndex, block: candidate.block) }
}
