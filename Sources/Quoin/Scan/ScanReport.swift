/// What a scan did to find its rows.
public struct ScanReport: Sendable {
  /// The predicate of the query.
  public internal(set) var predicate = Predicate.all([])
  /// What is taken from quotes of other tickers, or of all of them by day, before the scan begins.
  public internal(set) var marketValues: [QuoteExpression] = []
  /// What the query may take, estimated before it began.
  public internal(set) var estimate = QuestionCost()
  /// The conditions of the predicate, in the order in which the scan looks at them.
  public internal(set) var conditions: [ConditionReport] = []
  /// The computed columns that depend on later rows, each with how many.
  package internal(set) var columnsAhead: [(name: String, rowCount: Int)] = []
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

  /// What was done with the blocks of the first tickers that have some that the statistics didn't rule out.
  package internal(set) var tickers: [TickerScanReport] = []

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

  /// Adds what only a reader of the report needs: it counts the verdicts of all blocks, which a scan has no time for.
  mutating func describeSteps(of plan: ScanPlan, _ query: QuoteQuery) {
    columnsAhead = query.computed.map { ($0.name, $0.expression.rowsAhead) }.filter { $0.1 > 0 }
    marketValues = plan.series.keys.map { QuoteExpression(.market($0)) }.sorted { $0.description < $1.description }
    conditions = plan.filter.leaves.map { ConditionReport($0, plan) }
  }
}

/// What a scan did with one condition of its predicate.
public struct ConditionReport: Sendable {
  /// The condition.
  public let predicate: Predicate
  /// Blocks that the statistics ruled out for it.
  public private(set) var prunedBlockCount = 0
  /// Blocks whose rows all meet it, by the statistics.
  public private(set) var wholeBlockCount = 0
  /// The other blocks. Those that no other condition has ruled out before were read.
  public private(set) var undecidedBlockCount = 0
  /// Whether it is computed from the rows; otherwise stored values are compared.
  public let isComputed: Bool
  /// Blocks that were decided in float32.
  public let narrowBlockCount: Int
  /// Rows of these that had to be settled in float64.
  public let settledRowCount: Int
  /// Whether it is computed in float64 in all blocks, because it has no form in float32.
  public let isWide: Bool
  /// Of a condition that has such a form, the blocks that were computed in float64 all the same, by reason.
  public let wideBlockCounts: [WideReason: Int]
  /// How many rows before a row are looked at, nil for all of them.
  public let rowsBefore: Int?
  /// How many later rows are looked at.
  public let rowsAfter: Int

  /// - Parameter index: of the plan's conditions.
  init(_ index: Int, _ plan: ScanPlan) {
    predicate = plan.parts[index]
    let program = plan.conditions[index].program
    isComputed = program != nil
    let narrow = plan.conditions[index].narrow
    (narrowBlockCount, settledRowCount) = (narrow?.blockCount ?? 0, narrow?.settledRowCount ?? 0)
    (isWide, wideBlockCounts) = (isComputed && narrow == nil, narrow?.wideBlockCounts ?? [:])
    let reach = program?.reach ?? Reach()
    (rowsBefore, rowsAfter) = (reach.back, reach.ahead)
    for verdict in plan.verdicts.flatMap({ $0?.conditions[index] ?? [] }) {
      switch verdict {
      case .none: prunedBlockCount += 1
      case .some: undecidedBlockCount += 1
      case .all: wholeBlockCount += 1
      }
    }
  }
}
