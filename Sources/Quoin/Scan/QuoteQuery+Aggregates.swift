extension QuoteQuery {
  /// Aggregates of the selected quotes, in one pass: for all of them, or for groups of them. Missing cells are ignored, and
  /// groups without quotes don't appear. A limit and an offset are of groups, not of quotes. Blocks the calling thread.
  ///
  /// If all rows of a block are selected and belong to one group, only its statistics are read, unless what is wanted takes
  /// more, such as `first`, `last`, or an expression.
  ///
  ///     let months = try store.allQuotes.aggregate([.first(.open), .max(.high), .sum(.volume)], by: .month)
  ///     let breadth = try store.allQuotes.aggregate([.count, .share(.close > .mean(.close, 200))], by: .day)
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func aggregate(
    _ aggregations: [Aggregation], by grouping: Grouping? = nil
  ) throws(StoreError) -> AggregateTable {
    let table = try limited(to: .max).offset(by: 0).allGroups(aggregations, by: grouping)
    return table.page(offset, limit)
  }

  private func allGroups(
    _ aggregations: [Aggregation], by grouping: Grouping?
  ) throws(StoreError) -> AggregateTable {
    if aggregations.contains(where: { $0.inner != nil }) { return try dividedGroups(aggregations, by: grouping) }
    // Blocks come ticker by ticker: the first and last of all tickers' days are found row by row.
    let hasEnds = aggregations.contains { $0.function == .first || $0.function == .last }
    let isOfBlocks = aggregations.allSatisfy(\.isOfBlocks) && grouping?.isConsecutive ?? !hasEnds
    return isOfBlocks
      ? try groups(AggregateRequest(aggregations, by: grouping)).aggregates(aggregations, snapshot.symbols)
      : try rowGroups(aggregations, by: grouping)
  }

  /// Count, extremes, sum and mean of an attribute over all selected quotes; a limit or an offset have no say. Missing cells are
  /// ignored. Blocks the calling thread.
  ///
  /// If all rows of a block are selected, only its statistics are read.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func aggregate(_ attribute: Attribute) throws(StoreError) -> Aggregate {
    let aggregations = Aggregate.aggregations(of: attribute)
    let groups = try groups(AggregateRequest(aggregations, by: nil))
    return Aggregate(groups.aggregates(aggregations, snapshot.symbols), of: attribute)
  }

  private func groups(_ request: AggregateRequest) throws(StoreError) -> GroupTable {
    let (query, budget) = begun()
    return try budget.work { () throws(StoreError) in try query.measuredGroups(request) }
  }

  private func measuredGroups(_ request: AggregateRequest) throws(StoreError) -> GroupTable {
    let periods = request.periods(of: snapshot.manifest)
    let parts = request.parts(isByPeriod: periods != nil)
    let plan = try ordered(.ascending).plan(statistics: parts.flatMap(\.sections))
    let budget = plan.budget
    let ahead = ReadAhead(plan, plan.candidates, plan.conditions.parts + parts)
    var whole = GroupTable(request, hasFractions: snapshot.hasFractions)
    let chunks = ScanChunks.ranges(plan.candidates.count, plan.crew, blockCountMax: .max)
    let empty = GroupTable(request, hasFractions: snapshot.hasFractions)
    var held: HeldMemory?
    if chunks.count > 1 {
      let count = try plan.groupCount(plan.candidates[...], by: request.grouping, periods)
      held = try budget.hold(count * request.groupByteCount)
      whole.reserveCapacity(count)
    }
    defer { withExtendedLifetime(held) {} }
    return try plan.crew.reduce(
      chunks.count, worker: GroupMeter(plan, periods, ahead), into: whole,
      merge: { whole, part in if chunks.count == 1 { whole = part } else { whole.append(part) } },
      body: { meter, index throws(StoreError) in
        var part = empty
        let count = try plan.groupCount(plan.candidates[chunks[index]], by: request.grouping, periods)
        let held = try budget.hold(count * request.groupByteCount)
        defer { withExtendedLifetime(held) {} }
        part.reserveCapacity(count)
        try meter.add(plan.candidates[chunks[index]], to: &part)
        return part
      })
  }
}

extension AggregateRequest {
  /// The periods of all days in a store; nil unless groups are periods.
  func periods(of manifest: Manifest) -> Periods? {
    guard let period = grouping?.onlyPeriod, let days = manifest.days else { return nil }
    return Periods(period, over: days)
  }
}

extension Manifest {
  /// All days from the first one of a store to its last; nil without quotes.
  var days: ClosedRange<TradingDay>? {
    let first = runs.min { $0.firstDay < $1.firstDay }?.firstDay
    let last = runs.max { $0.lastDay < $1.lastDay }?.lastDay
    guard let first, let last, first <= last else { return nil }
    return first...last
  }
}

extension AggregateRequest {
  /// About how many bytes a group takes: its key, and what each attribute's values add up to.
  fileprivate var groupByteCount: Int { 32 + 48 * measures.count }

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
