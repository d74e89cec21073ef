// The verdicts on what has to be computed, from the statistics of the attributes that it is computed from: those of a block, and
// of the ticker's blocks around it on which its rows depend.

extension Program {
  /// The verdicts on the rows for which the first expression is `value`: those of each file's blocks, of these tickers; `some` for
  /// all other blocks.
  ///
  /// - Parameter files: those of the manifest that have blocks of the tickers.
  func verdicts(
    on value: Double, _ tickers: [Int], of snapshot: Snapshot, _ files: [ColumnFile?]
  ) throws(StoreError) -> [[Verdict]] {
    var verdicts = files.map { file in [Verdict](repeating: .some, count: file?.blockCount ?? 0) }
    for ticker in tickers {
      let blocks = TickerBlocks(snapshot.manifest, Int32(ticker)) { index in
        guard let file = files[index] else { preconditionFailure("no block of file \(index) is wanted") }
        return file
      }
      var facts: [BlockFacts] = []
      for block in blocks[0..<blocks.count] {
        guard let file = files[Int(block.fileIndex)] else { continue }
        facts.append(try BlockFacts(file, Int(block.block), attributes, readsDays: readsDays))
      }
      for (index, block) in blocks[0..<blocks.count].enumerated() {
        let around = blocks.blocks(around: index..<(index + 1), reach)
        var bounds = facts[around.dropFirst()].reduce(facts[around.lowerBound]) { $0.union($1) }
          .program(of: snapshot.symbols[ticker])
        verdicts[Int(block.fileIndex)][Int(block.block)] = bounds.bounds(of: self).verdict(value)
      }
    }
    return verdicts
  }
}

/// What the statistics of some blocks of one ticker say.
private struct BlockFacts {
  private var attributes: [Attribute: AttributeFacts] = [:]
  private var days: ClosedRange<TradingDay>

  init(
    _ file: ColumnFile, _ block: Int, _ names: AttributeSet, readsDays: Bool
  ) throws(StoreError) {
    days = .earliest ... .latest
    if readsDays {
      let directory = try file.directory(.date)
      let (first, last) = (Int64(bitPattern: directory.minimum(block)), Int64(bitPattern: directory.maximum(block)))
      days = TradingDay(unchecked: Int32(clamping: first))...TradingDay(unchecked: Int32(clamping: last))
    }
    for name in names.names {
      let directory = try file.directory(.attribute(name))
      let missingCount = directory.missingCount(block)
      let (least, most) = (directory.minimum(block), directory.maximum(block))
      var facts = AttributeFacts(bounds: .missing, integers: nil)
      if missingCount < file.rowCount(block) {
        switch name.key {
        case .double:
          facts.bounds = ValueBounds(
            low: Double(bitPattern: least), high: Double(bitPattern: most), mayBeMissing: false)
        case .integer:
          let range = Int64(bitPattern: least)...Int64(bitPattern: most)
          facts.integers = range
          facts.bounds = ValueBounds(low: Double(range.lowerBound), high: Double(range.upperBound), mayBeMissing: false)
        }
        facts.bounds.mayBeMissing = missingCount > 0
      }
      attributes[name] = facts
    }
  }

  func union(_ other: BlockFacts) -> BlockFacts {
    var union = self
    union.days = min(days.lowerBound, other.days.lowerBound)...max(days.upperBound, other.days.upperBound)
    union.attributes.merge(other.attributes) { $0.union($1) }
    return union
  }

  func program(of ticker: TickerSymbol) -> ProgramBounds { ProgramBounds(attributes, days, of: ticker) }
}
