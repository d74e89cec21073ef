import CKernels

/// The windows of some neighboring rows, and what they amount to; the loops are in C (`CKernels/include/windows.h`). The
/// memory serves one tile after the other.
///
/// Sound: each memory has the room that the loops ask for, and no pointer to it outlives a call. The inputs are as long as the
/// rows that are read from them (`WindowFunction.fill` makes sure).
final class WindowTile {
  /// The columns that it has: values, counts, sums, means, results, and the room of a loop.
  static let columnCount = 9

  private let rowLimit: Int
  private let inputs: [ColumnBuffer<Double>]

  /// The rows that are the newest ones of the windows.
  private var newest = 0..<0
  private var hasMissing = false
  private var hasLarge = false

  /// The rows of a window. Rows before the first one are missing, so no window needs more rows than there are.
  var rows: Int { min(rowLimit, newest.upperBound) }

  let x, y, counts, sums, xMeans, yMeans, scratch, results: ColumnMemory<Double>
  let hard: ColumnMemory<Int32>

  /// Up to `capacity` windows of `rows` rows of one input or two.
  init(rows: Int, capacity: Int, inputs: [ColumnBuffer<Double>]) {
    (rowLimit, self.inputs) = (rows, inputs)
    let (windowCount, isPair) = (Self.roundedUp(capacity), inputs.count == 2)
    let valueCount = rows + windowCount + 8
    func memory(_ count: Int) -> ColumnMemory<Double> { ColumnMemory(capacity: count, count: count) }
    (x, y) = (memory(valueCount), memory(isPair ? valueCount : 0))
    (xMeans, yMeans) = (memory(windowCount), memory(isPair ? windowCount : 0))
    (counts, sums, results) = (memory(windowCount), memory(windowCount), memory(windowCount))
    scratch = memory(max(2 * valueCount, 8 * (rows + 1)))
    hard = ColumnMemory(capacity: windowCount, count: windowCount)
  }

  var hasPairs: Bool { inputs.count == 2 }
  var windowCount: Int { Self.roundedUp(newest.count) }
  /// How many rows of the first window lie before the first row that exists.
  private var absentCount: Int { max(0, rows - 1 - newest.lowerBound) }

  /// The loops compute sixteen windows at a time.
  private static func roundedUp(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  /// Calls a loop with the tile.
  func run<Result>(_ loop: (UnsafePointer<quoin_tile>) -> Result) -> Result {
    let tile = unsafe quoin_tile(
      rows: rows, windows: windowCount, absent: absentCount, has_missing: hasMissing ? 1 : 0, x: x.base, y: y.base,
      counts: counts.base, x_means: xMeans.base, y_means: yMeans.base)
    return unsafe withUnsafePointer(to: tile) { unsafe loop($0) }
  }

  /// Reads the windows whose newest rows are these.
  func read(_ newest: Range<Int>) {
    self.newest = newest
    hasLarge = false
    hasMissing = read(inputs[0], into: x)
    if hasPairs {
      let hasMissingToo = read(inputs[1], into: y)
      hasMissing = hasMissing || hasMissingToo
      if hasMissing { unsafe quoin_tile_pair(x.base, y.base, rows + windowCount - 1) }
    }
    if hasMissing {
      unsafe run { unsafe quoin_window_counts($0, counts.base) }
    } else {
      counts.update(0..<windowCount, repeating: Double(rows))
    }
  }

  /// Reads the values of an input. Returns whether some are missing, as those before the first row are.
  private func read(_ input: ColumnBuffer<Double>, into values: ColumnMemory<Double>) -> Bool {
    let absentCount = absentCount
    let first = newest.lowerBound - (rows - 1) + absentCount
    let end = absentCount + newest.upperBound - first
    values.update(0..<absentCount, repeating: .missing)
    let flags = unsafe input.withUnsafeBufferPointer { input in
      let part = unsafe UnsafeBufferPointer(rebasing: input[first..<newest.upperBound])
      return unsafe quoin_tile_fill(part.baseAddress, part.count, values.base + absentCount)
    }
    values.update(end..<rows + windowCount + 8, repeating: 0)
    hasLarge = hasLarge || Int(flags) & QUOIN_HAS_LARGE != 0
    return absentCount > 0 || Int(flags) & QUOIN_HAS_MISSING != 0
  }

  /// Gives the results to their rows. Those that aren't finite, as only large values have them, are missing.
  func write(to values: inout MutableSpan<Double>) {
    if hasLarge { for index in 0..<newest.count { results[index] = results[index].ifFinite } }
    unsafe values.withUnsafeMutableBufferPointer { values in
      let part = unsafe UnsafeMutableBufferPointer(rebasing: values[newest])
      unsafe _ = part.update(fromContentsOf: results.values[..<newest.count])
    }
  }
}
