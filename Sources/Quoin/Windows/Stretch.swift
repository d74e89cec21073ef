/// How long a condition has held. A condition is 1 (true), 0 (false) or missing (unknown) in each row.
enum Stretch: String, CaseIterable, Hashable, Sendable {
  /// The number of rows in a row in which it is true, 0 where it is false. Where it is unknown the number is missing, and
  /// the next row begins anew.
  case streak
  /// The number of rows since it was last true, 0 where it is; missing before.
  case since

  /// Fills `results`: a value for each row of a ticker, from its first row on.
  func fill(_ results: inout MutableSpan<Double>, from condition: ColumnBuffer<Double>) {
    precondition(condition.count == results.count, "a condition of \(condition.count) rows for \(results.count)")
    var count = self == .streak ? 0 : Double.missing
    for row in 0..<results.count {
      let value = condition[row]
      switch self {
      case .streak: count = value == 1 ? count + 1 : 0
      case .since: count = value == 1 ? 0 : count + 1
      }
      results[row] = self == .streak && value.isMissing ? .missing : count
    }
  }
}
