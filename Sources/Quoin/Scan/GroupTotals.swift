/// The totals of one attribute: each wanted measure is a column with an element for each group.
struct GroupTotals<Value: AggregableValue>: Sendable {
  let name: Attribute
  let measures: Measures
  private var counts = ColumnBuffer<Int64>()
  /// Missing where a group has no values; the same in the next three.
  private var minima = ColumnBuffer<Value>()
  private var maxima = ColumnBuffer<Value>()
  private var firsts = ColumnBuffer<Value>()
  private var lasts = ColumnBuffer<Value>()
  private var sums = Value.Totals()

  init(_ name: Attribute, _ measures: Measures) { (self.name, self.measures) = (name, measures) }

  mutating func reserveCapacity(_ count: Int) {
    if measures.contains(.count) { counts.reserveCapacity(count) }
    if measures.contains(.minimum) { minima.reserveCapacity(count) }
    if measures.contains(.maximum) { maxima.reserveCapacity(count) }
    if measures.contains(.sum) { sums.reserveCapacity(count) }
    if measures.contains(.first) { firsts.reserveCapacity(count) }
    if measures.contains(.last) { lasts.reserveCapacity(count) }
  }

  /// Appends the groups of later blocks. When `isContinued`, the first of them is merged into the last group here.
  mutating func append(_ next: GroupTotals, isContinued: Bool) {
    append(
      counts: next.counts, minima: next.minima, maxima: next.maxima, firsts: next.firsts, lasts: next.lasts,
      sums: next.sums, isContinued: isContinued)
  }

  /// Appends the totals of a block's segments. When `isContinued`, the first of them is merged into the last group.
  mutating func append(_ segments: SegmentTotals<Value>, isContinued: Bool) {
    let next = segments.elements
    append(
      counts: next.counts, minima: next.minima, maxima: next.maxima, firsts: next.firsts, lasts: next.lasts,
      sums: next.sums, isContinued: isContinued)
  }

  /// Appends what the statistics say of a whole block, or merges it into the last group if `isContinued`.
  ///
  /// - Returns: false if the statistics don't have all measures. Then nothing is appended.
  @inline(__always)
  mutating func append(_ directory: SectionDirectory, _ block: Int, rowCount: Int, isContinued: Bool) -> Bool {
    guard measures.isDisjoint(with: .ends) else { return false }
    let count = rowCount - directory.missingCount(block)
    if measures.contains(.sum) {
      guard let sum = Value.Total(directory.sum(block)) else { return false }
      sums.append(count > 0 ? sum : .none, isContinued) { $0.merge($1) }
    }
    if measures.contains(.count) { counts.append(Int64(count), isContinued) { $0 += $1 } }
    if measures.contains(.minimum) {
      let minimum = Value(bits: directory.minimum(block))
      minima.append(count > 0 ? minimum : .missing, isContinued) { $0.formMinimum($1) }
    }
    if measures.contains(.maximum) {
      let maximum = Value(bits: directory.maximum(block))
      maxima.append(count > 0 ? maximum : .missing, isContinued) { $0.formMaximum($1) }
    }
    return true
  }

  /// Appends a group without values.
  mutating func appendNothing() {
    if measures.contains(.count) { counts.append(0) }
    if measures.contains(.minimum) { minima.append(.missing) }
    if measures.contains(.maximum) { maxima.append(.missing) }
    if measures.contains(.sum) { sums.append(.none) }
    if measures.contains(.first) { firsts.append(.missing) }
    if measures.contains(.last) { lasts.append(.missing) }
  }

  /// The column of a function that was measured.
  func column(_ function: Aggregation.Function) -> GroupColumn {
    switch function {
    case .count: .integers(counts)
    case .min: Value.column(Value.plain(minima))
    case .max: Value.column(Value.plain(maxima))
    case .sum: Value.column(sums)
    case .mean: .doubles(ColumnBuffer(zip(sums, counts).map { $1 > 0 ? $0.mean(of: Int($1)).ifFinite : .missing }))
    case .first: Value.column(firsts)
    case .last: Value.column(lasts)
    default: preconditionFailure("\(function.name) isn't measured of blocks")
    }
  }

  @inline(__always)
  private mutating func append<Values: RandomAccessCollection<Value>>(
    counts: some RandomAccessCollection<Int64>, minima: Values, maxima: Values, firsts: Values, lasts: Values,
    sums: some RandomAccessCollection<Value.Total>, isContinued: Bool
  ) {
    if measures.contains(.count) { self.counts.append(counts, isContinued) { $0 += $1 } }
    if measures.contains(.minimum) { self.minima.append(minima, isContinued) { $0.formMinimum($1) } }
    if measures.contains(.maximum) { self.maxima.append(maxima, isContinued) { $0.formMaximum($1) } }
    if measures.contains(.first) { self.firsts.append(firsts, isContinued) { if $0.isMissing { $0 = $1 } } }
    if measures.contains(.last) { self.lasts.append(lasts, isContinued) { if !$1.isMissing { $0 = $1 } } }
    if measures.contains(.sum) { self.sums.append(sums, isContinued) { $0.merge($1) } }
  }
}

extension RangeReplaceableCollection where Self: MutableCollection & RandomAccessCollection, Index == Int {
  /// Appends an element, or merges it into the last one when `isContinued`.
  @inline(__always)
  mutating func append(_ next: Element, _ isContinued: Bool, _ merge: (inout Element, Element) -> Void) {
    if isContinued { merge(&self[count - 1], next) } else { append(next) }
  }

  /// Appends elements. When `isContinued`, the first of them is merged into the last one here.
  @inline(__always)
  mutating func append(
    _ next: some RandomAccessCollection<Element>, _ isContinued: Bool, _ merge: (inout Element, Element) -> Void
  ) {
    guard isContinued, let first = next.first else { return append(contentsOf: next) }
    merge(&self[count - 1], first)
    if next.count > 1 { append(contentsOf: next.dropFirst()) }
  }
}

/// A value whose aggregates can be columns of a table.
protocol AggregableValue: BlockValue {
  /// The sums of groups: a column, unless a sum is more than plain bits.
  associatedtype Totals: RangeReplaceableCollection & MutableCollection & RandomAccessCollection & Sendable
  where Totals.Element == Total, Totals.Index == Int

  static func column(_ values: ColumnBuffer<Self>) -> GroupColumn
  /// The column of sums; a sum is missing if the group has no values.
  static func column(_ sums: Totals) -> GroupColumn

  /// Extremes without the sign of zeros, which statistics don't keep.
  static func plain(_ values: ColumnBuffer<Self>) -> ColumnBuffer<Self>
}

extension Double: AggregableValue {
  typealias Totals = [ExactSum]

  static func plain(_ values: ColumnBuffer<Double>) -> ColumnBuffer<Double> {
    let isPlain = values.withSpan { values in
      for index in values.indices where values[index].bitPattern == (-0.0).bitPattern { return false }
      return true
    }
    return isPlain ? values : ColumnBuffer(values.map { $0 == 0 ? 0 : $0 })
  }

  static func column(_ values: ColumnBuffer<Double>) -> GroupColumn {
    let hasInfinite = values.withSpan { values in
      for index in values.indices where values[index].isInfinite { return true }
      return false
    }
    return .doubles(hasInfinite ? ColumnBuffer(values.map(\.ifFinite)) : values)
  }
  static func column(_ sums: [ExactSum]) -> GroupColumn {
    .doubles(ColumnBuffer(sums.map { $0.value.ifFinite }))
  }
}

extension Int64: AggregableValue {
  typealias Totals = ColumnBuffer<Int128>

  static func plain(_ values: ColumnBuffer<Int64>) -> ColumnBuffer<Int64> { values }

  static func column(_ values: ColumnBuffer<Int64>) -> GroupColumn { .integers(values) }
  static func column(_ sums: ColumnBuffer<Int128>) -> GroupColumn { .sums(sums) }
}

/// A column of a table of aggregates, before a program asks for it as an array.
enum GroupColumn: Sendable {
  case doubles(ColumnBuffer<Double>)
  case integers(ColumnBuffer<Int64>)
  case sums(ColumnBuffer<Int128>)
  case days([TradingDay?])

  /// The column as arrays. Complexity: O(groups) the first time, then O(1).
  var arrays: AggregateColumn {
    switch self {
    case .doubles(let values): .doubles(values.array)
    case .integers(let values): .integers(values.array)
    case .sums(let values): .sums(values.array)
    case .days(let values): .days(values)
    }
  }

  func gathered(_ rows: [Int]) -> GroupColumn {
    switch self {
    case .doubles(let values): .doubles(values.gathered(rows))
    case .integers(let values): .integers(values.gathered(rows))
    case .sums(let values): .sums(values.gathered(rows))
    case .days(let values): .days(rows.map { values[$0] })
    }
  }
}
