/// Rows to be measured: the slot of each row's group, and its day.
struct SlottedRows {
  let slots: [Int32]
  let days: ColumnMemory<TradingDay>
}

/// What one aggregation adds up, for each slot of a table of groups. Rows come ticker by ticker and, within a ticker, by day.
/// The result doesn't depend on how they are divided among tables that are merged in order, because sums are exact until they
/// are asked for.
protocol GroupMeasure: Sendable {
  /// Makes room for slots without rows.
  mutating func grow(to count: Int)
  /// Adds rows to their slots. There is a column for each input of the aggregation.
  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows)
  /// Adds what another one of the same kind has in its slots, to these slots.
  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32])
  var column: GroupColumn { get }
}

extension Aggregation {
  /// The expressions whose values are measured, in the order of the measure's columns.
  var inputs: [QuoteExpression] {
    guard let expression else { return [] }
    // Where a predicate doesn't hold there is no value to count.
    if function == .count, case .truth(let predicate) = expression.node {
      return [QuoteExpression(.choice(predicate, 1, .number(.missing)), around: [expression.size])]
    }
    return [expression] + [weight].compactMap { $0 }
  }

  /// What it is of no quotes: 0 if it counts, and otherwise missing.
  var ofNobody: Double {
    var measure = makeMeasure(hasFractions: false)
    measure.grow(to: 1)
    guard case .integers(let counts) = measure.column.arrays, !counts[0].isMissing else { return .missing }
    return Double(counts[0])
  }

  /// - Parameter hasFractions: whether volumes are float64s.
  func makeMeasure(hasFractions: Bool) -> any GroupMeasure {
    guard expression != nil, let aggregate = AggregateFunction.computing(function) else { return RowCounts() }
    let isWhole = if case .integer = attribute?.key { !hasFractions } else { false }
    return aggregate.measure(isWhole ? Int64.self : Double.self, share ?? 0.5)
  }
}

/// A value of a column that groups are measured of.
protocol MeasuredValue: AggregableValue {
  /// The column, if it has values of this kind.
  static func values(of column: ColumnOutput) -> ColumnMemory<Self>
  var asDouble: Double { get }
}

extension Double: MeasuredValue {
  /// The values; those of an int64 column as the nearest float64s.
  static func values(of column: ColumnOutput) -> ColumnMemory<Double> {
    switch column {
    case .doubles(let memory): memory
    case .integers(let memory): ColumnMemory(mapping: memory) { $0.isMissing ? .missing : Double($0) }
    }
  }

  var asDouble: Double { self }
}

extension Int64: MeasuredValue {
  static func values(of column: ColumnOutput) -> ColumnMemory<Int64> {
    guard case .integers(let memory) = column else { preconditionFailure("a column of float64s") }
    return memory
  }

  var asDouble: Double { Double(self) }
}

extension Array {
  mutating func grow(to count: Int, _ element: Element) {
    if count > self.count { append(contentsOf: repeatElement(element, count: count - self.count)) }
  }
}

extension GroupMeasure {
  /// The other one, which is of the same kind.
  func same(_ other: any GroupMeasure) -> Self {
    guard let other = other as? Self else { preconditionFailure("measures of two kinds") }
    return other
  }
}

private struct RowCounts: GroupMeasure {
  private var counts: [Int64] = []

  mutating func grow(to count: Int) { counts.grow(to: count, 0) }

  mutating func add(_: [ColumnOutput], _ rows: SlottedRows) {
    for slot in rows.slots { counts[Int(slot)] += 1 }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    for (slot, count) in zip(slots, same(other).counts) { counts[Int(slot)] += count }
  }

  var column: GroupColumn { .integers(ColumnBuffer(counts)) }
}

struct ValueCounts: GroupMeasure {
  private var counts: [Int64] = []

  mutating func grow(to count: Int) { counts.grow(to: count, 0) }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let values = Double.values(of: columns[0])
    for (row, slot) in rows.slots.enumerated() where !values[row].isNaN { counts[Int(slot)] += 1 }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    for (slot, count) in zip(slots, same(other).counts) { counts[Int(slot)] += count }
  }

  var column: GroupColumn { .integers(ColumnBuffer(counts)) }
}

struct ExtremeValues<Value: MeasuredValue>: GroupMeasure {
  /// 1 for the largest value, -1 for the smallest.
  let sign: Int
  private var extremes: [Value] = []

  init(sign: Int) { self.sign = sign }

  mutating func grow(to count: Int) { extremes.grow(to: count, .missing) }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let values = Value.values(of: columns[0])
    for (row, slot) in rows.slots.enumerated() { form(values[row], Int(slot)) }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    for (slot, value) in zip(slots, same(other).extremes) { form(value, Int(slot)) }
  }

  @inline(__always)
  private mutating func form(_ value: Value, _ slot: Int) {
    if value.isMissing { return }
    let old = extremes[slot]
    if old.isMissing || (sign > 0 ? value > old : value < old) { extremes[slot] = value }
  }

  var column: GroupColumn { Value.column(Value.plain(ColumnBuffer(extremes))) }
}

struct Sums<Value: MeasuredValue>: GroupMeasure {
  let dividesByCount: Bool
  private var sums: [Value.Total] = []
  private var counts: [Int64] = []

  init(dividesByCount: Bool) { self.dividesByCount = dividesByCount }

  mutating func grow(to count: Int) {
    sums.grow(to: count, Value.Total())
    counts.grow(to: count, 0)
  }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let values = Value.values(of: columns[0])
    for (row, slot) in rows.slots.enumerated() where !values[row].isMissing {
      sums[Int(slot)].add(values[row])
      counts[Int(slot)] += 1
    }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    let other = same(other)
    for (index, slot) in slots.enumerated() {
      sums[Int(slot)].add(other.sums[index])
      counts[Int(slot)] += other.counts[index]
    }
  }

  var column: GroupColumn {
    if dividesByCount {
      return .doubles(
        ColumnBuffer(zip(sums, counts).map { $1 > 0 ? $0.mean(of: Int($1)).ifFinite : .missing }))
    }
    return Value.column(Value.Totals(zip(sums, counts).map { $1 > 0 ? $0 : .none }))
  }
}

/// One row of each group: its first or its last one, or the one that has an extreme.
struct Chosen<Value: MeasuredValue>: GroupMeasure {
  enum Choice {
    case first, last
    /// The first day with this value.
    case largest, smallest
  }

  let choice: Choice
  /// Whether the row's day is wanted, and not its value.
  let givesDays: Bool
  private var values: [Value] = []
  private var days: [TradingDay] = []

  init(_ choice: Choice, givesDays: Bool) { (self.choice, self.givesDays) = (choice, givesDays) }

  mutating func grow(to count: Int) {
    values.grow(to: count, .missing)
    days.grow(to: count, .earliest)
  }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let values = Value.values(of: columns[0])
    for (row, slot) in rows.slots.enumerated() { form(values[row], rows.days[row], Int(slot)) }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    let other = same(other)
    for (index, slot) in slots.enumerated() { form(other.values[index], other.days[index], Int(slot)) }
  }

  /// Of several tickers on one day, the first one has the first value, and the last one the last.
  @inline(__always)
  private mutating func form(_ value: Value, _ day: TradingDay, _ slot: Int) {
    if value.isMissing { return }
    let (old, oldDay) = (values[slot], days[slot])
    let isBetter =
      switch choice {
      case .first: day < oldDay
      case .last: day >= oldDay
      case .largest: value > old || value == old && day < oldDay
      case .smallest: value < old || value == old && day < oldDay
      }
    if old.isMissing || isBetter { (values[slot], days[slot]) = (value, day) }
  }

  var column: GroupColumn {
    givesDays ? .days(zip(values, days).map { $0.isMissing ? nil : $1 }) : Value.column(ColumnBuffer(values))
  }
}

/// Sums of values and of their squares, both exact: so a deviation is rounded in its last steps only, and that of equal values
/// is 0.
struct Deviations: GroupMeasure {
  private var sums: [ExactSum] = []
  private var squares: [ExactSum] = []
  private var counts: [Int] = []
  private var range = (low: ExtremeValues<Double>(sign: -1), high: ExtremeValues<Double>(sign: 1))

  mutating func grow(to count: Int) {
    sums.grow(to: count, ExactSum())
    squares.grow(to: count, ExactSum())
    counts.grow(to: count, 0)
    range.low.grow(to: count)
    range.high.grow(to: count)
  }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let values = Double.values(of: columns[0])
    for (row, slot) in rows.slots.enumerated() where !values[row].isNaN {
      let value = values[row]
      sums[Int(slot)].add(value)
      squares[Int(slot)].add(product: value, value)
      counts[Int(slot)] += 1
    }
    range.low.add([.doubles(values)], rows)
    range.high.add([.doubles(values)], rows)
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    let other = same(other)
    for (index, slot) in slots.enumerated() {
      sums[Int(slot)].add(other.sums[index])
      squares[Int(slot)].add(other.squares[index])
      counts[Int(slot)] += other.counts[index]
    }
    range.low.merge(other.range.low, slots)
    range.high.merge(other.range.high, slots)
  }

  var column: GroupColumn {
    guard case .doubles(let lows) = range.low.column, case .doubles(let highs) = range.high.column else {
      preconditionFailure("extremes of float64s")
    }
    return .doubles(
      ColumnBuffer(
        counts.indices.map { index in
          if counts[index] < 2 { return .missing }
          if lows[index] == highs[index], lows[index].isFinite { return 0 }
          return ExactSum.deviation(sums[index], squares[index], counts[index]).ifFinite
        }))
  }
}

struct WeightedMeans: GroupMeasure {
  private var products: [ExactSum] = []
  private var weights: [ExactSum] = []

  mutating func grow(to count: Int) {
    products.grow(to: count, ExactSum())
    weights.grow(to: count, ExactSum())
  }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let (values, weights) = (Double.values(of: columns[0]), Double.values(of: columns[1]))
    for (row, slot) in rows.slots.enumerated() where !values[row].isNaN && !weights[row].isNaN {
      products[Int(slot)].add(product: values[row], weights[row])
      self.weights[Int(slot)].add(weights[row])
    }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    let other = same(other)
    for (index, slot) in slots.enumerated() {
      products[Int(slot)].add(other.products[index])
      weights[Int(slot)].add(other.weights[index])
    }
  }

  var column: GroupColumn {
    .doubles(ColumnBuffer(zip(products, weights).map { ($0.value / $1.value).ifFinite }))
  }
}

/// All values of each group.
struct GroupValues<Value: MeasuredValue>: GroupMeasure {
  enum Result {
    case quantile(Double)
    case distinct
    case statistic(GroupStatistic)
  }

  let result: Result
  private var values: [[Value]] = []

  init(result: Result) { self.result = result }

  mutating func grow(to count: Int) { values.grow(to: count, []) }

  mutating func add(_ columns: [ColumnOutput], _ rows: SlottedRows) {
    let column = Value.values(of: columns[0])
    for (row, slot) in rows.slots.enumerated() where !column[row].isMissing { values[Int(slot)].append(column[row]) }
  }

  mutating func merge(_ other: any GroupMeasure, _ slots: [Int32]) {
    for (slot, part) in zip(slots, same(other).values) { values[Int(slot)] += part }
  }

  var column: GroupColumn {
    switch result {
    case .quantile(let share):
      .doubles(
        ColumnBuffer(
          values.map { values in
            values.isEmpty ? .missing : WindowTile.quantile(share, ofSorted: values.map(\.asDouble).sorted()).ifFinite
          }))
    case .statistic(let statistic):
      .doubles(ColumnBuffer(values.map { statistic.value(of: $0.map(\.asDouble)) }))
    case .distinct:
      .integers(
        ColumnBuffer(
          values.map { values in
            let sorted = values.sorted()
            return Int64(sorted.indices.count { $0 == 0 || sorted[$0] != sorted[$0 - 1] })
          }))
    }
  }
}
