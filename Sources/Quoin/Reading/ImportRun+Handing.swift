// From parsed rows to the sink.

extension ImportRun {
  /// Moves rows from `parsed` to those held. Rows without a ticker belong to `fallback`.
  ///
  /// - Parameter linesBefore: the number of lines of the file before the one that the rows' positions count as line 1.
  mutating func take(
    _ parsed: ParsedRows, _ fallback: TickerSymbol?, linesBefore: Int = 0, into sink: inout some QuoteSink
  ) throws(ImportError) {
    if finder != nil { return try find(in: parsed, fallback, linesBefore: linesBefore) }
    note(parsed, linesBefore: linesBefore)
    for bad in parsed.firstBad {
      let row = BadRow(
        file: file, position: bad.position.moved(by: linesBefore), column: bad.column, value: bad.value,
        reason: bad.reason)
      summary.badRows.insert(row)
    }
    summary.badRows.insertUnnamed(parsed.badCount - parsed.firstBad.count)
    // Where a file has more than these rows, the last of their tickers hardly ends with them.
    let goesOn = parsed.isFull || current != nil
    for index in parsed.tickerRanges.indices {
      guard let ticker = parsed.tickerRanges[index].ticker ?? fallback else { throw .noTicker(file: file) }
      if let wanted = options.ticker, ticker != wanted { throw .otherTicker(file: file, ticker, wanted: wanted) }
      let range = parsed.rows(ofTickerRange: index)
      try checkSpelling(parsed.tickerRanges[index])
      if ticker != current {
        if recordIndices[ticker] != nil || rows[ticker] != nil { isGrouped = false }
        current = ticker
      }
      if isGrouped, rows[ticker] == nil, range.upperBound == parsed.count, goesOn {
        rows[ticker, default: TickerRows()].reserve()
      }
      rows[ticker, default: TickerRows()].append(
        parsed, range, parsed.tickerRanges[index].attributes, linesBefore: linesBefore)
      heldRowCount += range.count
      if heldRowCount >= heldRowLimit { try handOverComplete(into: &sink) }
    }
    parsed.removeAll()
  }

  /// Refuses a ticker that is spelled in another case than before: it may be another one.
  private mutating func checkSpelling(_ range: ParsedRows.TickerRange) throws(ImportError) {
    guard let ticker = range.ticker else { return }
    if range.spelling == nil, spellings.isEmpty { return }
    let known = spellings[ticker]
    let isKnown = known != nil || rows[ticker] != nil || recordIndices[ticker] != nil || namedTickers.contains(ticker)
    if let spelling = range.spelling { spellings[ticker] = spelling }
    guard isKnown, known != range.spelling else { return }
    let texts = [known, range.spelling].map { $0.map { ShownText.sanitized($0) } ?? "\(ticker)" }
    throw .spellingsOfTicker(file: file, texts[0], texts[1])
  }

  /// While each ticker's rows stand together, few are held: rows that are handed over soon are still in the cache. Of one ticker
  /// no more are held than any has days. Once a ticker has come again, many are held, so that tickers aren't handed over again
  /// and again.
  private var heldRowLimit: Int {
    if options.makesDaysOfBars { return .max }
    guard isGrouped else { return tuning.bufferRowCount }
    let count = rows.count > 1 ? tuning.groupedRowCount : max(tuning.groupedRowCount, tuning.tickerRowCount)
    return min(count, tuning.bufferRowCount)
  }

  /// Hands over the tickers that seem complete, or all tickers if none does.
  private mutating func handOverComplete(into sink: inout some QuoteSink) throws(ImportError) {
    let isCurrentComplete = !isGrouped || rows.count <= 1
    try handOver(rows.keys.filter { $0 != current || isCurrentComplete }, into: &sink)
  }

  /// Hands over the rows held of these tickers, in the tickers' order.
  mutating func handOver(_ symbols: [TickerSymbol], into sink: inout some QuoteSink) throws(ImportError) {
    for ticker in symbols.sorted() {
      guard var held = rows.removeValue(forKey: ticker) else { continue }
      heldRowCount -= held.columns.rowCount
      if options.makesDaysOfBars { makeDays(of: &held, ticker) }
      leaveOutEmpty(&held)
      held.sortByDay()
      if options.splitsAreInPrices { held.removeSplits() }
      if options.mode == .keep { try leaveOutStored(&held, ticker, sink) }
      let repeated = held.joinDays(lastWins: options.lastRowWins)
      for (position, first, day) in repeated.contradictions {
        reject(ticker, position, day, first: first)
      }
      let again = try sortOutHanded(&held, ticker, sink, repeated.counts)
      if held.columns.isEmpty { continue }
      try noteSplits(held, ticker, sink)
      if isTrial || !options.skipsBadRows && !summary.badRows.isEmpty {
        handed.drop(ticker, held)
      } else {
        try upsert(held, ticker, again, into: &sink)
      }
    }
  }

  /// Removes the rows without any value.
  private mutating func leaveOutEmpty(_ held: inout TickerRows) {
    let empty = held.columns.emptyRows
    summary.rowCount += empty.count
    summary.counts.empty += empty.count
    held.remove(empty)
  }

  /// Removes the rows whose days the store had before this import.
  private mutating func leaveOutStored(
    _ held: inout TickerRows, _ ticker: TickerSymbol, _ sink: some QuoteSink
  ) throws(ImportError) {
    let days = held.columns.dayValues
    let stored = try storedRows(ticker, held, 0, days.count - 1, sink)
    let kept = days.indices.filter { row in
      stored.dayValues.sortedIndex(of: days[row], by: { $0 }) != nil && !handed.contains(ticker, days[row])
    }
    guard let first = kept.first, let last = kept.last else { return }
    note(ticker, days[first]...days[last], rowCount: 0)
    summary.rowCount += kept.count
    summary.counts.kept += kept.count
    held.remove(kept)
  }

  /// Counts the rows, and removes those that this import has handed over before with the same values.
  ///
  /// - Parameter repeated: the counts of the rows that were joined with others of these.
  /// - Returns: the rows whose day was handed over before, and that change it. They are among those that stay.
  private mutating func sortOutHanded(
    _ held: inout TickerRows, _ ticker: TickerSymbol, _ sink: some QuoteSink, _ repeated: UpsertCounts
  ) throws(ImportError) -> Set<TradingDay> {
    guard !held.columns.isEmpty else { return [] }
    let known = handed.insert(ticker, held)
    var repeats = Repeats()
    if let first = known.first, let last = known.last {
      repeats = self.repeats(of: held, ticker, known, try storedRows(ticker, held, first.row, last.row, sink))
    }
    for row in repeats.bad { reject(ticker, held.positions[row], held.columns.dayValues[row], first: nil) }
    let days = held.columns.dayValues
    let goodCount = held.columns.rowCount - repeats.bad.count
    if goodCount > 0, let first = days.first, let last = days.last {
      note(ticker, first...last, rowCount: goodCount + repeated.rowCount)
      summary.rowCount += goodCount + repeated.rowCount
      summary.counts += repeated
      summary.counts.unchanged += repeats.same.count
    }
    held.remove(repeats.bad + repeats.same)
    weekendCount += held.weekendCount
    summary.suspicious.count(held.columns)
    return repeats.again
  }

  /// Rows of days that this import has handed over before: those that contradict them, those that say the same, and the days of the others,
  /// which change them.
  private struct Repeats {
    var bad: [Int] = []
    var same: [Int] = []
    var again: Set<TradingDay> = []
  }

  /// - Parameters:
  ///   - known: the rows, each with the attributes that its day was handed over with.
  ///   - stored: what was.
  private func repeats(
    of held: TickerRows, _ ticker: TickerSymbol, _ known: [(row: Int, earlier: AttributeSet)], _ stored: QuoteColumns
  ) -> Repeats {
    var repeats = Repeats()
    for (row, earlier) in known {
      let day = held.columns.dayValues[row]
      let index = stored.dayValues.sortedIndex(of: day, by: { $0 })
      let shared = earlier.intersection(held.present[row])
      let isSame =
        handed.isLikeDropped(ticker, held, row: row)
        ?? index.map { index in
          shared.names.allSatisfy { held.columns.isIdentical(row: row, to: stored, row: index, in: $0) }
        } ?? false
      if !isSame && !options.lastRowWins {
        repeats.bad.append(row)
      } else if isSame && held.present[row].isSubset(of: earlier) {
        repeats.same.append(row)
      } else {
        repeats.again.insert(day)
      }
    }
    return repeats
  }

  /// Makes rows of days of a ticker's bars. A bar that contradicts another one of its time is bad.
  private mutating func makeDays(of held: inout TickerRows, _ ticker: TickerSymbol) {
    let found = held.sortByTime()
    for (position, first, day) in found.contradictions { reject(ticker, position, day, first: first) }
    do throws(BarOverflow) { try held.joinBars() } catch {
      summary.badRows.insert(
        BadRow(
          file: file, position: .line(held.positions.first ?? 0), column: nil, value: "\(error.days.lowerBound)",
          reason: "the bars of a day of \(ticker) add up to more than a cell holds"))
      held.remove(Array(0..<held.columns.rowCount))
    }
  }

  /// Notes splits that the prices have already, and those that stored adjusted values don't follow.
  private mutating func noteSplits(_ held: TickerRows, _ ticker: TickerSymbol, _ sink: some QuoteSink)
    throws(ImportError)
  {
    guard let row = held.firstSplit else { return }
    if let split = held.columns.firstSplitInPrices {
      let text =
        "the prices of \(ticker) don't move by the split of \(split.day), \(split.ratio) for 1: they have it already"
      summary.notes.append(ImportNote(file: file, text: text, isOfSplitInPrices: true))
    }
    if held.present[row].contains(.adjustedClose) { return }
    let day = held.columns.dayValues[row]
    let earlier: QuoteColumns
    do throws(StoreError) { earlier = try sink.stored(ticker, from: .earliest, to: day) } catch { throw .store(error) }
    guard earlier.rowCount > 0, earlier.attributes.contains(.adjustedClose) else { return }
    let adjusted = earlier[column: .adjustedClose].doubles.shared
    if earlier.dayValues.indices.contains(where: { !adjusted[$0].isNaN && earlier.dayValues[$0] < day }) {
      addNote("\(ticker) has adjusted values of days before its split of \(day), which don't follow it; adjust it anew")
    }
  }

  private func storedRows(
    _ ticker: TickerSymbol, _ held: TickerRows, _ first: Int, _ last: Int, _ sink: some QuoteSink
  ) throws(ImportError) -> QuoteColumns {
    guard first <= last else { return QuoteColumns() }
    let days = held.columns.dayValues
    do throws(StoreError) { return try sink.stored(ticker, from: days[first], to: days[last]) } catch {
      throw .store(error)
    }
  }

  /// Hands rows to the sink. Those of the days `again` go on from what this import has handed over before.
  private mutating func upsert(
    _ held: TickerRows, _ ticker: TickerSymbol, _ again: Set<TradingDay>, into sink: inout some QuoteSink
  ) throws(ImportError) {
    let days = held.columns.dayValues
    for (attributes, group) in held.present.groups {
      var parts: [(QuoteColumns, UpsertMode)] = []
      if again.isEmpty || options.mode == .update || options.mode == .fill {
        parts = [(group.map(held.columns.gathered) ?? held.columns, options.mode)]
      } else {
        let rows = group ?? Array(days.indices)
        parts = [
          (held.columns.gathered(rows.filter { !again.contains(days[$0]) }), options.mode),
          (held.columns.gathered(rows.filter { again.contains(days[$0]) }), .update),
        ]
      }
      for (rows, mode) in parts where !rows.isEmpty {
        do throws(StoreError) { summary.counts += try sink.upsert(ticker, rows, mode, present: attributes) } catch {
          throw .store(error)
        }
      }
    }
  }

  /// - Parameter first: where in the file the day comes first; nil if that isn't known yet.
  private mutating func reject(_ ticker: TickerSymbol, _ position: Int, _ day: TradingDay, first: Int?) {
    func place(_ number: Int) -> BadRow.Position { isByLine ? .line(number) : .row(number) }
    var reason = "\(ticker) has this day twice, with different values"
    if let tellingColumn { reason += " and perhaps another '\(tellingColumn)'" }
    summary.badRows.insert(
      BadRow(
        file: file, position: place(position), column: "date", value: "\(day)",
        reason: first.map { "\(reason); the first is \(place($0))" } ?? reason, repeatsDay: true,
        isToldApart: tellingColumn != nil,
        unplaced: first == nil ? DailyQuoteSummary.ID(ticker: ticker, date: day) : nil))
  }

  /// Notes that the file has good rows of a ticker.
  ///
  /// - Parameter rowCount: how many of them aren't left out.
  private mutating func note(_ ticker: TickerSymbol, _ days: ClosedRange<TradingDay>, rowCount: Int) {
    if tickers.insert(ticker).inserted { summary.tickerCount += 1 }
    if let index = recordIndices[ticker] {
      summary.periods[index].firstDay = min(summary.periods[index].firstDay, days.lowerBound)
      summary.periods[index].lastDay = max(summary.periods[index].lastDay, days.upperBound)
      summary.periods[index].rowCount += rowCount
    } else {
      recordIndices[ticker] = summary.periods.count
      periodFiles.append(summary.files.count - 1)
      summary.periods.append(
        ImportSummary.Period(
          ticker: ticker, firstDay: days.lowerBound, lastDay: days.upperBound, rowCount: rowCount,
          source: options.source ?? file))
    }
  }
}

extension TickerRows {
  mutating func append(_ parsed: ParsedRows, _ range: Range<Int>, _ attributes: AttributeSet, linesBefore: Int) {
    if parsed.keepsTimes { times += parsed.times[range] }
    parsed.append(rows: range, to: &columns, positions: &positions)
    present.append(attributes, count: range.count)
    if linesBefore == 0 { return }
    for index in (positions.count - range.count)..<positions.count { positions[index] += linesBefore }
  }
}
