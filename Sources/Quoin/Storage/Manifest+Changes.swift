extension Manifest {
  /// Where a ticker's rows are.
  private struct Place: Equatable {
    var files: [FileRecord]
    var runs: [Run]
    var days: ClosedRange<TradingDay>
  }

  /// The tickers whose rows lie elsewhere than in `old`, ascending, each with all its days before and after. Others are the same.
  func changes(since old: Manifest) -> [TickerDays] {
    let (before, after) = (old.places, places)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted().map { ticker in
      let all = [before[ticker]?.days, after[ticker]?.days].compactMap(\.self)
      let days = all.dropFirst().reduce(all[0]) {
        min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
      }
      return (ticker: ticker, days: days)
    }
  }

  private var places: [TickerSymbol: Place] {
    var places: [TickerSymbol: Place] = [:]
    for (index, ticker) in tickers.enumerated() {
      var runs = Array(runs(ofTickerAt: index))
      guard let first = runs.first?.firstDay, let last = runs.last?.lastDay else { continue }
      let records = runs.map { files[$0.fileIndex] }
      for index in runs.indices { runs[index].fileIndex = 0 }
      places[ticker.symbol] = Place(files: records, runs: runs, days: first...last)
    }
    return places
  }
}
