extension QuoteQuery {
  /// Aggregates of the selected quotes, in one pass: for all of them, for each ticker, or for each ticker and period of the
  /// calendar. Missing cells are ignored, and groups without quotes don't appear.
  ///
  /// If all rows of a block are selected and belong to one group, only its statistics are read (except for `first` and
  /// `last`). Blocks the calling thread.
  ///
  ///     let months = try store.allQuotes.aggregate([.first(.open), .max(.high), .sum(.volume)], by: .month)
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func aggregate(
    _ aggregations: [Aggregation], by grouping: Grouping? = nil
  ) throws(StoreError) -> AggregateTable {
    try groups(AggregateRequest(aggregations, by: grouping)).aggregates(aggregations, snapshot.symbols)
  }

  /// Count, extremes, sum and mean of an attribute over the selected quotes. Missing cells are ignored. Blocks the
  /// calling thread.
  ///
  /// If all rows of a block are selected, only its statistics are read.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func aggregate(_ attribute: Attribute) throws(StoreError) -> Aggregate {
    Aggregate(try aggregate(Aggregate.aggregations(of: attribute)), of: attribute)
  }

  private func groups(_ request: AggregateRequest) throws(StoreError) -> GroupTable {
    // Groups don't depend on the order of rows, unless the query has a limit or an offset.
    let isWhole = limit == nil && offset == 0
    let periods = request.periods(of: snapshot.manifest)
    let parts = request.parts(isByPeriod: periods != nil)
    let plan = try (isWhole ? ordered(.ascending) : self).plan(statistics: parts.flatMap(\.sections))
    let ahead = ReadAhead(plan, plan.candidates, plan.conditions.parts + parts)
    var whole = GroupTable(request)
    if !isWhole {
      var meter = GroupMeter(plan, periods, ahead)
      for (mask, candidate) in try countedRows(plan, ahead) {
        try meter.add(BlockRows(mask, of: Int(candidate.rowCount)), of: candidate, to: &whole)
      }
      return whole
    }
    let chunks = ScanChunks.ranges(plan.candidates.count, plan.crew, blockCountMax: .max)
    let empty = GroupTable(request)
    if chunks.count > 1 {
      whole.reserveCapacity(try plan.groupCount(plan.candidates[...], by: request.grouping, periods))
    }
    return try plan.crew.reduce(
      chunks.count, worker: GroupMeter(plan, periods, ahead), into: whole,
      merge: { whole, part in if chunks.count == 1 { whole = part } else { whole.append(part) } },
      body: { meter, index throws(StoreError) in
        var part = empty
        part.reserveCapacity(try plan.groupCount(plan.candidates[chunks[index]], by: request.grouping, periods))
        try meter.add(plan.candidates[chunks[index]], to: &part)
        return part
      })
  }

  /// The selected rows after the offset, as many as the limit lets pass, block by block; those of each ticker in order of
  /// days.
  private func countedRows(
    _ plan: ScanPlan, _ ahead: ReadAhead
  ) throws(StoreError) -> [(RowMask, Candidate)] {
    var scanner = BlockScanner(plan)
    var rows: [(RowMask, Candidate)] = []
    var (remaining, offset) = (limit ?? .max, offset)
    for index in plan.candidates.indices where remaining > 0 {
      ahead.reach(index)
      var mask = try scanner.masks(of: plan.candidates[index...index])[0]
      let count = mask.count
      let first = min(offset, count)
      mask.keep(first..<(first + min(remaining, count - first)), order)
      offset -= first
      remaining -= mask.count
      if !mask.isEmpty { rows.append((mask, plan.candidates[index])) }
    }
    guard order == .descending else { return rows }
    let tickers = rows.chunked { $0.1.ticker == $1.1.ticker }
    return tickers.flatMap { $0.reversed() }
  }
}

extension RowMask {
  /// Keeps the rows at these places in the given order.
  fileprivate mutating func keep(_ places: Range<Int>, _ order: DateOrder) {
    guard places.count < count else { return }
    var rows: [Int] = []
    forEachRow { rows.append($0) }
    self = .none
    for row in rows[order.rising(places, of: rows.count)] { self[row] = true }
  }
}

extension AggregateRequest {
  /// The periods of all days in a store; nil unless groups are periods.
  func periods(of manifest: Manifest) -> Periods? {
    guard let period = grouping?.period else { return nil }
    let first = manifest.runs.min { $0.firstDay < $1.firstDay }?.firstDay
    let last = manifest.runs.max { $0.lastDay < $1.lastDay }?.lastDay
    guard let first, let last, first <= last else { return nil }
    return Periods(period, over: first...last)
  }
}

extension AggregateRequest {
  /// What measuring reads: for blocks whose rows all match and belong to one group, often only the statistics.
  fileprivate func parts(isByPeriod: Bool) -> [ReadAhead.Part] {
    let days = isByPeriod ? [ReadAhead.Part(section: .date, readsWholeBlocks: true)] : []
    return days
      + measures.map { name, measures in
        ReadAhead.Part(
          section: .attribute(name), readsWholeBlocks: isByPeriod || !measures.isDisjoint(with: .ends))
      }
  }
}

extension Array {
  /// The elements in order, cut between neighbors that don't belong together.
  func chunked(_ belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices.dropFirst() where !belong(self[index - 1], self[index]) {
      chunks.append(self[start..<index])
      start = index
    }
    return isEmpty ? [] : chunks + [self[start...]]
  }
}
