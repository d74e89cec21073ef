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
      var columns: [TermStatistics] = []
      if let file {
        for attribute in test.attributes { columns.append(try TermStatistics(file, attribute.name)) }
      }
      statistics.append(columns)
    }
    for ticker in tickers {
      var before: (columns: [TermStatistics], block: Int)?
      for run in snapshot.manifest.runs(ofTickerAt: ticker) {
        let columns = statistics[run.fileIndex]
        for block in run.blocks {
          verdicts[run.fileIndex][block] = verdict(columns, block, before)
          before = (columns, block)
        }
      }
    }
    return verdicts
  }

  private func verdict(
    _ columns: [TermStatistics], _ block: Int, _ before: (columns: [TermStatistics], block: Int)?
  ) -> Verdict {
    // A quotient is as its dividend is only where its divisor is above 0.
    if let divisor, divisor.sign(columns, block, before)?.sign != .above { return .some }
    guard let (sign, mayBeMissing) = sum.sign(columns, block, before) else { return .some }
    return signs.contains(sign) ? mayBeMissing ? .some : .all : .none
  }
}

extension LinearTerms {
  /// Whether the sum is above or below 0 in all rows of a block that have one, and whether some may have none; nil if that isn't known.
  ///
  /// - Parameters:
  ///   - columns: the statistics of the narrow test's attributes.
  ///   - before: those of the block before.
  fileprivate func sign(
    _ columns: [TermStatistics], _ block: Int, _ before: (columns: [TermStatistics], block: Int)?
  ) -> (sign: LinearSigns, mayBeMissing: Bool)? {
    var (low, high, size, mayBeMissing) = (constant, constant, constantSize, false)
    for (weight, attribute) in zip(weights, attributes) {
      guard var extremes = columns[attribute].extremes(block) else { return nil }
      mayBeMissing = mayBeMissing || extremes.hasMissing
      if weight.reach > 0 {
        if let before {
          guard before.columns[attribute].rowCount(before.block) >= weight.reach,
            let others = before.columns[attribute].extremes(before.block)
          else { return nil }
          extremes = (min(extremes.low, others.low), max(extremes.high, others.high), false)
          mayBeMissing = mayBeMissing || others.hasMissing
        } else {
          mayBeMissing = true
        }
      }
      if weight.isDivisor, extremes.low <= LinearSum.leastDivisor { return nil }
      let (x, y) = (weight.weight * extremes.low, weight.weight * extremes.high)
      (low, high) = (low + min(x, y), high + max(x, y))
      size += weight.size * max(-extremes.low, extremes.high)
    }
    // One value is above another exactly where their difference, rounded, is above 0.
    let error = isDifference ? 0 : size * LinearSum.wideRounding
    guard size < 0x1p300 else { return nil }
    if low > error { return (.above, mayBeMissing) }
    return high < -error ? (.below, mayBeMissing) : nil
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
