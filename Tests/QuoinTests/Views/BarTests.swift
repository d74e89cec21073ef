import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct BarTests {
  /// Two weeks; the first one ends on a Thursday.
  private static func quotes() throws -> QuoteColumns {
    try QuoteColumns(
      days: ["2020-01-06", "2020-01-07", "2020-01-09", "2020-01-13"],
      doubles: [
        .open: [.nan, 6, 4, .nan], .high: [12, .nan, 5, .nan], .low: [9, 3, 4, .nan], .close: [10, 5, .nan, 7],
        .exDividend: [0.25, 0.5, 0, .nan], .splitRatio: [.nan, 2, 1.5, 1], .adjustedOpen: [3, 2, 1, 1],
        .adjustedLow: [3, 2, 1, 1], .adjustedClose: [3, 2, 1, 1], .adjustedVolume: [0.5, .nan, 2, 1e-7],
      ], integers: [.volume: [100, .missing, 300, .missing]])
  }

  @Test func a_week_is_one_row() throws {
    let bars = try Self.quotes().bars(by: .week, label: .lastRow)
    #expect(bars.days == ["2020-01-09", "2020-01-13"])
    #expect(try Self.quotes().bars(by: .week, label: .periodEnd).days == ["2020-01-12", "2020-01-19"])
    #expect(bars.integers(.volume) == [400, .missing])
    for (name, value) in [
      (.open, 6), (.high, 12), (.low, 3), (.close, 5), (.exDividend, 0.75), (.splitRatio, 3), (.adjustedOpen, 3),
      (.adjustedLow, 1), (.adjustedClose, 1), (.adjustedVolume, 2.5),
    ] as [(Attribute, Double)] {
      #expect(bars.doubles(name)[0] == value, "\(name)")
      #expect(bars.doubles(name)[1].isNaN == [.open, .high, .low, .exDividend].contains(name), "\(name)")
    }
    #expect(!bars.attributes.contains(.adjustedHigh))
  }

  @Test(arguments: CalendarPeriod.allCases)
  func bars_are_what_their_rows_say(_ period: CalendarPeriod) throws {
    var dice = TestSettings.dice("bars of a \(period)", stream: UInt64(period.rawValue.utf8.count))
    for _ in 0..<TestSettings.count("QUOIN_BARS", debug: 20, release: 100) {
      let rows = Self.random(&dice)
      for label in BarLabel.allCases {
        #expect(try rows.bars(by: period, label: label).cellBits == Self.naive(rows, period, label).cellBits)
      }
    }
  }

  private static func random(_ dice: inout SeededRandom) -> QuoteColumns {
    var day = 11_000 + dice.below(100)
    let gap = dice.element(of: [1, 3, 30])
    let days = (0..<dice.below(60)).map { _ in
      day += 1 + dice.below(gap)
      return TradingDay(daysSince1970: day)!
    }
    var columns = QuoteColumns(days: days)
    for name in Attribute.allCases {
      switch name.key {
      case .double(let key): columns[key] = dice.element(of: ValueShape<Double>.all).values(days.count, &dice)
      case .integer(let key):
        columns[key] = days.map { _ in dice.chance(0.2) ? .missing : Int64(dice.below(1 << 40)) }
      }
    }
    return columns
  }

  /// Period by period and cell by cell.
  private static func naive(_ rows: QuoteColumns, _ period: CalendarPeriod, _ label: BarLabel) -> QuoteColumns {
    let groups = Dictionary(grouping: 0..<rows.rowCount) { period.first(of: rows.days[$0]) }.sorted { $0.key < $1.key }
    let days = groups.map { label == .lastRow ? rows.days[$0.value.last!] : period.last(of: $0.key) }
    return QuoteColumns(days: days) { bar, name in
      let known = groups[bar].value.map { rows.doubles(name)[$0] }.filter { !$0.isNaN }
      if known.isEmpty { return nil }
      switch name {
      case .open, .adjustedOpen: return known.first
      case .high, .adjustedHigh: return known.dropFirst().reduce(known[0]) { $1 > $0 ? $1 : $0 }
      case .low, .adjustedLow: return known.dropFirst().reduce(known[0]) { $1 < $0 ? $1 : $0 }
      case .close, .adjustedClose: return known.last
      case .splitRatio: return known.map { $0 > 0 ? $0 : 1 }.reduce(1, *)
      case .volume, .exDividend, .adjustedVolume: return NaiveSum.sum(known)
      }
    }
  }

  @Test func a_split_ratio_of_0_or_below_is_no_split() throws {
    for (ratios, product) in [([0, 2, 0], 2), ([0, 0], 1), ([-2, 0.5], 0.5), ([.nan, -1], 1)] as [([Double], Double)] {
      let days = QuoteColumns.sample(ratios.count).days
      let bars = try QuoteColumns(days: days, doubles: [.splitRatio: ratios]).bars(by: .week, label: .lastRow)
      #expect(bars.doubles(.splitRatio) == [product], "\(ratios)")
    }
  }

  @Test func volumes_that_no_cell_holds_are_an_error_that_names_them() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for (volumes, sum) in [([.max, 0], .max), ([.max, 1], nil), ([.max, .max], nil), ([.max, -1], .max - 1)]
      as [([Int64], Int64?)]
    {
      try store.upsertUnchecked([
        "A": QuoteColumns(days: ["2020-01-06", "2020-01-07"], doubles: [:], integers: [.volume: volumes])
      ])
      guard let sum else {
        let error = StoreError.volumeTooLarge(ticker: "A", days: "2020-01-06"..."2020-01-07")
        #expect(throws: error) { try store.resampled(by: .week) }
        continue
      }
      #expect(try store.resampled(by: .week).allQuotes.fetch().map(\.volume) == [sum])
    }
  }

  @Test func a_question_to_bars_is_answered_as_by_a_store_that_has_them() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(3000), "B": .sample(900, salt: 1), "C": .sample(1), "D": .sample(30)])
    let view = try store.resampled(by: .week, tickers: ["D", "B", "A", "NONE", "A"])
    let kept = try QuoteStore(at: "kept", in: InMemoryFiles())
    try kept.upsert([
      "A": QuoteColumns.sample(3000).bars(by: .week, label: .lastRow),
      "B": QuoteColumns.sample(900, salt: 1).bars(by: .week, label: .lastRow),
      "D": QuoteColumns.sample(30).bars(by: .week, label: .lastRow),
    ])
    #expect(try content(of: view) == content(of: kept) && view.tickers == ["A", "B", "D"])
    #expect(view.summary.rowCount == 600 + 180 + 6)
    for text in [
      "close > mean(close, 10)", "change(close) > 0.3% and volume > 5.2M", "next(low) < low or low is missing",
      "ticker in ('D', 'B') and close > 80",
    ] {
      let (predicate, ma) = (try Predicate(parsing: text), try QuoteExpression(parsing: "mean(close, 4)"))
      func batch(_ store: QuoteStore) throws -> QuoteBatch {
        try store.allQuotes.where(predicate).computing("ma", ma).fetchColumns()
      }
      #expect(try batch(view).columns.cellBits == batch(kept).columns.cellBits)
      #expect(try batch(view).computed("ma")?.map(\.bitPattern) == batch(kept).computed("ma")?.map(\.bitPattern))
      #expect(try batch(view).rowCount > 10, "\(text)")
    }
    // A view can be kept, too.
    let copy = try QuoteStore(at: "copy", in: InMemoryFiles())
    try copy.merge(view)
    #expect(try content(of: copy) == content(of: kept))
  }

  @Test func many_tickers_fill_several_files() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let names = (0..<2100).map { TickerSymbol(stringLiteral: "T\($0)") }
    // More blocks than a file may have.
    try store.upsert(
      Dictionary(uniqueKeysWithValues: names.map { ($0, QuoteColumns.sample(1)) } + [("Z", .sample(4000))]))
    var seen: [[Int]] = []
    let view = try store.resampled(by: .day) { seen.append([$0, $1]) }
    #expect(view.snapshot.files.count == 2 && seen.count == 2101 && seen.last == [6100, 6100])
    #expect(try content(of: view) == content(of: store))
  }

  @Test func any_number_of_threads_makes_the_same_bars() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(700), "B": .sample(3), "C": .sample(90), "D": .sample(300), "E": .sample(40)])
    let bars = try content(of: store.resampled(by: .week, threads: 1))
    for threads in [2, 3, 8] { #expect(try content(of: store.resampled(by: .week, threads: threads)) == bars) }
  }

  @Test func a_view_is_neither_written_to_nor_refreshed() async throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let empty = try await store.resampled(by: .month)
    #expect(empty.tickers.isEmpty)
    try await store.upsert(["A": .sample(40)])
    let view = try await store.resampled(by: .month)
    #expect(try content(of: view)["A"] == QuoteColumns.sample(40).bars(by: .month, label: .lastRow).cellBits)
    try await store.upsert(["B": .sample(40)])
    await #expect(throws: StoreError.readOnly(path: "store")) { try await view.upsert(["A": .sample(1)]) }
    #expect(try await view.refresh() == false)
    #expect(try await view.importRecords().isEmpty)
    #expect(view.tickers == ["A"] && view.generation == 1)
    let task = Task {
      try? await Task.sleep(for: .seconds(1000))
      _ = try await store.resampled(by: .week)
    }
    task.cancel()
    await #expect(throws: StoreError.cancelled) { try await task.value }
  }
}
