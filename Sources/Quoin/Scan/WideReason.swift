/// Why blocks are computed in float64, of a condition that can be decided in float32.
///
/// A block for which there are several reasons has the first one that was found.
public enum WideReason: String, CaseIterable, Sendable {
  /// Values that are missing, too many patches, or an encoding that isn't of integers over one power of ten.
  case values
  /// The error in float32 has no bound, as where a divisor may be 0.
  case error
  /// More rows than a quarter, or than is worth the work, are within the error.
  case doubt
  /// The rows before are in several blocks, or weren't decided themselves.
  case rowsBefore

  /// The reason in words, of blocks.
  package var words: String {
    switch self {
    case .values: "whose values aren't integers over a power of ten"
    case .error: "in which the error of float32 has no bound"
    case .doubt: "with too many rows within the error"
    case .rowsBefore: "after rows that weren't decided"
    }
  }
}

/// Blocks that are computed in float64, and why.
struct WideBlocks {
  /// Their places among the candidates.
  private(set) var places: [Int] = []
  /// How many there are for each reason.
  private(set) var counts: [WideReason: Int] = [:]

  mutating func append(_ place: Int, _ reason: WideReason) {
    places.append(place)
    counts[reason, default: 0] += 1
  }
}

/// What came of a narrow test of a block.
enum NarrowOutcome {
  /// The rows in which it holds.
  case held(RowMask)
  /// It has to be evaluated in float64.
  case wide(WideReason)
}
