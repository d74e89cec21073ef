// From parsed rows to the sink.

extension ImportRun {
  /// Moves rows from `parsed` to those held. Rows without a ticker belong to `fallback`.
  ///
  /// - Parameter linesBefore: the number of lines of the file before the one that the rows' positions count as line 1.
  mutating func take(
    _ parsed: ParsedRows, _ fallback: TickerSymbol?, linesBefore: Int = 0, into sink: inout some QuoteSink
  ) throws(ImportError) {
    for bad in parsed.firstBad {
      let row = BadRow(
        file: file, position: bad.position.moved(by: linesBefore), column: bad.column, value: bad.value,
        reason: bad.reason)
      summary.badRows.insert(row)
    }
    summary.badRows.insertUnnamed(parsed.badCount - parsed.firstBad.count)
    for index in parsed.tickerRanges.indices {
      guard let ticker = parsed.tickerRanges[index].ticker ?? fallback else { throw .noTicker(file: file) }
      let range = parsed.rows(ofTickerRange: index)
      if ticker != current {
        if recordIndices[ticker] != nil || rows[ticker] != nil { isGrouped = false }
        current = ticker
      }
      if isGrouped, rows[ticker] == nil, range.upperBound == parsed.count, parsed.isFull || linesBefore > 0 {
        rows[ticker, default: TickerRows()].reserve()
      }
      rows[ticker, default: TickerRows()].append(parsed, range, linesBefore: linesBefore)
      heldRowCount += range.count
      if heldRowCount >= heldRowLimit { try handOverComplete(into: &sink) }
    }
    parsed.removeAll()
  }

  /// While each ticker's rows stand together, few are held: rows that are handed over soon are still in the cache. Once a
  /// ticker has come again, many are held, so that tickers aren't handed over again and again.
  private var heldRowLimit: Int {
    isGrouped && rows.count > 1 ? min(tuning.groupedRowCount, tuning.bufferRowCount) : tuning.bufferRowCount
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
      for (position, day) in held.sortByDay() { reject(ticker, position, day) }
      try removeHandedBefore(&held, ticker, sink)
      if held.columns.isEmpty { continue }
      note(ticker, held.columns)
      if !options.skipsBadRows && !summary.badRows.isEmpty {
        handed.drop(ticker, held.columns)
      } else {
        do throws(StoreError) { summary.counts += try sink.upsert(ticker, held.columns) } catch { throw .store(error) }
      }
    }
  }

  /// Removes the rows whose day has left before; those with other values are bad.
  private mutating func removeHandedBefore(
    _ held: inout TickerRows, _ ticker: TickerSymbol, _ sink: some QuoteSink
  ) throws(ImportError) {
    let known = handed.insert(ticker, held.columns)
    guard let first = known.first, let last = known.last else { return }
    let days = held.columns.dayValues[first]...held.columns.dayValues[last]
    let stored: QuoteColumns
    do throws(StoreError) {
      stored = try sink.stored(ticker, from: days.lowerBound, to: days.upperBound)
    } catch { throw .store(error) }
    for row in known {
      let day = held.columns.dayValues[row]
      let index = stored.dayValues.partitioningIndex { $0 >= day }
      let isSame =
        handed.isLikeDropped(ticker, held.columns, row: row)
        ?? (index < stored.rowCount && held.columns.isIdentical(row: row, to: stored, row: index))
      if !isSame { reject(ticker, held.positions[row], day) }
    }
    let repeated = Set(known)
    held.keep((0..<held.columns.rowCount).filter { !repeated.contains($0) })
  }

  private mutating func reject(_ ticker: TickerSymbol, _ position: Int, _ day: TradingDay) {
    let reason = "\(ticker) has this day twice, with different values"
    summary.badRows.insert(
      BadRow(
        file: file, position: isByLine ? .line(position) : .row(position), column: "date", value: "\(day)",
        reason: reason))
  }

  /// Counts good rows, whose days rise strictly.
  private mutating func note(_ ticker: TickerSymbol, _ columns: QuoteColumns) {
    guard let first = columns.dayValues.first, let last = columns.dayValues.last else { return }
    summary.rowCount += columns.rowCount
    summary.suspicious.count(columns)
    if tickers.insert(ticker).inserted { summary.tickerCount += 1 }
    if let index = recordIndices[ticker] {
      summary.periods[index].firstDay = min(summary.periods[index].firstDay, first)
      summary.periods[index].lastDay = max(summary.periods[index].lastDay, last)
      summary.periods[index].rowCount += columns.rowCount
    } else {
      recordIndices[ticker] = summary.periods.count
      summary.periods.append(
        ImportSummary.Period(
          ticker: ticker, firstDay: first, lastDay: last, rowCount: columns.rowCount, source: options.source ?? file))
    }
  }
}

extension TickerRows {
  mutating func append(_ parsed: ParsedRows, _ range: Range<Int>, linesBefore: Int) {
    parsed.append(rows: range, to: &columns, positions: &positions)
    if linesBefore == 0 { return }
    for index in (positions.count - range.count)..<positions.count { positions[index] += linesBefore }
  }
}
