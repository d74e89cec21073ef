/// The keys of the groups in a table: tickers and periods.
struct GroupKeys {
  /// The ticker of each group; without grouping, the ticker of the first block.
  private(set) var tickers = TickerColumn()
  /// The first day of each group's period, if groups are periods.
  var periods = ColumnBuffer<TradingDay>()
  private var firstPeriod = 0
  private(set) var lastPeriod = 0

  var count: Int { tickers.count }
  var lastTicker: TickerSymbol? { tickers.last }

  /// The key of the first group.
  var first: (TickerSymbol, Int)? { tickers.first.map { ($0, firstPeriod) } }

  /// Appends the groups of a block's segments.
  mutating func append(
    _ ticker: TickerSymbol, _ segments: Segments, _ isContinued: Bool, _ periods: Periods?
  ) {
    if count == 0 { firstPeriod = segments.period(0) }
    lastPeriod = segments.period(segments.count - 1)
    let first = isContinued ? 1 : 0
    tickers.append(ticker, count: segments.count - first)
    guard let periods else { return }
    self.periods.append(contentsOf: (first..<segments.count).lazy.map { periods.firstDay(of: segments.period($0)) })
  }

  mutating func append(_ next: GroupKeys, _ isContinued: Bool) {
    if count == 0 { firstPeriod = next.firstPeriod }
    let skipped = isContinued ? 1 : 0
    for (index, run) in next.tickers.runs.enumerated() {
      tickers.append(run.ticker, count: run.count - (index == 0 ? skipped : 0))
    }
    periods.append(contentsOf: next.periods.dropFirst(skipped))
    lastPeriod = next.lastPeriod
  }
}
