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

  /// Appends the groups of `next`, which come after these; its first group goes on with the last one of these when
  /// `isContinued`.
  mutating func append(_ next: MeasureColumn, isContinued: Bool) {
    let skipped = isContinued ? 1 : 0
    if isContinued { mergeFirst(of: next) }
    if measures.contains(.count) { counts += next.counts.dropFirst(skipped) }
    if measures.contains(.minimum) { minima += next.minima.dropFirst(skipped) }
    if measures.contains(.maximum) { maxima += next.maxima.dropFirst(skipped) }
    if measures.contains(.sum) { sums += next.sums.dropFirst(skipped) }
    if measures.contains(.first) { firsts += next.firsts.dropFirst(skipped) }
    if measures.contains(.last) { lasts += next.lasts.dropFirst(skipped) }
  }

  private mutating func mergeFirst(of next: MeasureColumn) {
    if measures.contains(.count) { counts[counts.count - 1] += next.counts[0] }
    if measures.contains(.minimum) { minima[minima.count - 1].formMinimum(next.minima[0]) }
    if measures.contains(.maximum) { maxima[maxima.count - 1].formMaximum(next.maxima[0]) }
    if measures.contains(.sum) { sums[sums.count - 1].add(next.sums[0]) }
    if measures.contains(.first), firsts[firsts.count - 1].isMissing { firsts[firsts.count - 1] = next.firsts[0] }
    if measures.contains(.last), !next.lasts[0].isMissing { lasts[lasts.count - 1] = next.lasts[0] }
  }

  mutating func removeAll() {
    counts.removeAll(keepingCapacity: true)
    minima.removeAll(keepingCapacity: true)
    maxima.removeAll(keepingCapacity: true)
    firsts.removeAll(keepingCapacity: true)
    lasts.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
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
  static func column(_ sums: [Total], _ counts: [Int64]) -> AggregateColumn

  /// The value that an integer over a power of ten is.
  static func unscaled(_ n: Int64, over power: Double) -> Self
}

extension Double: AggregableValue {
  static func unscaled(_ n: Int64, over power: Double) -> Double { Double(n) / power }

  static func column(_ values: [Double]) -> AggregateColumn { .doubles(values) }
  static func column(_ sums: [ExactSum], _ counts: [Int64]) -> AggregateColumn {
    .doubles(zip(sums, counts).map { $1 > 0 ? $0.value : .missing })
  }
}

extension Int64: AggregableValue {
  static func unscaled(_ n: Int64, over power: Double) -> Int64 { n }

  static func column(_ values: [Int64]) -> AggregateColumn { .integers(values) }
  static func column(_ sums: [WideSum], _ counts: [Int64]) -> AggregateColumn {
    .sums(zip(sums, counts).map { $1 > 0 ? $0.value : .min })
  }
}

/// What the offsets of a scaled block stand for.
struct Unscaler<Value: AggregableValue> {
  private let base: Int64
  private let step: UInt64
  private let power: Double

  init(_ header: BlockHeader) {
    (base, step, power) = (Int64(bits: header.base), UInt64(header.step), powersOfTen[header.exponent])
  }

  @inline(__always)
  func callAsFunction(_ offset: UInt32) -> Value {
    .unscaled(base &+ Int64(bitPattern: UInt64(offset) &* step), over: power)
  }
}

extension MeasureColumn {
  /// The column of a function that was measured.
  func column(_ function: Aggregation.Function) -> AggregateColumn {
    switch function {
    case .count: .integers(counts)
    case .min: Value.column(minima)
    case .max: Value.column(maxima)
    case .sum: Value.column(sums, counts)
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
    if measures.contains(.sum) { sums.append(Value.Total()) }
    if measures.contains(.first) { firsts.append(.missing) }
    if measures.contains(.last) { lasts.append(.missing) }
  }
}
