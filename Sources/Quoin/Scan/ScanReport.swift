/// What a scan did to find its rows.
public struct ScanReport: Sendable {
  /// The predicate of the query.
  public internal(set) var predicate = Predicate.all([])
  /// Tickers that were asked for and have quotes.
  public internal(set) var tickerCount = 0
  /// Column files that hold blocks of these tickers.
  public internal(set) var fileCount = 0
  /// Blocks of rows of the wanted tickers. Each has a part for every attribute.
  public internal(set) var blockCount = 0
  /// Blocks that the statistics ruled out.
  public internal(set) var prunedBlockCount = 0
  /// Blocks whose rows all match, by the statistics.
  public internal(set) var wholeBlockCount = 0
  /// Blocks whose values were compared.
  public internal(set) var filteredBlockCount = 0
  /// Rows that matched.
  public internal(set) var rowCount = 0
  /// Stored bytes of the encoded blocks that were read.
  public internal(set) var readByteCount = 0
  /// Time spent comparing the predicate with the statistics of blocks.
  public internal(set) var pruneTime = Duration.zero
  /// Time spent comparing values.
  public internal(set) var filterTime = Duration.zero
  /// Time spent materializing the matching rows.
  public internal(set) var materializeTime = Duration.zero

  init() {}

  mutating func note(_ candidates: ArraySlice<Candidate>) {
    let wholeCount = candidates.count { $0.verdict == .all }
    wholeBlockCount += wholeCount
    filteredBlockCount += candidates.count - wholeCount
  }

  mutating func describe(_ plan: ScanPlan, _ query: QuoteQuery) {
    predicate = query.predicate
    tickerCount = plan.tickerCount
    fileCount = plan.verdicts.count
    blockCount = plan.blockCount
    prunedBlockCount = plan.blockCount - plan.candidates.count
  }
}
