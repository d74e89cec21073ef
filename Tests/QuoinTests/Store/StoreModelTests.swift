import Testing

@testable import Quoin
@testable import QuoteGenerator

/// A store does what a dictionary would do.
///
/// `QUOIN_SEQUENCES=10000 QUOIN_SEED=7 swift test -c release ... --filter StoreModelTests` is the long run.
@Suite struct StoreModelTests {
  private static let operationsPerSequence = 50

  @Test(arguments: 0..<4)
  func random_writes_do_what_a_dictionary_does(_ part: Int) throws {
    let sequences = TestSettings.count("QUOIN_SEQUENCES", debug: 16, release: 150)
    print("promise 9: random writes, part \(part): QUOIN_SEED=\(TestSettings.seed), \(sequences / 4) sequences")
    for number in stride(from: part, to: sequences, by: 4) {
      var sequence = try Sequence(number)
      for step in 0..<Self.operationsPerSequence {
        do { try sequence.step() } catch {
          Issue.record(
            "QUOIN_SEED=\(TestSettings.seed), sequence \(number), step \(step): \(error), after \(sequence.names)")
          return
        }
      }
      #expect(sequence.generation > 5, "sequence \(number) hardly wrote anything")
    }
  }

  private struct Difference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// What a store should hold: the rows by ticker and day, and the records of imports.
  private struct Model {
    var rows: [TickerSymbol: [TradingDay: [UInt64]]] = [:]
    private(set) var periods: [TickerSymbol: [String]] = [:]
    private(set) var generation: UInt64 = 0
    /// What there was before the last commit that changed rows, and after it.
    private(set) var before: State?
    private(set) var now = State()
    /// Of the transaction under way.
    private var newPeriods: [TickerSymbol: [String]] = [:]
    private var hasChanged = false

    mutating func put(
      _ columns: [TickerSymbol: QuoteColumns], source: String, mode: UpsertMode, present: AttributeSet
    ) -> UpsertCounts {
      var counts = UpsertCounts()
      for (ticker, columns) in columns where !columns.isEmpty {
        var byDay: [TradingDay: [UInt64]] = [:]
        for (day, cells) in zip(columns.days, columns.cellBits) {
          if cells.dropFirst() == Self.missing.dropFirst() {
            counts.empty += 1
            continue
          }
          byDay[day] = mode == .fill ? byDay[day].map { Self.filled(cells, from: $0) } ?? cells : cells
        }
        if byDay.isEmpty { continue }
        var kept = 0
        for (day, cells) in byDay {
          guard let stored = rows[ticker]?[day] else {
            counts.inserted += 1
            rows[ticker, default: [:]][day] = cells
            continue
          }
          if mode == .keep {
            kept += 1
            continue
          }
          var merged = mode == .fill ? Self.filled(cells, from: stored) : cells
          if mode == .update {
            for (index, name) in Attribute.allCases.enumerated() where !present.contains(name) {
              merged[index + 1] = stored[index + 1]
            }
          }
          if merged == stored { counts.unchanged += 1 } else { counts.replaced += 1 }
          for (index, name) in Attribute.allCases.enumerated() where merged[index + 1] != stored[index + 1] {
            counts.countChange(of: name)
          }
          rows[ticker]?[day] = merged
        }
        counts.kept += kept
        if kept == byDay.count { continue }
        let (first, last) = (byDay.keys.min()!, byDay.keys.max()!)
        newPeriods[ticker, default: []].append("\(first) \(last) \(byDay.count - kept) \(source)")
      }
      if counts.inserted + counts.replaced > 0 { hasChanged = true }
      return counts
    }

    /// The day and its cells, with those of another row where they are missing.
    private static func filled(_ cells: [UInt64], from others: [UInt64]) -> [UInt64] {
      cells.indices.map { $0 > 0 && cells[$0] == missing[$0] ? others[$0] : cells[$0] }
    }

    /// The cells of a row without any value, behind a place for its day.
    private static let missing =
      [0] + Attribute.allCases.map { $0.isInteger ? Int64.missing.bits : Double.missing.canonical.bits }

    mutating func delete(_ tickers: [TickerSymbol], _ isHit: (TradingDay, [UInt64]) -> Bool) -> Int {
      var count = 0
      for ticker in tickers {
        guard let before = rows[ticker] else { continue }
        let after = before.filter { !isHit($0.key, $0.value) }
        count += before.count - after.count
        rows[ticker] = after.isEmpty ? nil : after
        if after.isEmpty { (periods[ticker], newPeriods[ticker]) = (nil, nil) }
      }
      if count > 0 { hasChanged = true }
      return count
    }

    mutating func update(
      _ tickers: Set<TickerSymbol>, _ isHit: ([UInt64]) -> Bool, cell: Int, to bits: UInt64
    ) -> Int {
      var count = 0
      for ticker in tickers {
        for (day, cells) in rows[ticker] ?? [:] where isHit(cells) {
          count += 1
          if cells[cell] != bits { hasChanged = true }
          rows[ticker]?[day]?[cell] = bits
        }
      }
      return count
    }

    mutating func compact(_ hasFiles: Bool) { if hasFiles { hasChanged = true } }

    /// The rows and records of a generation.
    struct State {
      var rows: [TickerSymbol: [TradingDay: [UInt64]]] = [:]
      var periods: [TickerSymbol: [String]] = [:]
    }

    /// Goes back to another generation.
    mutating func restore(_ state: State) {
      generation += 1
      (rows, periods) = (state.rows, state.periods)
      (before, now) = (now, state)
    }

    /// A commit that changes no rows.
    mutating func skipGeneration() { generation += 1 }

    mutating func commit() {
      if hasChanged {
        generation += 1
        for (ticker, new) in newPeriods {
          // They are listed by their first days.
          periods[ticker, default: []] += new.sorted { $0.prefix(10) < $1.prefix(10) }.map { "\($0) \(generation)" }
        }
        (before, now) = (now, State(rows: rows, periods: periods))
      }
      (newPeriods, hasChanged) = ([:], false)
    }
  }

  /// What is done to a store, alone or in a transaction. The model has it already; the answer has to be the model's.
  private struct Change {
    let name: String
    let alone: (QuoteStore) throws -> Void
    let inside: (borrowing StoreTransaction) throws -> Void

    init<Answer: Equatable>(
      _ name: String, _ expected: Answer, _ alone: @escaping (QuoteStore) throws -> Answer,
      inside: @escaping (borrowing StoreTransaction) throws -> Answer
    ) {
      self.name = name
      self.alone = { try Self.check(alone($0), expected) }
      self.inside = { try Self.check(inside($0), expected) }
    }

    private static func check<Answer: Equatable>(_ answer: Answer, _ expected: Answer) throws {
      guard answer == expected else { throw Difference("\(answer), not \(expected)") }
    }
  }

  /// A store, the model beside it, and the next thing to do to both.
  private struct Sequence {
    private struct Refusal: Error {}
    private static let tickers: [TickerSymbol] = ["A", "BRK_A", "FDX", "ZZZ"]
    private let disk = InMemoryFiles()
    private var store: QuoteStore
    private var dice: SeededRandom
    private var model = Model()
    private var importNumber = 0
    /// What was done so far.
    private(set) var names: [String] = []
    /// What the snapshot holds, if there is one.
    private var kept: Model.State?
    /// Days of a dense calendar, of which a few sequences have enough for several blocks.
    private let dayCount: Int

    var generation: UInt64 { model.generation }

    init(_ number: Int) throws {
      dice = SeededRandom(seed: TestSettings.seed, stream: 1_000_000 + UInt64(number))
      dayCount = dice.chance(0.1) ? 2500 : 60
      store = try QuoteStore(at: "store", in: disk)
    }

    mutating func step() throws {
      var name = "reopen"
      switch dice.below(30) {
      case 0...18:
        let change = try dice.chance(0.06) ? upsertAgain() : change()
        try change.alone(store)
        model.commit()
        name = change.name
      case 19:
        model.compact(!store.snapshot.files.isEmpty)
        try store.compact()
        model.commit()
        name = "compact"
      case 20...24: name = try transaction()
      case 25, 26: name = try undo()
      case 27: name = try keepOrDrop()
      case 28: name = try restore()
      default: store = try QuoteStore(at: "store", in: disk)
      }
      do { try compare() } catch { throw Difference("after \(name): \(error)") }
      names.append(name)
    }

    // MARK: What is done

    private mutating func undo() throws -> String {
      guard let before = model.before else {
        do { try store.undo() } catch StoreError.nothingToUndo { return "undo of nothing" }
        throw Difference("something was undone")
      }
      let generation = store.generation
      try store.undo()
      // Nothing is committed if all files are the same: none, after a transaction that deleted its own rows.
      if store.generation > generation { model.restore(before) } else { model.rows = before.rows }
      return "undo"
    }

    /// Keeps a snapshot, or drops the one there is.
    private mutating func keepOrDrop() throws -> String {
      if kept != nil {
        guard try store.dropSnapshot(named: "kept") else { throw Difference("no snapshot") }
        kept = nil
      } else {
        if generation == 0 { return "no snapshot of nothing" }
        try store.keepSnapshot(named: "kept")
        kept = model.now
      }
      model.skipGeneration()
      return kept == nil ? "drop" : "keep"
    }

    private mutating func restore() throws -> String {
      guard let kept else { return "nothing to restore" }
      let shown = try store.snapshot(named: "kept").map { try content(of: $0) }
      guard shown == kept.rows.mapValues({ days in days.sorted { $0.key < $1.key }.map(\.value) }) else {
        throw Difference("the snapshot has other rows")
      }
      let generation = store.generation
      try store.restore(snapshotNamed: "kept")
      // Nothing is committed if all files are the same.
      if store.generation > generation { model.restore(kept) }
      return "restore"
    }

    private mutating func change() -> Change {
      switch dice.below(18) {
      case 0...5: upsert(append: true)
      case 6...11: upsert(append: false)
      case 12: deleteTickers()
      case 13, 14: deleteRange()
      case 15: deleteByPrice()
      case 16: update()
      default: dice.chance(0.2) ? deleteEverything() : update()
      }
    }

    /// Some changes in one commit, or in none: then the body throws in the end.
    private mutating func transaction() throws -> String {
      let before = model
      let changes = (0..<(1 + dice.below(5))).map { _ in change() }
      let (isRefused, isRead) = (dice.chance(0.25), dice.chance(0.3))
      let name = "transaction of \(changes.map(\.name))\(isRefused ? ", refused" : "")"
      let rows = model.rows
      do {
        try store.write { transaction in
          for change in changes { try change.inside(transaction) }
          if isRead { try Self.compare(transaction, rows) }
          if isRefused { throw Refusal() }
        }
      } catch is Refusal { model = before } catch { throw Difference("\(name): \(error)") }
      model.commit()
      return name
    }

    private static func compare(
      _ transaction: borrowing StoreTransaction, _ rows: [TickerSymbol: [TradingDay: [UInt64]]]
    ) throws {
      guard transaction.tickers == rows.keys.sorted() else { throw Difference("tickers \(transaction.tickers)") }
      for ticker in tickers {
        let expected = (rows[ticker] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        guard try transaction.fetchColumns(ticker).cellBits == expected else { throw Difference("rows of \(ticker)") }
      }
    }

    private mutating func upsert(append: Bool) -> Change {
      var columns: [TickerSymbol: QuoteColumns] = [:]
      for ticker in dice.subset(of: Self.tickers, 0.4) {
        let last = model.rows[ticker]?.keys.max()
        let start = append ? last.map { Int($0.daysSince1970) + 1 } ?? 0 : dice.below(dayCount)
        let count = 1 + dice.below(append ? max(2, dayCount / 6) : 12)
        var days = (0..<count).map { TradingDay(daysSince1970: start + $0 * (append ? 1 : 1 + dice.below(3)))! }
        // In any order, some twice: of those the later one counts.
        if dice.chance(0.3) {
          days += dice.subset(of: days, 0.2)
          for index in days.indices { days.swapAt(index, dice.below(days.count)) }
        }
        columns[ticker] = randomRows(days)
      }
      return put(columns)
    }

    /// Some of what is there already, partly the same.
    private mutating func upsertAgain() throws -> Change {
      var columns: [TickerSymbol: QuoteColumns] = [:]
      let isIdentical = dice.chance(0.6)
      for ticker in dice.subset(of: Array(model.rows.keys).sorted()) {
        let stored = try store.quotes(for: ticker).fetchColumns().columns
        var some = stored.gathered(stored.days.indices.filter { _ in dice.chance(0.5) })
        if !isIdentical, !some.isEmpty { some[.close][dice.below(some.rowCount)] = 1234.5 }
        columns[ticker] = some
      }
      return put(columns)
    }

    private mutating func put(_ columns: [TickerSymbol: QuoteColumns]) -> Change {
      importNumber += 1
      let source = "import \(importNumber)"
      let mode = dice.element(of: UpsertMode.allCases)
      let areQuotes = dice.chance(0.2)
      let present =
        areQuotes || dice.chance(0.4) ? .all : AttributeSet(Attribute.allCases.filter { _ in dice.chance(0.4) })
      let columns = columns.mapValues { $0.having(present) }
      let expected = model.put(columns.mapValues(\.completed), source: source, mode: mode, present: present)
      let name = "\(mode) of \(columns.mapValues(\.rowCount)) with \(present.names)"
      guard areQuotes else {
        return Change(name, expected) {
          try $0.upsert(columns, source: source, mode: mode)
        } inside: {
          try $0.upsert(columns, source: source, mode: mode)
        }
      }
      let quotes = columns.flatMap { entry in
        entry.value.days.indices.map { entry.value.quote(at: $0, of: entry.key) }
      }
      return Change(name, expected) {
        try $0.upsert(quotes, source: source, mode: mode)
      } inside: {
        try $0.upsert(quotes, source: source, mode: mode)
      }
    }

    private mutating func randomRows(_ days: [TradingDay]) -> QuoteColumns {
      var dice = dice
      defer { self.dice = dice }
      return QuoteColumns(days: days) { _, name in
        if dice.chance(0.05) { return nil }
        return name.isInteger ? Double(dice.below(3000)) : Double(dice.below(300)) / 100
      }
    }

    private mutating func deleteTickers() -> Change {
      let tickers = dice.subset(of: Self.tickers, 0.3)
      let expected = model.delete(tickers) { _, _ in true }
      return Change("delete of \(tickers)", expected) {
        try $0.delete(tickers)
      } inside: {
        try $0.delete(tickers)
      }
    }

    private mutating func deleteEverything() -> Change {
      let expected = model.delete(Self.tickers) { _, _ in true }
      return Change("delete of all", expected) {
        try $0.deleteAll()
      } inside: {
        try $0.deleteAll()
      }
    }

    private mutating func deleteRange() -> Change {
      let first = TradingDay(daysSince1970: dice.below(dayCount))!
      let last = first.advanced(by: dice.below(dayCount / 4))!
      let tickers = dice.chance(0.5) ? dice.subset(of: Self.tickers) : nil
      let expected = model.delete(tickers ?? Self.tickers) { day, _ in day >= first && day <= last }
      return delete(tickers, where: .dates(from: first, to: last), expected)
    }

    private mutating func deleteByPrice() -> Change {
      let limit = Double(dice.below(300)) / 100
      let slot = 1 + Int(Attribute.high.rawValue)
      let expected = model.delete(Self.tickers) { _, cells in Double(bits: cells[slot]) < limit }
      return delete(nil, where: .range(.high, ..<limit), expected)
    }

    private func delete(_ tickers: [TickerSymbol]?, where predicate: Predicate, _ expected: Int) -> Change {
      let name = "delete of \(tickers?.description ?? "all") where \(predicate)"
      guard let tickers else {
        return Change(name, expected) {
          try $0.delete(where: predicate)
        } inside: {
          try $0.delete(where: predicate)
        }
      }
      return Change(name, expected) {
        try $0.delete(tickers, where: predicate)
      } inside: {
        try $0.delete(tickers, where: predicate)
      }
    }

    private mutating func update() -> Change {
      let (limit, close) = (Double(dice.below(300)) / 100, Double(dice.below(5)))
      let tickers = dice.chance(0.5) ? dice.subset(of: Self.tickers) : nil
      let (high, slot) = (1 + Int(Attribute.high.rawValue), 1 + Int(Attribute.close.rawValue))
      let expected = model.update(
        Set(tickers ?? Self.tickers), { Double(bits: $0[high]) >= limit }, cell: slot, to: close.bits)
      let (predicate, name) = (Predicate.range(.high, limit...), "update of \(tickers?.description ?? "all")")
      guard let tickers else {
        return Change(name, expected) {
          try $0.update(where: predicate) { $0.close = close }
        } inside: {
          try $0.update(where: predicate) { $0.close = close }
        }
      }
      return Change(name, expected) {
        try $0.update(tickers, where: predicate) { $0.close = close }
      } inside: {
        try $0.update(tickers, where: predicate) { $0.close = close }
      }
    }

    // MARK: What came of it

    private func compare() throws {
      guard store.generation == generation else {
        throw Difference("generation \(store.generation), not \(generation)")
      }
      let expected = model.rows.mapValues { days in days.sorted { $0.key < $1.key }.map(\.value) }
      guard try content(of: store) == expected else { throw Difference("other rows") }
      guard store.tickers == model.rows.keys.sorted() else { throw Difference("tickers \(store.tickers)") }
      for summary in try store.tickerSummaries() {
        let days = model.rows[summary.ticker]?.keys.sorted() ?? []
        guard summary.rowCount == days.count, summary.firstDay == days.first, summary.lastDay == days.last,
          summary.byteCount > 0
        else { throw Difference("\(summary)") }
      }
      let summary = store.summary
      guard summary.rowCount == model.rows.values.reduce(0, { $0 + $1.count }), summary.tickerCount == model.rows.count,
        summary.days?.lowerBound == model.rows.values.flatMap(\.keys).min(),
        summary.days?.upperBound == model.rows.values.flatMap(\.keys).max()
      else { throw Difference("\(summary)") }
      for ticker in Self.tickers {
        let found = try store.importRecords(of: ticker).map {
          "\($0.firstDay) \($0.lastDay) \($0.rowCount) \($0.source) \($0.generation)"
        }
        guard found == model.periods[ticker] ?? [] else {
          throw Difference("periods of \(ticker): \(found), not \(model.periods[ticker] ?? [])")
        }
      }
      let names = store.snapshot.manifest.fileNames.union(generation > 0 ? ["MANIFEST"] : [])
      // A transaction that was refused may have left the empty manifest of a new store.
      let unnamed = generation > 0 ? ["LOCK"] : ["LOCK", "MANIFEST"]
      let found = Set((try? disk.names(in: "store")) ?? []).subtracting(unnamed)
      guard found == names else { throw Difference("files \(found), not \(names)") }
      guard try generation == 0 || store.verify().damages.isEmpty else { throw Difference("damage") }
    }
  }
}
