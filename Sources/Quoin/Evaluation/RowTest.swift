import CKernels

/// In which rows of one ticker something holds: where `x` compares with `y`, and neither is missing.
struct RowTest {
  let x: ColumnMemory<Double>
  let comparison: Comparison
  let y: RowInput

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
