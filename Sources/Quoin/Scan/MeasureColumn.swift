/// What was measured of one attribute: an element for each group in each of the wanted arrays.
struct MeasureColumn<Value: AggregableValue>: Sendable {
  let measures: Measures
  var counts: [Int64] = []
  /// Missing where a group has no values; the same in the next three.
  var minima: [Value] = []
  var maxima: [Value] = []
  var firsts: [Value] = []
  var lasts: [Value] = []
  var sums: [Value.Total] = []

  init(_ measures: Measures) { self.measures = measures }

  mutating func reserveCapacity(_ count: Int) {
    if measures.contains(.count) { counts.reserveLargeCapacity(count) }
    if measures.contains(.minimum) { minima.reserveLargeCapacity(count) }
    if measures.contains(.maximum) { maxima.reserveLargeCapacity(count) }
    if measures.contains(.sum) { sums.reserveLargeCapacity(count) }
    if measures.contains(.first) { firsts.reserveLargeCapacity(count) }
    if measures.contains(.last) { lasts.reserveLargeCapacity(count) }
  }

  /// Appends the groups of blocks after these; the first of them goes on with the last one of these when `isContinued`.
  mutating func append(_ next: MeasureColumn, isContinued: Bool) {
    append(
      counts: next.counts[...], minima: next.minima[...], maxima: next.maxima[...], firsts: next.firsts[...],
      lasts: next.lasts[...], sums: next.sums[...], isContinued: isContinued)
  }

  /// Appends the measures of a block's stretches; the first one goes on with the last group when `isContinued`.
  mutating func append(_ part: MeasurePart<Value>, isContinued: Bool) {
    unsafe append(
      counts: part.elements(part.counts), minima: part.elements(part.minima), maxima: part.elements(part.maxima),
      firsts: part.elements(part.firsts), lasts: part.elements(part.lasts), sums: part.elements(part.sums),
      isContinued: isContinued)
  }

  /// Appends what the statistics say of a whole block, which goes on with the last group when `isContinued`; false when
  /// they don't say it, and nothing is appended.
  mutating func append(
    _ directory: SectionDirectory, _ block: Int, rowCount: Int, isContinued: Bool
  ) -> Bool {
    guard measures.isDisjoint(with: [.first, .last]) else { return false }
    let count = rowCount - directory.missingCount(block)
    if measures.contains(.sum) {
      guard let sum = Value.Total(directory.sum(block)) else { return false }
      sums.append(count > 0 ? sum : .none, isContinued) { $0.merge($1) }
    }
    if measures.contains(.count) { counts.append(Int64(count), isContinued) { $0 += $1 } }
    if measures.contains(.minimum) {
      let minimum = unsafe Value(bits: UInt64(littleEndian: directory.minima[block]))
      minima.append(count > 0 ? minimum : .missing, isContinued) { $0.formMinimum($1) }
    }
    if measures.contains(.maximum) {
      let maximum = unsafe Value(bits: UInt64(littleEndian: directory.maxima[block]))
      maxima.append(count > 0 ? maximum : .missing, isContinued) { $0.formMaximum($1) }
    }
    return true
  }

  @inline(__always)
  private mutating func append<Counts: RandomAccessCollection<Int64>, Values: RandomAccessCollection<Value>>(
    counts: Counts, minima: Values, maxima: Values, firsts: Values, lasts: Values,
    sums: some RandomAccessCollection<Value.Total>, isContinued: Bool
  ) {
    if measures.contains(.count) {
      self.counts.append(counts, isContinued) { $0 += $1 }
    }
    if measures.contains(.minimum) { self.minima.append(minima, isContinued) { $0.formMinimum($1) } }
    if measures.contains(.maximum) { self.maxima.append(maxima, isContinued) { $0.formMaximum($1) } }
    if measures.contains(.first) { self.firsts.append(firsts, isContinued) { if $0.isMissing { $0 = $1 } } }
    if measures.contains(.last) { self.lasts.append(lasts, isContinued) { if !$1.isMissing { $0 = $1 } } }
    if measures.contains(.sum) { self.sums.append(sums, isContinued) { $0.merge($1) } }
  }
}

extension Array {
  /// Appends an element, or merges it with the last one when `isContinued`.
  @inline(__always)
  fileprivate mutating func append(
    _ next: Element, _ isContinued: Bool, _ merge: (inout Element, Element) -> Void
  ) {
    if isContinued { merge(&self[count - 1], next) } else { append(next) }
  }

  /// Appends elements; the first one is merged with the last one here when `isContinued`.
  @inline(__always)
  fileprivate mutating func append(
    _ next: some RandomAccessCollection<Element>, _ isContinued: Bool, _ merge: (inout Element, Element) -> Void
  ) {
    guard isContinued, let first = next.first else { return append(contentsOf: next) }
    merge(&self[count - 1], first)
    if next.count > 1 { append(contentsOf: next.dropFirst()) }
  }
}

extension BlockValue {
  /// Takes the smaller of two values; a missing one doesn't count.
  @inline(__always)
  mutating func formMinimum(_ other: Self) { if isMissing || (!other.isMissing && other < self) { self = other } }

  /// Takes the larger of two values; a missing one doesn't count.
  @inline(__always)
  mutating func formMaximum(_ other: Self) { if isMissing || (!other.isMissing && other > self) { self = other } }
}

/// A value whose aggregates can be columns of a table.
protocol AggregableValue: BlockValue where Total: ScaledSum {
  static func column(_ values: [Self]) -> AggregateColumn
  /// Sums; missing where there are no values.
  static func column(_ sums: [Total]) -> AggregateColumn

  /// Extremes without the sign of zeros, which statistics don't keep.
  static func plain(_ values: [Self]) -> [Self]
}

extension Double: AggregableValue {
  static func plain(_ values: [Double]) -> [Double] {
    var values = values
    for index in values.indices where values[index].bitPattern == (-0.0).bitPattern { values[index] = 0 }
    return values
  }

  static func column(_ values: [Double]) -> AggregateColumn { .doubles(values) }
  static func column(_ sums: [ExactSum]) -> AggregateColumn { .doubles(sums.map(\.value)) }
}

extension Int64: AggregableValue {
  static func plain(_ values: [Int64]) -> [Int64] { values }

  static func column(_ values: [Int64]) -> AggregateColumn { .integers(values) }
  static func column(_ sums: [Int128]) -> AggregateColumn { .sums(sums) }
}

extension MeasureColumn {
  /// The column of a function that was measured.
  func column(_ function: Aggregation.Function) -> AggregateColumn {
    switch function {
    case .count: .integers(counts)
    case .min: Value.column(Value.plain(minima))
    case .max: Value.column(Value.plain(maxima))
    case .sum: Value.column(sums)
    case .mean: .doubles(zip(sums, counts).map { $1 > 0 ? $0.mean(of: Int($1)) : .missing })
    case .first: Value.column(firsts)
    case .last: Value.column(lasts)
    }
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
}
