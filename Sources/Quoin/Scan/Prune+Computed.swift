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
    var directories: [BlockDirectories?] = []
    for file in files {
      directories.append(try file.map { file throws(StoreError) in try BlockDirectories(file, self) })
    }
    var bounds = ProgramBounds(self)
    for ticker in tickers {
      let blocks = TickerBlocks(snapshot.manifest, Int32(ticker)) { index in
        guard let file = files[index] else { preconditionFailure("no block of file \(index) is wanted") }
        return file
      }
      let facts = blocks[0..<blocks.count].compactMap { directories[Int($0.fileIndex)]?.facts(ofBlock: Int($0.block)) }
      for (index, block) in blocks[0..<blocks.count].enumerated() {
        let around = blocks.blocks(around: index..<(index + 1), reach)
        let rows = facts[around.dropFirst()].reduce(facts[around.lowerBound]) { $0.union($1) }
        verdicts[Int(block.fileIndex)][Int(block.block)] =
          bounds.bounds(over: rows, of: snapshot.symbols[ticker]).verdict(value)
      }
    }
    return verdicts
  }
}

/// The statistics of one file's blocks that a program depends on.
private struct BlockDirectories {
  private let file: ColumnFile
  private let days: SectionDirectory?
  private var attributes: [(name: Attribute, directory: SectionDirectory)] = []

  init(_ file: ColumnFile, _ program: Program) throws(StoreError) {
    self.file = file
    days = program.readsDays ? try file.directory(.date) : nil
    for name in program.attributes.names { attributes.append((name, try file.directory(.attribute(name)))) }
  }

  func facts(ofBlock block: Int) -> RowFacts {
    var facts = RowFacts(attributes: [], days: .earliest ... .latest)
    if let days {
      let (first, last) = (Int64(bitPattern: days.minimum(block)), Int64(bitPattern: days.maximum(block)))
      facts.days = TradingDay(unchecked: Int32(clamping: first))...TradingDay(unchecked: Int32(clamping: last))
    }
    facts.attributes = attributes.map { name, directory in self.facts(of: name, directory, block) }
    return facts
  }

  private func facts(of name: Attribute, _ directory: SectionDirectory, _ block: Int) -> AttributeFacts {
    let missingCount = directory.missingCount(block)
    guard missingCount < file.rowCount(block) else { return AttributeFacts(bounds: .missing) }
    let (least, most) = (directory.minimum(block), directory.maximum(block))
    var facts = AttributeFacts(bounds: .missing)
    switch name.key {
    case .double:
      facts.bounds = ValueBounds(low: Double(bitPattern: least), high: Double(bitPattern: most), mayBeMissing: false)
    case .integer:
      let range = Int64(bitPattern: least)...Int64(bitPattern: most)
      facts.integers = range
      facts.bounds = ValueBounds(low: Double(range.lowerBound), high: Double(range.upperBound), mayBeMissing: false)
    }
    facts.bounds.mayBeMissing = missingCount > 0
    return facts
  }
}
