// A view: rows that are made from a store's, and lie in memory as a store's do. So whatever can be asked of a store can be asked
// of a view, in the same time.
//
//   read    the tickers' rows -> columns          several threads, a ticker at a time
//   make    columns -> other columns
//   encode  columns -> blocks                     the same threads
//   put     blocks -> files in memory, a manifest

/// What is made of a store's rows.
struct View: Sendable {
  /// Only rows up to this day are read; nil for all.
  var lastDay: TradingDay?
  /// How long bars are, if it makes bars.
  var barPeriod: CalendarPeriod?
  /// Makes other rows from all that were read of a ticker.
  let make: @Sendable (TickerSymbol, QuoteColumns) throws(StoreError) -> QuoteColumns

  /// About how many bytes a row takes in memory, encoded.
  private static let rowByteCount = 32

  /// A snapshot in memory, whose rows are made from those of some tickers; nil for all of them.
  ///
  /// - Parameters:
  ///   - directory: where the rows are from, for messages.
  ///   - progress: is called with the number of rows that have been read, and of all that there are to read.
  func snapshot(
    of base: Snapshot, _ tickers: [TickerSymbol]?, in directory: String, threads: Int?,
    within budget: QuestionBudget, progress: (Int, Int) -> Void
  ) throws(StoreError) -> Snapshot {
    let wanted = tickers.map { Set($0).sorted().compactMap(base.manifest.index(of:)) } ?? Array(base.symbols.indices)
    let rowCounts = wanted.map { base.manifest.runs(ofTickerAt: $0).reduce(0) { $0 + $1.rowCount } }
    let (total, crew) = (rowCounts.reduce(0, +), Crew(threadCount: threads ?? Crew.defaultThreadCount))
    var map = OrderedMap(crew, worker: ()) { [self] _, ticker throws(StoreError) in
      try make(ticker, rows(of: ticker, in: base, within: budget))
    }
    var builder = ViewBuilder(base, directory, crew)
    var (next, doneCount) = (0, 0)
    var held: [HeldMemory] = []
    for (index, count) in zip(wanted, rowCounts) {
      while !map.isFull, next < wanted.count {
        map.push(base.symbols[wanted[next]])
        next += 1
      }
      if let rows = try map.next() {
        held.append(try budget.hold(rows.rowCount * Self.rowByteCount))
        try builder.append(base.symbols[index], rows)
      }
      doneCount += count
      progress(doneCount, total)
    }
    return try builder.finish(asOf: [base.asOf, lastDay].compactMap { $0 }.min(), barsOf: barPeriod ?? base.barPeriod)
  }

  private func rows(
    of ticker: TickerSymbol, in base: Snapshot, within budget: QuestionBudget
  ) throws(StoreError) -> QuoteColumns {
    try QuoteQuery(base, tickers: [ticker]).dates(to: lastDay).threads(1).taking(from: budget).fetchColumns().columns
  }
}

extension View {
  /// The rows up to a day, with adjusted values as they were then.
  ///
  /// - Parameter trustsSplits: whether a split counts although the prices don't show it.
  static func asOf(_ day: TradingDay, trustsSplits: Bool) -> View {
    View(lastDay: day) { ticker, rows throws(StoreError) in
      if !trustsSplits { try rows.checkSplits(of: ticker) }
      return rows.adjusted()
    }
  }

  /// A row for each period.
  static func bars(by period: CalendarPeriod, _ label: BarLabel) -> View {
    View(barPeriod: period) { ticker, rows throws(StoreError) in
      do throws(BarOverflow) { return try rows.bars(by: period, label: label) } catch {
        throw .volumeTooLarge(ticker: ticker, days: error.days)
      }
    }
  }

  /// A ticker's rows on some days, and all rows of the others.
  static func rows(of ticker: TickerSymbol, on days: Set<TradingDay>) -> View {
    View { other, rows throws(StoreError) in
      if other != ticker { return rows }
      let kept = rows.dayValues.indices.filter { days.contains(rows.dayValues[$0]) }
      return kept.count == rows.rowCount ? rows : rows.gathered(Array(kept))
    }
  }
}
