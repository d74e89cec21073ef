// The verdicts on what has to be computed, from the statistics of the attributes that it is computed from: those of a block, and
// of the ticker's blocks around it on which its rows depend.

extension Program {
  /// The verdicts on the rows for which the first expression is `value`: those of each file's blocks, of these tickers; `some` for
  /// all other blocks.
  ///
  /// - Parameter files: those of the manifest that have blocks of the tickers.
  func verdicts(
    on value: Double, _ tickers: [Int], of snapshot: Snapshot, _ files: [ColumnFile?],
    _ series: [MarketValue: MarketSeries], within budget: QuestionBudget?
  ) throws(StoreError) -> [[Verdict]] {
    var verdicts = files.map { file in [Verdict](repeating: .some, count: file?.blockCount ?? 0) }
    var directories: [BlockDirectories?] = []
    for file in files {
      directories.append(
        try file.map { file throws(StoreError) in
          try BlockDirectories(file, self, hasFractions: snapshot.hasFractions)
        })
    }
    var facts = BlockFacts(attributes: attributes.names.map { _ in [] })
    var places: [Candidate] = []
    for ticker in tickers {
      let blocks = TickerBlocks(snapshot.manifest, Int32(ticker)) { index in
        guard let file = files[index] else { preconditionFailure("no block of file \(index) is wanted") }
        return file
      }
      places += blocks[0..<blocks.count]
      append(blocks, of: snapshot.symbols[ticker], directories, to: &facts)
    }
    for (place, bounds) in zip(places, try ProgramBounds.bounds(of: self, over: facts, series, within: budget)) {
      verdicts[Int(place.fileIndex)][Int(place.block)] = bounds.verdict(value)
    }
    return verdicts
  }

  /// Appends what is known of a ticker's blocks, each with those around it on which its rows depend.
  private func append(
    _ blocks: TickerBlocks, of ticker: TickerSymbol, _ directories: [BlockDirectories?], to facts: inout BlockFacts
  ) {
    let all = blocks[0..<blocks.count]
    let around = reach == Reach() ? nil : all.indices.map { blocks.blocks(around: $0..<($0 + 1), reach) }
    func directory(_ block: Candidate) -> BlockDirectories {
      guard let directory = directories[Int(block.fileIndex)] else { preconditionFailure("a block of no file") }
      return directory
    }
    for (index, _) in attributes.names.enumerated() {
      let own = all.map { directory($0).facts(ofAttributeAt: index, inBlock: Int($0.block)) }
      facts.attributes[index] +=
        around?.map { own[$0.dropFirst()].reduce(own[$0.lowerBound]) { $0.union($1) } } ?? own
    }
    if readsDays {
      let own = all.map { directory($0).days(ofBlock: Int($0.block)) }
      facts.days +=
        around?.map { own[$0.lowerBound].lowerBound...own[$0.upperBound - 1].upperBound } ?? own
    }
    for _ in all { facts.tickers.append(ticker) }
  }
}

/// The statistics of one file's blocks that a program depends on.
private struct BlockDirectories {
  private let file: ColumnFile
  /// Whether volumes are float64s in some file.
  private let hasFractions: Bool
  private let days: SectionDirectory?
  private var attributes: [(name: Attribute, directory: SectionDirectory)] = []

  init(_ file: ColumnFile, _ program: Program, hasFractions: Bool) throws(StoreError) {
    (self.file, self.hasFractions) = (file, hasFractions)
    days = program.readsDays ? try file.directory(.date) : nil
    for name in program.attributes.names { attributes.append((name, try file.directory(.attribute(name)))) }
  }

  func days(ofBlock block: Int) -> ClosedRange<TradingDay> {
    guard let days else { preconditionFailure("the days were not read") }
    let (first, last) = (Int64(bitPattern: days.minimum(block)), Int64(bitPattern: days.maximum(block)))
    return TradingDay(unchecked: Int32(clamping: first))...TradingDay(unchecked: Int32(clamping: last))
  }

  func facts(ofAttributeAt index: Int, inBlock block: Int) -> AttributeFacts {
    let (name, directory) = attributes[index]
    let missingCount = directory.missingCount(block)
    guard missingCount < file.rowCount(block) else { return AttributeFacts(bounds: .missing) }
    let (least, most) = (directory.minimum(block), directory.maximum(block))
    var facts = AttributeFacts(bounds: .missing)
    if file.holdsDoubles(name) {
      facts.bounds = ValueBounds(low: Double(bitPattern: least), high: Double(bitPattern: most), mayBeMissing: false)
    } else {
      let range = Int64(bitPattern: least)...Int64(bitPattern: most)
      if !hasFractions { facts.integers = range }
      facts.bounds = ValueBounds(low: Double(range.lowerBound), high: Double(range.upperBound), mayBeMissing: false)
    }
    facts.bounds.mayBeMissing = missingCount > 0
    return facts
  }
}
