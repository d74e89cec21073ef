// Aggregates of what isn't stored, or of groups whose rows lie apart, row by row:
//
//   select      the rows of some tickers, whole tickers at a time, so that nothing is computed twice
//   materialize what the aggregations are of -> columns
//   slot        the group of each row -> its slot (`GroupSlots`)
//   measure     each aggregation's column -> what it adds up, by slot (`GroupMeasure`)
//
// Each thread has a table of its own for its tickers; the tables are merged in order.

/// Groups of rows, in the order of their slots.
struct RowGroupTable: Sendable {
  private(set) var slots: GroupSlots
  private(set) var measures: [any GroupMeasure]
  /// Bytes that are kept of each row: by measures that need all values at the end.
  private let rowByteCount: Int
  private var held: [HeldMemory] = []

  init(_ aggregations: [Aggregation], _ slots: GroupSlots, hasFractions: Bool) {
    self.slots = slots
    measures = aggregations.map { $0.makeMeasure(hasFractions: hasFractions) }
    rowByteCount = 16 * aggregations.count { $0.function.keepsValues }
  }

  /// Adds rows, whose columns are in `output`.
  ///
  /// - Throws: `StoreError` when the groups would take more memory than the question may hold.
  mutating func add(
    _ blocks: [SelectedBlock], _ output: BatchOutput, _ inputs: [[MeasureInput]], _ keys: [MeasureInput],
    within budget: QuestionBudget
  ) throws(StoreError) {
    let (slotCount, byteCount) = (slots.count, slots.byteCount)
    let values = keys.map { Double.values(of: $0.column(of: output)) }
    var rowSlots: [Int32] = []
    rowSlots.reserveCapacity(output.days.count)
    for block in blocks {
      let rows = rowSlots.count..<(rowSlots.count + block.rowCount)
      slots.append(ticker: block.candidate.ticker, output.days, values, rows, to: &rowSlots)
    }
    // About 32 bytes for what a measure adds up.
    let groupByteCount = slots.byteCount - byteCount + (slots.count - slotCount) * 32 * measures.count
    held.append(try budget.hold(groupByteCount + rowByteCount * rowSlots.count))
    let rows = SlottedRows(slots: rowSlots, days: output.days)
    for index in measures.indices {
      measures[index].grow(to: slots.count)
      measures[index].add(inputs[index].map { $0.column(of: output) }, rows)
    }
  }

  /// Adds the groups of rows that come after those here.
  mutating func merge(_ next: RowGroupTable) {
    held += next.held
    let places = slots.slots(of: next.slots)
    for index in measures.indices {
      measures[index].grow(to: slots.count)
      measures[index].merge(next.measures[index], places)
    }
  }

  /// Makes the one group that there is without grouping, even without rows.
  mutating func growToOne() {
    for index in measures.indices { measures[index].grow(to: 1) }
  }
}

/// Where the values lie that an aggregation is of.
enum MeasureInput: Sendable {
  case attribute(Attribute)
  case computed(Int)

  func column(of output: BatchOutput) -> ColumnOutput {
    switch self {
    case .computed(let index): return .doubles(output.computed[index])
    case .attribute(let name):
      guard let column = output[name] else { preconditionFailure("\(name) was not read") }
      return column
    }
  }
}

extension QuoteQuery {
  /// Aggregates of any expressions and groups, row by row.
  func rowGroups(_ aggregations: [Aggregation], by grouping: Grouping?) throws(StoreError) -> AggregateTable {
    let (query, budget) = begun()
    return try budget.work { () throws(StoreError) in try query.measuredRowGroups(aggregations, by: grouping) }
  }

  private func measuredRowGroups(
    _ aggregations: [Aggregation], by grouping: Grouping?
  ) throws(StoreError) -> AggregateTable {
    let (query, inputs, keys) = measuring(aggregations, grouping?.expressions ?? [])
    let budget = begun().budget
    let plan = try query.plan()
    let ahead = ReadAhead(plan, plan.candidates, plan.conditions.parts + query.outputParts)
    let empty = RowGroupTable(
      aggregations,
      GroupSlots(
        grouping, over: snapshot.manifest.days ?? .earliest ... .earliest, barsOf: snapshot.barPeriod),
      hasFractions: snapshot.hasFractions)
    let hasFractions = snapshot.hasFractions
    let (attributes, names) = (query.attributes, query.computed.map(\.name))
    let chunks = plan.tickerChunks()
    var table = try plan.crew.reduce(
      chunks.count, worker: BlockScanner(plan), into: empty, merge: { $0.merge($1) },
      body: { scanner, index throws(StoreError) in
        var part = empty
        for window in chunks[index] {
          ahead.reach(window.lowerBound)
          let selection = try scanner.select(plan.candidates[window])
          if selection.blocks.isEmpty { continue }
          let rowCount = selection.blocks.reduce(0) { $0 + $1.rowCount }
          let held = try budget.hold(rowCount * BatchOutput.rowByteCount(attributes, computedCount: names.count))
          defer { withExtendedLifetime(held) {} }
          let output = BatchOutput(
            rowCount: rowCount, attributes: attributes, symbols: [],
            computed: names, hasFractions: hasFractions)
          _ = try scanner.materialize(selection.blocks[...], of: selection, output, 0, .ascending)
          try part.add(selection.blocks, output, inputs, keys, within: budget)
        }
        return part
      })
    if grouping == nil { table.growToOne() }
    return aggregates(table, aggregations, grouping)
  }

  /// The query that reads what some aggregations are of, and groups are by, and where each one's inputs and the keys lie in its
  /// results.
  private func measuring(
    _ aggregations: [Aggregation], _ keys: [QuoteExpression]
  ) -> (QuoteQuery, [[MeasureInput]], [MeasureInput]) {
    var attributes: [Attribute] = []
    var expressions: [QuoteExpression] = []
    func place(_ input: QuoteExpression) -> MeasureInput {
      if case .attribute(let name) = input.node {
        attributes.append(name)
        return .attribute(name)
      }
      if let index = expressions.firstIndex(of: input) { return .computed(index) }
      expressions.append(input)
      return .computed(expressions.count - 1)
    }
    let inputs = aggregations.map { $0.inputs.map(place) }
    let places = keys.map(place)
    let query = ordered(.ascending).selecting(AttributeSet(attributes))
    return (query.computing(only: expressions), inputs, places)
  }

  /// The groups in the order of the grouping's keys.
  private func aggregates(
    _ table: RowGroupTable, _ aggregations: [Aggregation], _ grouping: Grouping?
  ) -> AggregateTable {
    let slots = table.slots
    var (tickers, keys, order) = (TickerColumn(), [KeyColumn](), SortColumns())
    var valueCount = 0
    for key in grouping?.keys ?? [] {
      switch key {
      case .ticker:
        let places = (0..<slots.count).map { slots.ticker(at: $0) }
        tickers = TickerColumn(symbols: snapshot.symbols, places: ColumnBuffer(places))
        order.append(places.ranks, false)
      case .expression(let x, _):
        let values = (0..<slots.count).map { slots.value(valueCount, at: $0) }
        valueCount += 1
        keys.append(.values(ColumnBuffer(values), areWhole: x.isWhole))
        order.append(values: values, false)
      case .weekday, .day, .week, .month, .quarter, .halfYear, .year:
        let numbers = (0..<slots.count).map { slots.number(key, at: $0) }
        keys.append(
          key == .weekday
            ? .weekdays(ColumnBuffer(numbers)) : .days(ColumnBuffer(numbers.map { TradingDay(unchecked: $0) })))
        order.append(numbers.lazy.map { Int64($0) }, false)
      }
    }
    let result = AggregateTable(
      grouping: grouping, rowCount: grouping == nil ? 1 : slots.count, tickers: tickers, aggregations: aggregations,
      keys: keys, columns: table.measures.map(\.column))
    if grouping == nil { return result }
    let rows = order.sorted(0..<slots.count)
    return rows.elementsEqual(0..<slots.count) ? result : result.rows(rows)
  }
}

extension ScanPlan {
  /// The candidates in parts for the threads, each a list of windows that are read at once. Each window has all candidates of
  /// its tickers.
  fileprivate func tickerChunks() -> [[Range<Int>]] {
    let chunkCount = crew.threadCount > 1 ? crew.threadCount * Crew.itemsPerThread : 1
    let size = max(1, (candidates.count + chunkCount - 1) / chunkCount)
    var chunks: [[Range<Int>]] = []
    for ticker in tickerRanges() {
      guard let chunk = chunks.last, let window = chunk.last, ticker.lowerBound - chunk[0].lowerBound < size else {
        chunks.append([ticker])
        continue
      }
      if window.count < ScanChunks.blockCountMax {
        chunks[chunks.count - 1][chunk.count - 1] = window.lowerBound..<ticker.upperBound
      } else {
        chunks[chunks.count - 1].append(ticker)
      }
    }
    return chunks
  }
}
