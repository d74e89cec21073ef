import CKernels

/// In which rows of one ticker something holds: where `x` compares with `y`, and neither is missing.
struct RowTest {
  let x: ColumnMemory<Double>
  let comparison: Comparison
  let y: RowInput

  /// A test of two inputs of so many rows.
  init(_ x: RowInput, _ comparison: Comparison, _ y: RowInput, count: Int) {
    switch (x, y) {
    case (.column(let x), _): (self.x, self.comparison, self.y) = (x, comparison, y)
    case (_, .column(let y)): (self.x, self.comparison, self.y) = (y, comparison.mirrored, x)
    case (.number(let number), _):
      (self.x, self.comparison, self.y) = (ColumnMemory(repeating: number, count: count), comparison, y)
    }
  }

  /// The rows of a block, whose first row is `start` here.
  func mask(from start: Int, count: Int) -> RowMask {
    switch y {
    case .column(let y): RowMask(x, comparison.kernel, y, from: start, count: count)
    case .number(let number): RowMask(x, comparison.kernel, number, from: start, count: count)
    }
  }
}

extension Comparison {
  fileprivate var kernel: quoin_comparison {
    switch self {
    case .below: QUOIN_BELOW
    case .atMost: QUOIN_AT_MOST
    case .above: QUOIN_ABOVE
    case .atLeast: QUOIN_AT_LEAST
    case .equal: QUOIN_EQUAL
    case .notEqual: QUOIN_NOT_EQUAL
    }
  }
}
