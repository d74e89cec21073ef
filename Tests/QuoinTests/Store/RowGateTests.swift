import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Values that files are refused for come in by no other door either.
@Suite struct RowGateTests {
  private static let day: TradingDay = "2018-03-26"

  /// A value that no quote has, with its attribute and as the error spells it.
  private static let bad: [(name: Attribute, value: Double, text: String)] =
    Attribute.allCases.filter { !$0.isInteger }.flatMap {
      [($0, .infinity, "inf"), ($0, -.infinity, "-inf")]
    } + [
      (.volume, -1, "-1"), (.volume, -(0x1p53), "-9007199254740992"), (.volume, -0.5, "-0.5"),
      (.volume, .infinity, "inf"), (.adjustedVolume, -1, "-1.0"),
      (.adjustedVolume, -.leastNonzeroMagnitude, "-5e-324"),
    ]

  private static func error(_ name: Attribute, _ text: String) -> StoreError {
    .impossibleValue(ticker: "KO", day: day, attribute: name, text: text)
  }

  /// Three rows, of which the second has this value.
  private static func rows(_ name: Attribute, _ value: Double) throws -> QuoteColumns {
    try QuoteColumns(days: ["2018-03-23", day, "2018-03-27"], doubles: [name: [1, value, 2]])
  }

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["KO": .sample(3)])
    return store
  }

  @Test(arguments: bad.indices) func a_value_that_no_quote_has_comes_in_by_no_call(_ index: Int) throws {
    let (name, value, text) = Self.bad[index]
    let (rows, error, store) = (try Self.rows(name, value), Self.error(name, text), try Self.store())
    let batch = QuoteBatch(ticker: "KO", columns: rows)
    let before = try store.allQuotes.fetch()
    #expect(throws: error) { try store.upsert(["KO": rows]) }
    #expect(throws: error) { try store.upsert(["KO": rows], mode: .replace) }
    #expect(throws: error) { try store.upsert(["AAPL": .sample(3), "KO": rows], mode: .keep) }
    #expect(throws: error) { try store.upsert(batch) }
    #expect(throws: error) { try store.upsert(batch.quotes) }
    #expect(throws: error) {
      try store.write { transaction in
        try transaction.upsert(QuoteColumns.sample(3), of: "BA")
        // Whoever goes on after the error commits nothing either.
        do { try transaction.upsert(rows, of: "KO") } catch {}
      }
    }
    #expect(store.generation == 1)
    #expect(try store.allQuotes.fetch() == before)
    #expect("\(error)".hasPrefix("the \(name.wikiName) of KO on 2018-03-26 is \(text): "))
  }

  @Test func nor_by_a_task() async throws {
    let (rows, store) = (try Self.rows(.high, .infinity), try Self.store())
    await #expect(throws: Self.error(.high, "inf")) { try await store.upsert(["KO": rows]) }
    #expect(store.generation == 1)
  }

  @Test func an_update_gives_no_such_value_either() throws {
    let store = try Self.store()
    let changes: [(String, (inout DailyQuoteSummary) -> Void)] = [
      ("close", { $0.close = -.infinity }), ("volume", { $0.volume = -3 }),
      ("adj_volume", { $0.adjustedVolume = -0.5 }),
    ]
    for (name, change) in changes {
      #expect {
        try store.update(where: .all([]), change)
      } throws: {
        guard case .impossibleValue("KO", "2001-01-01", let attribute, _)? = $0 as? StoreError else { return false }
        return attribute.wikiName == name
      }
    }
    #expect(store.generation == 1)
    #expect(try store.update(where: .all([])) { $0.close = nil } == 3)
  }

  /// However a source's rows are cut: a day that comes again with other values is noticed, and one with the same isn't.
  @Test func a_day_that_comes_twice_is_noticed_wherever_the_rows_are_cut() throws {
    var dice = TestSettings.dice("days that come twice")
    var refusals = 0
    for _ in 0..<TestSettings.count("QUOIN_GATE", debug: 200, release: 2000) {
      let numbers = (0..<(1 + dice.below(12))).map { _ in dice.below(9) }
      let closes = numbers.map { _ in dice.element(of: [1, 1, 1, 2, .nan]) }
      let mode = dice.element(of: [UpsertMode.update, .fill, .replace])
      var (known, isRefused) = ([Int: Double](), false)
      for (number, close) in zip(numbers, closes) {
        guard let first = known.updateValue(close, forKey: number) else { continue }
        if mode == .fill, close.isNaN { known[number] = first }
        let isSame = first == close || first.isNaN && close.isNaN || mode == .fill && close.isNaN
        isRefused = isRefused || !isSame
      }
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      let cut = dice.below(numbers.count + 1)
      do {
        try store.write { transaction in
          var days = DaysBrought()
          for part in [0..<cut, cut..<numbers.count] {
            let rows = try QuoteColumns(
              days: numbers[part].map { TradingDay(daysSince1970: $0)! },
              doubles: [.close: Array(closes[part]), .open: part.map { _ in 5 }])
            _ = try transaction.upsert(["KO": rows], source: "test", mode: mode, after: &days)
          }
        }
        #expect(!isRefused, "\(mode), \(cut): \(Array(zip(numbers, closes)))")
        let found = try store.quotes(for: "KO").fetchColumns().columns
        #expect(found.days.map { Int($0.daysSince1970) } == known.keys.sorted())
        #expect(found.doubles(.close).map(\.bitPattern) == known.keys.sorted().map { known[$0]!.canonical.bitPattern })
      } catch StoreError.dayTwice(ticker: "KO", _) {
        refusals += 1
        #expect(isRefused, "\(mode), \(cut): \(Array(zip(numbers, closes)))")
      }
    }
    #expect(refusals > 20)
  }

  /// Rows without any value, in columns of doubles, of integers, of both.
  private static let gaps: [(AttributeSet, [Double])] = [
    ([.close], [1, .nan, 2]), ([.volume], [1, .nan, 2]), ([.volume, .close], [1, .nan, 2]),
    ([.splitRatio], [.nan, .nan, .nan]),
    (.all, [.nan, .nan, 3]),
  ]

  @Test(arguments: gaps.indices, UpsertMode.allCases) func a_row_without_any_value_is_left_out_and_counted(
    _ index: Int, _ mode: UpsertMode
  ) throws {
    let (names, values) = Self.gaps[index]
    let days: [TradingDay] = ["2018-03-23", "2018-03-26", "2018-03-27"]
    let rows = try QuoteColumns(
      days: days, doubles: Dictionary(uniqueKeysWithValues: names.names.map { ($0, values) }))
    let good = values.indices.filter { !values[$0].isNaN }
    let expected = UpsertCounts(inserted: good.count, empty: values.count - good.count)
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    #expect(try store.upsert(["KO": rows], mode: mode) == expected)
    #expect(try store.quotes(for: "KO").fetch().map(\.date) == good.map { days[$0] })
    #expect(try store.importRecords().map(\.rowCount) == (good.isEmpty ? [] : [good.count]))
    // Nor does it change a day that is there.
    try store.upsert(["KO": .sample(3, from: days[0])], mode: .replace)
    let before = try store.allQuotes.fetch()
    let nothing = try QuoteColumns(
      days: days, doubles: Dictionary(uniqueKeysWithValues: names.names.map { ($0, values.map { _ in .nan }) }))
    #expect(try store.upsert(["KO": nothing], mode: mode) == UpsertCounts(empty: 3))
    #expect(try store.allQuotes.fetch() == before)
  }

  @Test func a_row_without_any_value_is_no_second_row_of_its_day() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let rows = try QuoteColumns(days: [Self.day, Self.day, Self.day], doubles: [.close: [.nan, 1, .nan]])
    let counts = try store.write { transaction in
      var days = DaysBrought()
      return try transaction.upsert(["KO": rows], source: "test", mode: .update, after: &days)
    }
    #expect(counts == UpsertCounts(inserted: 1, empty: 2))
    #expect(try store.allQuotes.fetch().map(\.close) == [1])
  }

  @Test func of_rows_of_a_day_the_last_values_that_are_known_fill() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let rows = try QuoteColumns(
      days: ["2018-03-27", "2018-03-26", "2018-03-27", "2018-03-27"],
      doubles: [.open: [1, 9, 2, .nan], .close: [3, .nan, .nan, .nan], .high: [.nan, 8, .nan, 7]])
    try store.upsert(["KO": rows], mode: .fill)
    let found = try store.quotes(for: "KO").fetch()
    #expect(found.map(\.open) == [9, 2] && found.map(\.close) == [nil, 3] && found.map(\.high) == [8, 7])
  }

  @Test func what_a_source_does_not_know_it_does_not_delete() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let days: [TradingDay] = ["2018-03-26", "2018-03-27"]
    try store.upsert(["KO": try QuoteColumns(days: days, doubles: [.close: [1, 2]], integers: [.volume: [5, 6]])])
    let counts = try store.upsert(
      [
        "KO": try QuoteColumns(
          days: days + ["2018-03-28"], doubles: [.close: [.nan, 3, .nan]], integers: [.volume: [.min, .min, 9]])
      ],
      mode: .fill)
    #expect((counts.inserted, counts.replaced, counts.empty) == (1, 1, 1) && counts.rowCount == 3)
    let rows = try store.quotes(for: "KO").fetch()
    #expect(rows.map(\.close) == [1, 3, nil] && rows.map(\.volume) == [5, 6, 9])
  }

  /// Whatever is accepted, an export has, and an import of it takes: the same bits.
  @Test func what_is_accepted_goes_out_and_comes_in_again() throws {
    var dice = TestSettings.dice("gate")
    var (accepted, refused) = (0, 0)
    for _ in 0..<TestSettings.count("QUOIN_GATE", debug: 100, release: 1000) {
      let days = NastyValues.days.filter { _ in dice.chance(0.6) }
      let isNasty = dice.chance(0.5)
      func values() -> [Double] {
        days.map { _ in
          let value = dice.element(of: NastyValues.doubles).canonical
          return isNasty || value.isNaN ? value : value.magnitude.isFinite ? value.magnitude : 1
        }
      }
      var doubles: [Attribute: [Double]] = [:]
      for name in Attribute.allCases where !name.isInteger { doubles[name] = values() }
      let volumes = days.map { _ in
        let number = dice.element(of: NastyValues.integers)
        return isNasty || number == .missing ? number : max(0, number)
      }
      let rows = try QuoteColumns(days: days, doubles: doubles, integers: [.volume: volumes])
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      do {
        try store.upsert(["KO": rows])
        accepted += 1
      } catch {
        refused += 1
        continue
      }
      var text: [UInt8] = []
      let formatter = QuoteFormatter(.csv) { bytes in unsafe bytes.withUnsafeBytes { unsafe text += $0 } }
      try formatter.append(try store.allQuotes.fetchColumns())
      try formatter.finish()
      let other = try QuoteStore(at: "other", in: InMemoryFiles())
      if !days.isEmpty { try other.upsert(parsing: text) }
      let found = try other.quotes(for: "KO").fetchColumns().columns
      #expect(found.days == days)
      for name in Attribute.allCases {
        #expect(days.indices.allSatisfy { found[column: name].bits($0) == rows[column: name].bits($0) }, "\(name)")
      }
    }
    #expect(accepted > 20 && refused > 20, "\(accepted) accepted, \(refused) refused")
  }
}
