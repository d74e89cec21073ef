/// The keys of the groups in a table: tickers and periods.
struct GroupKeys {
  /// The place of each group's ticker among the snapshot's; without grouping, that of the first block.
  private(set) var tickers = ColumnBuffer<Int32>()
  /// The first day of each group's period, if groups are periods.
  var periods = ColumnBuffer<TradingDay>()
  private var firstPeriod = 0
  private(set) var lastPeriod = 0

  var count: Int { tickers.count }
  var lastTicker: Int32? { tickers.last }

  /// The key of the first group.
  var first: (Int32, Int)? { tickers.first.map { ($0, firstPeriod) } }

  mutating func reserveCapacity(_ count: Int, _ grouping: Grouping?) {
    if grouping != nil { tickers.reserveCapacity(count) }
    if grouping?.onlyPeriod != nil { periods.reserveCapacity(count) }
  }

  /// Appends the groups of a block's segments.
  mutating func append(
    _ ticker: Int32, _ segments: Segments, _ isContinued: Bool, _ periods: Periods?
  ) {
    if count == 0 { firstPeriod = segments.period(0) }
    lastPeriod = segments.period(segments.count - 1)
    let first = isContinued ? 1 : 0
    guard segments.count > first else { return }
    tickers.append(contentsOf: repeatElement(ticker, count: segments.count - first))
    guard let periods else { return }
    self.periods.append(contentsOf: (first..<segments.count).lazy.map { periods.firstDay(of: segments.period($0)) })
  }

  mutating func append(_ next: GroupKeys, _ isContinued: Bool) {
    if count == 0 { firstPeriod = next.firstPeriod }
    let skipped = isContinued ? 1 : 0
    tickers.append(contentsOf: next.tickers.dropFirst(skipped))
    periods.append(contentsOf: next.periods.dropFirst(skipped))
    lastPeriod = next.lastPeriod
  }
}
