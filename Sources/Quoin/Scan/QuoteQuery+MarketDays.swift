// The market is ranked some days at a time, so that a bounded number of its rows is held.

extension QuoteQuery {
  /// Days in rising order, all of them together: as many at a time as have some number of rows. How the rows of a ticker lie on the
  /// days is only estimated.
  ///
  /// All days come at once if a value depends on many rows of other days, which would be read again and again, or on other values of
  /// the market; and if the rows are bars, of which there are few.
  func marketDays(_ x: QuoteExpression, _ predicate: Predicate, _ cache: MarketCache) -> [Predicate] {
    let manifest = snapshot.manifest
    let tickers = market?.compactMap(manifest.index(of:))
    let runs = tickers.map { $0.flatMap(manifest.runs(ofTickerAt:)) } ?? manifest.runs
    let rowCount = runs.reduce(0) { $0 + $1.rowCount }
    let tickerCount = tickers?.count ?? manifest.tickers.count
    let partCount = rowCount / max(cache.rowsAtOnce, cache.rowsOfEach * tickerCount)
    guard snapshot.barPeriod == nil, partCount > 1, let program = try? Program([.if(predicate, x, .number(.missing))]),
      program.marketValues.isEmpty, let back = program.reach.back,
      (back + program.reach.ahead) * partCount * tickerCount <= rowCount / 32
    else { return [.all([])] }
    return Self.parts(of: runs, rowCount / partCount + 1)
  }

  /// Days with so many rows each, or a little more.
  private static func parts(of runs: [Run], _ rowCount: Int) -> [Predicate] {
    let first = runs.map { Int($0.firstDay.daysSince1970) }.min() ?? 0
    let last = runs.map { Int($0.lastDay.daysSince1970) }.max() ?? 0
    let spanCount = 512
    let spanDays = (last - first) / spanCount + 1
    // What each span of days has more than the one before.
    var changes = [Double](repeating: 0, count: spanCount + 1)
    for run in runs {
      let spans =
        (Int(run.firstDay.daysSince1970) - first) / spanDays...(Int(run.lastDay.daysSince1970) - first) / spanDays
      let share = Double(run.rowCount) / Double(spans.count)
      changes[spans.lowerBound] += share
      changes[spans.upperBound + 1] -= share
    }
    var (parts, start, density, count): ([Predicate], TradingDay?, Double, Double) = ([], nil, 0, 0)
    for span in 0..<spanCount - 1 {
      density += changes[span]
      count += density
      guard count >= Double(rowCount), let day = TradingDay(daysSince1970: first + (span + 1) * spanDays - 1) else {
        continue
      }
      parts.append(.dates(from: start, to: day))
      start = day.advanced(by: 1)
      count = 0
    }
    return parts + [.dates(from: start)]
  }
}
