import CKernels

/// Calls of the loops in C, each of which writes the tile's results.
///
/// Sound: as `WindowTile` says. The window of a hard sum lies in the tile.
extension WindowTile {
  func takeCounts() { unsafe _ = results.values.update(fromContentsOf: counts.values) }
  func takeSums() { takeSums(of: x, results, means: xMeans) }
  func takeMeans() { takeSums(of: x, sums, means: results) }
  func takeProducts() { unsafe run { unsafe quoin_window_products($0, results.base) } }
  func takeRanks() { unsafe run { unsafe quoin_window_ranks($0, results.base) } }

  /// The largest values if `sign` is 1, the smallest if it is -1.
  func takeExtremes(sign: Double) {
    unsafe run { unsafe quoin_window_extremes($0, sign, scratch.base, results.base) }
  }

  func takePlaces(sign: Double) {
    unsafe run { unsafe quoin_window_places($0, sign, scratch.base, results.base) }
  }

  /// The oldest values that are there, or the newest ones. Beside missing values there are windows without any.
  func takeEnds(isFirst: Bool) {
    let (windowCount, rows) = (windowCount, rows)
    var place = -1
    if isFirst {
      for row in (0..<rows + windowCount - 1).reversed() {
        if !x[row].isMissing { place = row }
        if row < windowCount { results[row] = place >= 0 && place < row + rows ? x[place] : .missing }
      }
    } else {
      for row in 0..<rows + windowCount - 1 {
        if !x[row].isMissing { place = row }
        if row + 1 >= rows { results[row + 1 - rows] = place > row - rows ? x[place] : .missing }
      }
    }
  }

  func takeQuantiles(_ share: Double) {
    unsafe run { unsafe quoin_window_quantiles($0, share, scratch.base, results.base) }
  }

  func take(_ function: quoin_deviation) {
    takeSums(of: x, sums, means: xMeans)
    unsafe run { unsafe quoin_window_deviations($0, function, results.base) }
  }

  func take(_ function: quoin_line) {
    takeSums(of: x, sums, means: xMeans)
    unsafe run { unsafe quoin_window_lines($0, function, results.base) }
  }

  func take(_ function: quoin_pair) {
    takeSums(of: x, sums, means: xMeans)
    takeSums(of: y, sums, means: yMeans)
    unsafe run { unsafe quoin_window_pairs($0, function, results.base) }
  }

  /// The exact sums and means of an input.
  private func takeSums(
    of values: ColumnMemory<Double>, _ sums: ColumnMemory<Double>, means: ColumnMemory<Double>
  ) {
    let hardCount = unsafe run { tile in
      unsafe quoin_window_sums(tile, values.base, scratch.base, sums.base, means.base, hard.base)
    }
    for index in 0..<hardCount {
      let window = Int(hard[index])
      let (sum, count) = hardSum(values, window)
      sums.update(window..<window + 1, repeating: count == 0 ? .missing : sum.value)
      means.update(window..<window + 1, repeating: count == 0 ? .missing : sum.mean(of: count))
    }
  }

  /// The sum of a window that two numbers can't hold.
  private func hardSum(_ values: ColumnMemory<Double>, _ window: Int) -> (sum: LongSum, count: Int) {
    var (sum, count) = (LongSum(), 0)
    for row in window..<window + rows where !values[row].isMissing {
      sum.add(values[row])
      count += 1
    }
    return (sum, count)
  }
}

extension WindowTile {
  /// The value below which a share of rising values lies, interpolated as in a window (Hyndman and Fan's type 7).
  static func quantile(_ share: Double, ofSorted values: [Double]) -> Double {
    unsafe values.withUnsafeBufferPointer { unsafe quoin_quantile($0.baseAddress, $0.count, share) }
  }
}
