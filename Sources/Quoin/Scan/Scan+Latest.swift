extension Scan {
  /// The last selected row of each ticker; nil if there is none. The query must be in descending order. Ends the scan.
  ///
  /// Limit and offset count these rows.
  mutating func latest() throws(StoreError) -> QuoteBatch? {
    try budget.work { () throws(StoreError) in try readLatest() }
  }

  private mutating func readLatest() throws(StoreError) -> QuoteBatch? {
    guard remaining > 0, let plan = try begin() else { return nil }
    defer { stop() }
    let rows = try plan.lastRows().dropFirst(offset).prefix(remaining)
    for (block, row) in rows {
      selection.append(RowMask(rows: row..<(row + 1)), of: block, blockRowCount: Int(block.rowCount))
    }
    return rows.isEmpty ? nil : try materialize(selection.blocks[...], rows.count, plan)
  }
}

extension ScanPlan {
  /// The last matching row of each ticker, in the order of tickers. In the plan, each ticker's last block must come first.
  ///
  /// Looks into one block of each ticker, then into the block before it of those tickers that had no match, and so on.
  fileprivate func lastRows() throws(StoreError) -> [(block: Candidate, row: Int)] {
    var waiting = Array(tickerRanges().enumerated())
    var found: [(block: Candidate, row: Int)?] = Array(repeating: nil, count: waiting.count)
    while !waiting.isEmpty {
      let blocks = waiting.map { candidates[$0.element.lowerBound] }
      let chunks = ScanChunks.ranges(blocks.count, crew)
      let ahead = hasReadConditions(of: blocks[...]) ? nil : ReadAhead(self, blocks, conditions.parts)
      let masks = try crew.map(chunks.count, worker: BlockScanner(self)) { scanner, index throws(StoreError) in
        ahead?.reach(chunks[index].lowerBound)
        return try scanner.masks(of: blocks[chunks[index]])
      }
      for (index, mask) in masks.joined().enumerated() {
        found[waiting[index].offset] = mask.lastRow(before: Limits.rowsPerBlock).map { (blocks[index], $0) }
      }
      waiting = waiting.compactMap { place, range in
        found[place] == nil && range.count > 1 ? (place, range.dropFirst()) : nil
      }
    }
    return found.compactMap { $0 }
  }

  /// The candidates of each ticker.
  func tickerRanges() -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for index in candidates.indices where candidates[index].ticker != candidates[start].ticker {
      ranges.append(start..<index)
      start = index
    }
    return candidates.isEmpty ? [] : ranges + [start..<candidates.count]
  }
}
