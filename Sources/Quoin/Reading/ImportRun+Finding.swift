// Where a repeated day comes first. Only the error's reader wants to know, so the files are read a second time, and nothing is
// kept of where each row came from.

/// Looks for quotes in a file that is read again.
struct RowFinder {
  let wanted: Set<DailyQuoteSummary.ID>
  /// The index of the file in its archive.
  let entry: Int
  private(set) var found: [DailyQuoteSummary.ID: Int] = [:]

  init(_ wanted: Set<DailyQuoteSummary.ID>, entry: Int) { (self.wanted, self.entry) = (wanted, entry) }

  mutating func note(_ key: DailyQuoteSummary.ID, at position: Int) {
    if wanted.contains(key), found[key] == nil { found[key] = position }
  }
}

extension ImportRun {
  /// Says of each bad row that repeats a day where that day comes first.
  mutating func placeRepeatedRows() {
    var missing = Set(summary.badRows.unplaced)
    var places: [DailyQuoteSummary.ID: (file: String, position: BadRow.Position?)] = [:]
    for (index, place) in self.places.enumerated() where !missing.isEmpty {
      let periods = zip(periodFiles, summary.periods).filter { $0.0 == index }.map(\.1)
      let here = missing.filter { key in
        periods.contains { $0.ticker == key.ticker && $0.firstDay <= key.date && key.date <= $0.lastDay }
      }
      if here.isEmpty { continue }
      let name = summary.files[index].name
      guard let source = place.sourceToReread else {
        for key in here { places[key] = (name, nil) }
        missing.subtract(here)
        continue
      }
      var again = ImportRun(options: options, tuning: tuning, crew: crew, progress: nil)
      again.finder = RowFinder(here, entry: place.entry)
      var sink = NoSink()
      // A file that can't be read again was read before, so its rows are reported without their first place.
      try? again.importFile(source, into: &sink)
      for (key, position) in again.finder?.found ?? [:] {
        places[key] = (name, again.isByLine ? .line(position) : .row(position))
        missing.remove(key)
      }
    }
    summary.badRows.place(places)
  }

  /// Notes where the wanted rows are, and takes no others.
  mutating func find(in parsed: ParsedRows, _ fallback: TickerSymbol?, linesBefore: Int) throws(ImportError) {
    for index in parsed.tickerRanges.indices {
      guard let ticker = parsed.tickerRanges[index].ticker ?? fallback else { throw .noTicker(file: file) }
      if finder?.entry != summary.files.count - 1 { break }
      if finder?.wanted.contains(where: { $0.ticker == ticker }) != true { continue }
      for row in parsed.rows(ofTickerRange: index) {
        finder?.note(
          DailyQuoteSummary.ID(ticker: ticker, date: parsed.day(row)), at: parsed.position(row) + linesBefore)
      }
    }
    parsed.removeAll()
  }
}

/// Takes nothing.
struct NoSink: QuoteSink {
  func upsert(
    _ ticker: TickerSymbol, _ columns: QuoteColumns, _ mode: UpsertMode, present: AttributeSet
  ) -> UpsertCounts { UpsertCounts() }

  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) -> QuoteColumns { QuoteColumns() }
}
