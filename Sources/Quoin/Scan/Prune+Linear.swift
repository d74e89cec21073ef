// The verdicts on linear comparisons: the extremes of each column, times its weight, add up to those of the sum.

extension LinearTest {
  /// The verdicts on the rows in which the test holds: those of each file's blocks, of these tickers; `some` for all other blocks.
  ///
  /// - Parameter files: those of the manifest that have blocks of the tickers.
  func verdicts(
    _ test: NarrowTest, _ tickers: [Int], of snapshot: Snapshot, _ files: [ColumnFile?]
  ) throws(StoreError) -> [[Verdict]] {
    var verdicts = files.map { file in [Verdict](repeating: .some, count: file?.blockCount ?? 0) }
    var statistics: [[TermStatistics]] = []
    for file in files {
      var terms: [TermStatistics] = []
      if let file {
        for attribute in attributes { terms.append(try TermStatistics(file, test.attributes[attribute].name)) }
      }
      statistics.append(terms)
    }
    for ticker in tickers {
      var before: (terms: [TermStatistics], block: Int)?
      for run in snapshot.manifest.runs(ofTickerAt: ticker) {
        let terms = statistics[run.fileIndex]
        for block in run.blocks {
          verdicts[run.fileIndex][block] = verdict(terms, block, before)
          before = (terms, block)
        }
      }
    }
    return verdicts
  }

  private func verdict(
    _ terms: [TermStatistics], _ block: Int, _ before: (terms: [TermStatistics], block: Int)?
  ) -> Verdict {
    var (low, high, size, mayBeMissing) = (constant, constant, constantSize, false)
    for index in terms.indices {
      let weight = weights[index]
      guard var extremes = terms[index].extremes(block) else { return .some }
      mayBeMissing = mayBeMissing || extremes.hasMissing
      if weight.reach > 0 {
        if let before {
          guard before.terms[index].rowCount(before.block) >= weight.reach,
            let others = before.terms[index].extremes(before.block)
          else { return .some }
          extremes = (min(extremes.low, others.low), max(extremes.high, others.high), false)
          mayBeMissing = mayBeMissing || others.hasMissing
        } else {
          mayBeMissing = true
        }
      }
      // A quotient is as its dividend is only where its divisor is above 0.
      if weight.isDivisor, extremes.low <= LinearSum.leastDivisor { return .some }
      let (x, y) = (weight.weight * extremes.low, weight.weight * extremes.high)
      (low, high) = (low + min(x, y), high + max(x, y))
      size += weight.size * max(-extremes.low, extremes.high)
    }
    // One value is above another exactly where their difference, rounded, is above 0.
    let error = isDifference ? 0 : size * LinearSum.wideRounding
    guard size < 0x1p300 else { return .some }
    if low > error { return holds(for: .above) ? mayBeMissing ? .some : .all : .none }
    if high < -error { return holds(for: .below) ? mayBeMissing ? .some : .all : .none }
    return .some
  }

  /// Whether the test holds where the sum is above 0, or where it is below.
  private func holds(for side: Comparison) -> Bool {
    switch comparison {
    case .above, .atLeast: side == .above
    case .below, .atMost: side == .below
    case .equal: false
    case .notEqual: true
    }
  }
}

/// The statistics of one column of a file.
private struct TermStatistics {
  private let file: ColumnFile
  private let directory: SectionDirectory
  private let holdsDoubles: Bool

  init(_ file: ColumnFile, _ name: Attribute) throws(StoreError) {
    (self.file, directory) = (file, try file.directory(.attribute(name)))
    holdsDoubles = file.holdsDoubles(name)
  }

  func rowCount(_ block: Int) -> Int { file.rowCount(block) }

  /// The extremes of a block; nil if it has no values.
  @inline(__always)
  func extremes(_ block: Int) -> (low: Double, high: Double, hasMissing: Bool)? {
    let missingCount = directory.missingCount(block)
    if missingCount > 0, missingCount == file.rowCount(block) { return nil }
    let (least, most) = (directory.minimum(block), directory.maximum(block))
    return holdsDoubles
      ? (Double(bitPattern: least), Double(bitPattern: most), missingCount > 0)
      : (Double(Int64(bitPattern: least)), Double(Int64(bitPattern: most)), missingCount > 0)
  }
}
