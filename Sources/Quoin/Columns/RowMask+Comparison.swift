import CKernels

extension RowMask {
  /// In which rows, `count` from row `start` of the columns on, `x` compares with `y`: in none where a value is NaN.
  init(
    _ x: ColumnMemory<Double>, _ comparison: quoin_comparison, _ y: ColumnMemory<Double>, from start: Int, count: Int
  ) {
    precondition(start + count <= y.count, "rows from \(start) of \(y.count)")
    self = unsafe RowMask(x, comparison, y.base + start, isNumber: false, from: start, count: count)
  }

  /// The same, with a number.
  init(_ x: ColumnMemory<Double>, _ comparison: quoin_comparison, _ number: Double, from start: Int, count: Int) {
    self = unsafe withUnsafePointer(to: number) { number in
      unsafe RowMask(x, comparison, number, isNumber: true, from: start, count: count)
    }
  }

  private init(
    _ x: ColumnMemory<Double>, _ comparison: quoin_comparison, _ y: UnsafePointer<Double>, isNumber: Bool,
    from start: Int, count: Int
  ) {
    precondition(start >= 0 && start + count <= x.count && count <= Limits.rowsPerBlock, "rows from \(start)")
    self = .none
    // Sound: both have these rows, and a mask has a bit for each; a vector of 16 words is 16 words in memory.
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      unsafe quoin_compare(
        x.base + start, y, isNumber ? 1 : 0, count, comparison,
        bytes.baseAddress!.assumingMemoryBound(to: UInt64.self))
    }
  }
}
