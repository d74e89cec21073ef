/// A function of the rows in which a condition holds, doesn't hold, or may hold: of truths, which are 1, 0 or missing.
final class FlagFunction: Function {
  let name: String
  let meaning: String
  let example: String
  let synonyms: [String]
  /// Whether the last rows of a window are looked at, and not all rows.
  let hasWindow: Bool
  /// Whether the function is itself a condition.
  let isCondition: Bool
  /// A value for each row, from the truths of all rows.
  let values: @Sendable (_ truths: ColumnMemory<Double>, _ window: RowWindow) -> ColumnMemory<Double>
  /// What the values can be, from what the truths can be.
  let bounds: @Sendable (_ truths: ValueBounds, _ window: RowWindow) -> ValueBounds

  private init(
    _ name: String, _ meaning: String, example: String, synonyms: [String] = [], hasWindow: Bool = true,
    isCondition: Bool = false, bounds: @escaping @Sendable (ValueBounds, RowWindow) -> ValueBounds,
    values: @escaping @Sendable (ColumnMemory<Double>, RowWindow) -> ColumnMemory<Double>
  ) {
    (self.name, self.meaning, self.example, self.synonyms) = (name, meaning, example, synonyms)
    (self.hasWindow, self.isCondition, self.bounds, self.values) = (hasWindow, isCondition, bounds, values)
  }

  static let all = [every, any, count, share, streak, since]

  static let every = FlagFunction(
    "every", "Whether the condition holds in each of the last rows.", example: "every(close > open, 3)",
    isCondition: true, bounds: { x, _ in ValueBounds(canHold: x.canHold, canFail: x.canFail, mayBeMissing: true) },
    values: { counted($0, $1) { $0.no > 0 ? 0 : $0.unknown > 0 ? .missing : 1 } })

  static let any = FlagFunction(
    "any", "Whether the condition holds in one of the last rows.", example: "any(close > open, 3)", isCondition: true,
    bounds: { x, _ in ValueBounds(canHold: x.canHold, canFail: x.canFail, mayBeMissing: true) },
    values: { counted($0, $1) { $0.yes > 0 ? 1 : $0.unknown > 0 ? .missing : 0 } })

  static let count = FlagFunction(
    "count", "In how many of the last rows the condition holds.", example: "count(close > open, 20)",
    bounds: { x, window in
      ValueBounds(low: 0, high: x.canHold ? window.rows.map(Double.init) ?? .infinity : 0, mayBeMissing: true)
    }, values: { counted($0, $1) { Double($0.yes) } })

  static let share = FlagFunction(
    "share", "In which share of the last rows the condition holds.", example: "share(close > open, 20)",
    bounds: { _, _ in ValueBounds(low: 0, high: 1, mayBeMissing: true) },
    values: { counted($0, $1) { Double($0.yes) / Double($0.yes + $0.no) } })

  /// Where the condition is unknown the number is missing, and the next row begins anew.
  static let streak = FlagFunction(
    "streak", "In how many rows up to this one the condition has held without a break.",
    example: "streak(close > prev(close))", hasWindow: false, bounds: { _, _ in .unknown },
    values: { truths, _ in
      var count = 0.0
      return ColumnMemory(count: truths.count) { row in
        count = truths[row] == 1 ? count + 1 : 0
        return truths[row].isMissing ? .missing : count
      }
    })

  /// Missing before the first row in which it holds.
  static let since = FlagFunction(
    "since", "How many rows ago the condition held last; 0 if it holds.", example: "since(close > prev(close))",
    synonyms: ["barssince"], hasWindow: false, bounds: { _, _ in .unknown },
    values: { truths, _ in
      var count = Double.missing
      return ColumnMemory(count: truths.count) { row in
        count = truths[row] == 1 ? 0 : count + 1
        return count
      }
    })
}

/// The rows of a window by what is known of them.
private struct TruthCounts {
  var yes = 0
  var no = 0
  var unknown = 0

  mutating func count(_ truth: Double, _ by: Int) {
    // Choices instead of branches, which a processor could not predict.
    yes += truth == 1 ? by : 0
    no += truth == 0 ? by : 0
    unknown += truth.isNaN ? by : 0
  }
}

@inline(__always)
private func counted(
  _ truths: ColumnMemory<Double>, _ window: RowWindow, _ value: (TruthCounts) -> Double
) -> ColumnMemory<Double> {
  var counts = TruthCounts()
  return ColumnMemory(count: truths.count) { row in
    counts.count(truths[row], 1)
    if let rows = window.rows, row >= rows { counts.count(truths[row - rows], -1) }
    return row + 1 >= window.minimum ? value(counts) : .missing
  }
}
