/// What the terms of a block count.
struct LinearParts {
  /// What is counted for each 1 of the sum.
  let unit: Double
  /// What is counted where all offsets are 0, and what windows count of that.
  var start: Double
  var windowStart = 0.0
  /// The sum of the magnitudes of all that is added, and of all values in the numbers that the sum stands for.
  var size = 0.0
  var wideSize: Double
  /// What terms that are no windows, and the largest window, count at most besides the start.
  var plainSize = 0.0
  var windowSize = 0.0
  /// How far windows may be off because of patches.
  var patchError = 0.0
  /// The rows with windows of fewer rows than they should have.
  var shortRows = RowMask.none

  /// Whether integers are added up exactly as float32s. The last addition may round its result, which is on the same side of 0.
  func areIntegers(_ plainCount: Int, _ count: Int) -> Bool {
    let whole = 0x1p24
    if size <= whole { return true }
    let isLast = plainCount + 1 == count || plainCount == 0 && count == 2 && start == 0
    return isLast && start.magnitude + plainSize <= whole && windowSize <= whole
  }
}
