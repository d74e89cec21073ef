extension QuoteQuery {
  /// Aggregates of the selected quotes, in one pass over them: of all together, of each ticker's, or of each ticker's
  /// in each period of the calendar. Missing cells take no part, and groups without quotes don't appear.
  ///
  /// Of a block of which all rows are selected and belong to one group, only the statistics are read.
  ///
  ///     let months = try store.allQuotes.aggregate([.first(.open), .max(.high), .sum(.volume)], by: .month)
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func aggregate(
    _ aggregations: [Aggregation], by grouping: Grouping? = nil
  ) throws(StoreError) -> AggregateTable {
    try accumulated(AggregateRequest(aggregations, by: grouping)).table(aggregations)
  }

  /// Count, extremes, sum and mean of a float64 attribute over the selected quotes.
  public func aggregate(_ attribute: Attribute<Double>) throws(StoreError) -> Aggregate<Double> {
    let table = try aggregate(Aggregation.summary(of: attribute.name))
    guard case .doubles(let sums) = table[.sum(attribute.name)],
      case .doubles(let minima) = table[.min(attribute.name)],
      case .doubles(let maxima) = table[.max(attribute.name)]
    else { preconditionFailure("aggregates of \(attribute.name) are no float64") }
    return Aggregate(table, attribute.name, minimum: minima[0], maximum: maxima[0], sum: sums[0], none: 0)
  }

  /// Count, extremes, sum and mean of an int64 attribute over the selected quotes.
  public func aggregate(_ attribute: Attribute<Int64>) throws(StoreError) -> Aggregate<Int64> {
    let table = try aggregate(Aggregation.summary(of: attribute.name))
    guard case .sums(let sums) = table[.sum(attribute.name)], case .integers(let minima) = table[.min(attribute.name)],
      case .integers(let maxima) = table[.max(attribute.name)]
    else { preconditionFailure("aggregates of \(attribute.name) are no int64") }
    return Aggregate(table, attribute.name, minimum: minima[0], maximum: maxima[0], sum: sums[0], none: 0)
  }

  private func accumulated(_ request: AggregateRequest) throws(StoreError) -> GroupAccumulator {
    let calendar = request.calendar(of: snapshot.manifest)
    if limit != nil { return try limited(request, calendar) }
    // Groups don't depend on the order of rows.
    let plan = try ordered(.ascending).plan()
    let partCount = threadCount > 1 ? min(threadCount * 2, plan.candidates.count) : 1
    let parts = try WorkQueue.run(partCount, threads: threadCount, { BlockScanner(plan) }) {
      scanner, index throws(StoreError) in
      let count = plan.candidates.count
      var accumulator = GroupAccumulator(request, plan, calendar)
      try accumulator.add(plan.candidates[(count * index / partCount)..<(count * (index + 1) / partCount)], &scanner)
      return accumulator
    }
    var whole = parts.first ?? GroupAccumulator(request, plan, calendar)
    for part in parts.dropFirst() { whole.append(part) }
    return whole
  }

  /// Of some of the selected rows, those that come first in the query's order.
  private func limited(_ request: AggregateRequest, _ calendar: PeriodCalendar?) throws(StoreError) -> GroupAccumulator
  {
    var scan = Scan(self)
    let (plan, selection, blocks) = try scan.selectAll()
    var accumulator = GroupAccumulator(request, plan, calendar)
    // Each ticker's blocks in rising order of days.
    let tickers = Array(selection.blocks[blocks]).chunked { $0.candidate.ticker == $1.candidate.ticker }
    for block in tickers.flatMap({ order == .descending ? $0.reversed() : Array($0) }) {
      let mask = selection.mask(of: block) ?? RowMask(first: block.rowCount)
      try accumulator.add(mask, of: block.candidate)
    }
    return accumulator
  }
}

extension GroupAccumulator {
  /// Filters candidates and adds their matching rows.
  mutating func add(_ candidates: ArraySlice<Candidate>, _ scanner: inout BlockScanner) throws(StoreError) {
    try reserveCapacity(candidates)
    var start = candidates.startIndex
    while start < candidates.endIndex {
      let batch = candidates[start..<min(start + 64, candidates.endIndex)]
      for (candidate, mask) in zip(batch, try scanner.masks(of: batch)) {
        if candidate.verdict == .all {
          try add(candidate)
        } else if !mask.isEmpty {
          try add(mask, of: candidate)
        }
      }
      start = batch.endIndex
    }
  }
}

extension AggregateRequest {
  /// The periods of all days that a store has.
  func calendar(of manifest: Manifest) -> PeriodCalendar? {
    guard let grouping, grouping.isPeriod else { return nil }
    let first = manifest.runs.min { $0.firstDay < $1.firstDay }?.firstDay
    let last = manifest.runs.max { $0.lastDay < $1.lastDay }?.lastDay
    guard let first, let last, first <= last else { return nil }
    return PeriodCalendar(grouping, over: first...last)
  }
}

extension Aggregation {
  /// What `Aggregate` says.
  fileprivate static func summary(of name: AttributeName) -> [Aggregation] {
    [.count, .count(name), .min(name), .max(name), .sum(name), .mean(name)]
  }
}

extension Aggregate {
  fileprivate init(
    _ table: AggregateTable, _ name: AttributeName, minimum: Value, maximum: Value, sum: Value.Sum, none: Value.Sum
  ) {
    let count = Int(table[.count(name)].double(at: 0) ?? 0)
    self.init(
      count: count, missingCount: Int(table[.count].double(at: 0) ?? 0) - count,
      minimum: count > 0 ? minimum : nil, maximum: count > 0 ? maximum : nil, sum: count > 0 ? sum : none,
      mean: count > 0 ? table.mean(name) : nil)
  }
}

extension AggregateTable {
  /// The mean in the only row; NaN when there are infinite values of both signs.
  fileprivate func mean(_ name: AttributeName) -> Double {
    if case .doubles(let means) = self[.mean(name)] { means[0] } else { .nan }
  }
}

extension Array {
  /// The elements in order, cut where `belong` doesn't hold between neighbours.
  fileprivate func chunked(_ belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices.dropFirst() where !belong(self[index - 1], self[index]) {
      chunks.append(self[start..<index])
      start = index
    }
    return isEmpty ? [] : chunks + [self[start...]]
  }
}
