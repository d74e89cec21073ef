// The verdicts on linear comparisons: the extremes of each column, times its weight, add up to those of the sum. Where two columns are
// compared, those of their ratio say more.

extension LinearTest {
  /// The verdicts on the rows in which the test holds: those of each file's blocks, of these tickers; `some` for all other blocks.
  ///
  /// - Parameter files: those of the manifest that have blocks of the tickers.
  func verdicts(
    _ test: NarrowTest, _ tickers: [Int], of snapshot: Snapshot, _ files: [ColumnFile?]
  ) throws(StoreError) -> [[Verdict]] {
    var verdicts = files.map { file in [Verdict](repeating: .some, count: file?.blockCount ?? 0) }
    let ratio = divisor == nil ? sum.ratio(test) : nil
    var statistics: [[TermStatistics]] = []
    var extremes: [[RatioExtremes]] = []
    for file in files {
      var columns: [TermStatistics] = []
      if let file {
        for attribute in test.attributes { columns.append(try TermStatistics(file, attribute.name)) }
      }
      statistics.append(columns)
      if let file, let ratio { extremes.append(try file.extremes(of: ratio.ratio)) } else { extremes.append([]) }
    }
    for ticker in tickers {
      var before: TermsOfBlock?
      for run in snapshot.manifest.runs(ofTickerAt: ticker) {
        let columns = statistics[run.fileIndex]
        for block in run.blocks {
          let own = TermsOfBlock(
            columns: columns, ratio: ratio == nil ? nil : extremes[run.fileIndex][block], block: block)
          verdicts[run.fileIndex][block] = verdict(own, after: before, ratio)
          before = own
        }
      }
    }
    return verdicts
  }

  private func verdict(_ own: TermsOfBlock, after before: TermsOfBlock?, _ ratio: ComparedRatio?) -> Verdict {
    if let ratio, let sign = ratio.sign(own, after: before) {
      guard signs.contains(sign) else { return .none }
      return own.hasMissing || ratio.isOfRowsBefore && before?.hasMissing ?? true ? .some : .all
    }
    // A quotient is as its dividend is only where its divisor is above 0.
    if let divisor, divisor.sign(own, after: before)?.sign != .above { return .some }
    guard let (sign, mayBeMissing) = sum.sign(own, after: before) else { return .some }
    return signs.contains(sign) ? mayBeMissing ? .some : .all : .none
  }
}

/// What is known of a block, of which a sum has terms.
private struct TermsOfBlock {
  /// The statistics of the narrow test's attributes in the block's file.
  let columns: [TermStatistics]
  /// Those of the ratio that decides the test, if there is one.
  let ratio: RatioExtremes?
  let block: Int

  var rowCount: Int { columns[0].rowCount(block) }
  /// Whether a column has a missing value.
  var hasMissing: Bool { columns.contains { $0.hasMissing(block) } }
}

/// A sum of two columns as a sum of their ratio, of which the statistics have the extremes: `over * x + under * y`, which is
/// `(over * x/y + under) * y`.
private struct ComparedRatio {
  let ratio: BlockRatio
  let over: LinearWeight
  let under: LinearWeight

  var isOfRowsBefore: Bool { ratio.shift > 0 }

  /// Whether the sum is above or below 0 in all rows of a block that have one; nil if that isn't known.
  @inline(__always)
  func sign(_ own: TermsOfBlock, after before: TermsOfBlock?) -> LinearSigns? {
    let before = isOfRowsBefore ? before : nil
    if let before, before.rowCount < ratio.shift { return nil }
    guard let bounds = own.ratio?.bounds(after: before?.ratio) else { return nil }
    let (x, y) = (over.weight * bounds.low + under.weight, over.weight * bounds.high + under.weight)
    let error = (over.size * bounds.high + under.size) * LinearSum.wideRounding
    if min(x, y) > error { return .above }
    return max(x, y) < -error ? .below : nil
  }
}

extension LinearTerms {
  /// The ratio that decides the sum; nil if the statistics have none.
  fileprivate func ratio(_ test: NarrowTest) -> ComparedRatio? {
    guard weights.count == 2, constantSize == 0, !hasWindows else { return nil }
    for (over, under) in [(0, 1), (1, 0)] where weights[over].shift == 0 {
      let ratio = BlockRatio(
        over: test.attributes[attributes[over]].name, under: test.attributes[attributes[under]].name,
        shift: weights[under].shift)
      if BlockRatio.all.contains(ratio) {
        return ComparedRatio(ratio: ratio, over: weights[over], under: weights[under])
      }
    }
    return nil
  }
}

extension LinearTerms {
  /// Whether the sum is above or below 0 in all rows of a block that have one, and whether some may have none; nil if that isn't known.
  ///
  /// - Parameter before: the block before.
  fileprivate func sign(
    _ own: TermsOfBlock, after before: TermsOfBlock?
  ) -> (sign: LinearSigns, mayBeMissing: Bool)? {
    var (low, high, size, mayBeMissing) = (constant, constant, constantSize, false)
    for (weight, attribute) in zip(weights, attributes) {
      guard var extremes = own.columns[attribute].extremes(own.block) else { return nil }
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
  func hasMissing(_ block: Int) -> Bool { directory.missingCount(block) > 0 }

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
