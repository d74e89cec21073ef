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
    let sequences = TestSettings.count("QUOIN_SEQUENCES", debug: 40, release: 400)
    print("promise 9: random writes, part \(part): QUOIN_SEED=\(TestSettings.seed), \(sequences / 4) sequences")
    for number in stride(from: part, to: sequences, by: 4) {
      var sequence = try Sequence(number)
      for step in 0..<Self.operationsPerSequence {
        do { try sequence.step() } catch {
          Issue.record("QUOIN_SEED=\(TestSettings.seed), sequence \(number), step \(step): \(error)")
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

  /// A store, the dictionary beside it, and the next thing to do to both.
  private struct Sequence {
    private static let tickers: [TickerSymbol] = ["A", "BRK_A", "FDX", "ZZZ"]
    private let disk = InMemoryFiles()
    private var store: QuoteStore
    private var dice: SeededRandom
    private var rows: [TickerSymbol: [TradingDay: [UInt64]]] = [:]
    private var periods: [TickerSymbol: [String]] = [:]
    private(set) var generation: UInt64 = 0
    private var importNumber = 0
    /// Days of a dense calendar, of which a few sequences have enough for several blocks.
    private let dayCount: Int

    init(_ number: Int) throws {
      dice = SeededRandom(seed: TestSettings.seed, stream: 1_000_000 + UInt64(number))
      dayCount = dice.chance(0.1) ? 2500 : 60
      store = try QuoteStore(at: "store", in: disk)
    }

    mutating func step() throws {
      var name = ""
      switch dice.below(20) {
      case 0...5: name = try upsert(append: true)
      case 6...11: name = try upsert(append: false)
      case 12: name = try upsertAgain()
      case 13: name = try deleteTickers()
      case 14, 15: name = try deleteRange()
      case 16: name = try deleteByPrice()
      case 17: name = try dice.chance(0.2) ? deleteEverything() : compact()
      case 18: name = try compact()
      default:
        store = try QuoteStore(at: "store", in: disk)
        name = "reopen"
      }
      do { try compare() } catch { throw Difference("after \(name): \(error)") }
    }

    // MARK: What is done

    private mutating func upsert(append: Bool) throws -> String {
      var columns: [TickerSymbol: QuoteColumns] = [:]
      for ticker in dice.subset(of: Self.tickers, 0.4) {
        let last = rows[ticker]?.keys.max()
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
      return try put(columns)
    }

    /// Some of what is there already, partly the same.
    private mutating func upsertAgain() throws -> String {
      var columns: [TickerSymbol: QuoteColumns] = [:]
      let isIdentical = dice.chance(0.6)
      for ticker in dice.subset(of: Array(rows.keys).sorted()) {
        let stored = try store.quotes(for: ticker).fetchColumns().columns
        var some = stored.gathered(stored.days.indices.filter { _ in dice.chance(0.5) })
        if !isIdentical, !some.isEmpty { some[.close][dice.below(some.rowCount)] = 1234.5 }
        columns[ticker] = some
      }
      return try put(columns)
    }

    private mutating func put(_ columns: [TickerSymbol: QuoteColumns]) throws -> String {
      importNumber += 1
      var expected = UpsertCounts()
      var newPeriods: [TickerSymbol: String] = [:]
      for (ticker, columns) in columns where !columns.isEmpty {
        var byDay: [TradingDay: [UInt64]] = [:]
        for (day, cells) in zip(columns.days, columns.cellBits) { byDay[day] = cells }
        for (day, cells) in byDay {
          switch rows[ticker]?[day] {
          case nil: expected.inserted += 1
          case cells: expected.unchanged += 1
          default: expected.replaced += 1
          }
          rows[ticker, default: [:]][day] = cells
        }
        let (first, last) = (byDay.keys.min()!, byDay.keys.max()!)
        newPeriods[ticker] = "\(first) \(last) \(byDay.count) import \(importNumber)"
      }
      if expected.inserted + expected.replaced > 0 {
        generation += 1
        for (ticker, period) in newPeriods { periods[ticker, default: []].append("\(period) \(generation)") }
      }
      let counts: UpsertCounts
      if dice.chance(0.2) {
        let quotes = columns.flatMap { entry in
          entry.value.days.indices.map { entry.value.quote(at: $0, of: entry.key) }
        }
        counts = try store.upsert(quotes, source: "import \(importNumber)")
      } else {
        counts = try store.upsert(columns, source: "import \(importNumber)")
      }
      guard counts == expected else { throw Difference("\(counts), not \(expected)") }
      return "upsert of \(columns.mapValues(\.rowCount))"
    }

    private mutating func randomRows(_ days: [TradingDay]) -> QuoteColumns {
      var dice = dice
      defer { self.dice = dice }
      return QuoteColumns(days: days) { _, name in
        if dice.chance(0.05) { return nil }
        return name.isInteger ? Double(dice.below(3000)) : Double(dice.below(300)) / 100
      }
    }

    private mutating func deleteTickers() throws -> String {
      let tickers = dice.subset(of: Self.tickers, 0.3)
      return try delete(tickers, where: nil) { _, _ in true }
    }

    private mutating func deleteEverything() throws -> String { try delete(nil, where: nil) { _, _ in true } }

    private mutating func deleteRange() throws -> String {
      let first = TradingDay(daysSince1970: dice.below(dayCount))!
      let last = first.advanced(by: dice.below(dayCount / 4))!
      let tickers = dice.chance(0.5) ? dice.subset(of: Self.tickers) : nil
      return try delete(tickers, where: .date((first...last).bounds)) { day, _ in day >= first && day <= last }
    }

    private mutating func deleteByPrice() throws -> String {
      let limit = Double(dice.below(300)) / 100
      let slot = 1 + Int(Attribute.high.rawValue)
      return try delete(nil, where: .range(.high, ..<limit)) { _, cells in Double(bits: cells[slot]) < limit }
    }

    private mutating func delete(
      _ tickers: [TickerSymbol]?, where predicate: Predicate?, _ isHit: (TradingDay, [UInt64]) -> Bool
    ) throws -> String {
      var expected = 0
      for ticker in tickers ?? Self.tickers {
        guard let before = rows[ticker] else { continue }
        let after = before.filter { !isHit($0.key, $0.value) }
        expected += before.count - after.count
        rows[ticker] = after.isEmpty ? nil : after
        if after.isEmpty { periods[ticker] = nil }
      }
      if expected > 0 { generation += 1 }
      let count =
        switch (tickers, predicate) {
        case (nil, nil): try store.deleteAll()
        case (nil, let predicate?): try store.delete(where: predicate)
        case (let tickers?, nil): try store.delete(tickers)
        case (let tickers?, let predicate?): try store.delete(tickers, where: predicate)
        }
      guard count == expected else { throw Difference("\(count) rows deleted, not \(expected)") }
      return "delete of \(tickers?.description ?? "all") where \(predicate.map { "\($0)" } ?? "-")"
    }

    private mutating func compact() throws -> String {
      if !store.snapshot.files.isEmpty { generation += 1 }
      try store.compact()
      return "compact"
    }

    // MARK: What came of it

    private func compare() throws {
      guard store.generation == generation else {
        throw Difference("generation \(store.generation), not \(generation)")
      }
      let expected = rows.mapValues { days in days.sorted { $0.key < $1.key }.map(\.value) }
      guard try content(of: store) == expected else { throw Difference("other rows") }
      guard store.tickers == rows.keys.sorted() else { throw Difference("tickers \(store.tickers)") }
      for summary in try store.tickerSummaries() {
        let days = rows[summary.ticker]?.keys.sorted() ?? []
        guard summary.rowCount == days.count, summary.firstDay == days.first, summary.lastDay == days.last,
          summary.byteCount > 0
        else { throw Difference("\(summary)") }
      }
      let summary = store.summary
      guard summary.rowCount == rows.values.reduce(0, { $0 + $1.count }), summary.tickerCount == rows.count,
        summary.days?.lowerBound == rows.values.flatMap(\.keys).min(),
        summary.days?.upperBound == rows.values.flatMap(\.keys).max()
      else { throw Difference("\(summary)") }
      for ticker in Self.tickers {
        let found = try store.periods(of: ticker).map {
          "\($0.firstDay) \($0.lastDay) \($0.rowCount) \($0.source) \($0.generation)"
        }
        guard found == periods[ticker] ?? [] else {
          throw Difference("periods of \(ticker): \(found), not \(periods[ticker] ?? [])")
        }
      }
      let names = Set(store.snapshot.manifest.files.map(\.name) + (generation > 0 ? ["MANIFEST"] : []))
      let found = Set((try? disk.names(in: "store")) ?? []).subtracting(["LOCK"])
      guard found == names else { throw Difference("files \(found), not \(names)") }
      guard try generation == 0 || store.verify().damages.isEmpty else { throw Difference("damage") }
    }
  }
}
