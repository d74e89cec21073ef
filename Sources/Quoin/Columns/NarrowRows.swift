import CKernels

// Rows of float32s, on which a question is decided wherever the error allows it (Evaluation/NarrowTest.swift).

/// The rows of one block as float32s, from a place in some memory on.
struct NarrowRows {
  let memory: ColumnMemory<Float>
  let start: Int

  /// Room for the rows of a block after `history` others; no loop reads or writes further.
  static func memory(history: Int = 0) -> ColumnMemory<Float> {
    let count = history + Limits.rowsPerBlock + 8
    return ColumnMemory(repeating: 0, count: count)
  }

  /// Calls `body` with the first of `count` rows, which are rounded up to a multiple of `group`.
  fileprivate func withStart<Result>(
    _ count: Int, inGroupsOf group: Int, _ body: (UnsafePointer<Float>) -> Result
  ) -> Result {
    precondition(
      start >= 0 && start + (count + group - 1) / group * group <= memory.count, "\(count) rows from \(start)")
    // Sound: by the precondition, and the memory lives as long as this value.
    return unsafe body(UnsafePointer(memory.base + start))
  }
}

/// What a loop over float32s takes: rows, or one number for all of them.
enum NarrowInput {
  case rows(NarrowRows)
  case number(Float)

  fileprivate func withStart(
    _ count: Int, inGroupsOf group: Int, _ body: (UnsafePointer<Float>, _ isNumber: Int32) -> Void
  ) {
    switch self {
    case .rows(let rows): unsafe rows.withStart(count, inGroupsOf: group) { start in unsafe body(start, 0) }
    case .number(let number): unsafe withUnsafePointer(to: number) { number in unsafe body(number, 1) }
    }
  }
}

extension ColumnMemory<Float> {
  /// Sets the first `count` rows to what the operation makes of `x` and `y * factor`.
  func fill(
    _ operation: quoin_narrow_operation, _ x: NarrowInput, _ y: NarrowInput, factor: Float = 1, count: Int
  ) {
    precondition((count + 7) / 8 * 8 <= self.count, "\(count) rows of \(self.count)")
    unsafe x.withStart(count, inGroupsOf: 8) { x, xIsNumber in
      unsafe y.withStart(count, inGroupsOf: 8) { y, yIsNumber in
        // Sound: all three have room for the rows, in groups of eight.
        unsafe quoin_narrow_rows(operation, x, xIsNumber, y, yIsNumber, factor, count, base)
      }
    }
  }
}

extension NarrowRows {
  /// The rows in which these are above `y * factor` by more than `error`, and those in which they are below by more. What the masks
  /// say of rows from `count` on means nothing.
  func compared(
    _ y: NarrowInput, factor: Float, error: Float, count: Int
  ) -> (above: RowMask, below: RowMask) {
    precondition(count <= Limits.rowsPerBlock, "\(count) rows in a mask")
    var (above, below) = (RowMask.none, RowMask.none)
    unsafe withStart(count, inGroupsOf: 64) { x in
      unsafe y.withStart(count, inGroupsOf: 64) { y, yIsNumber in
        // Sound: `x` and `y` have these rows, and a mask is sixteen words in memory, one for each 64 rows of a block.
        unsafe withUnsafeMutableBytes(of: &above.words) { above in
          unsafe withUnsafeMutableBytes(of: &below.words) { below in
            unsafe quoin_narrow_compare(
              x, y, yIsNumber, factor, error, count, above.baseAddress!.assumingMemoryBound(to: UInt64.self),
              below.baseAddress!.assumingMemoryBound(to: UInt64.self))
          }
        }
      }
    }
    return (above, below)
  }
}
