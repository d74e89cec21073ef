import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Questions about volumes with fractions, in stores of which some files have whole ones, answered as loops over the rows would.
@Suite struct ExactVolumeScanTests {
  private static let count = 1300
  private static let days = QuoteColumns.sample(count).days

  /// Rows whose volumes are whole up to a row, and have fractions from there on; some are missing.
  private static func rows(_ salt: Int, wholeUpTo end: Int) -> QuoteColumns {
    var dice = SeededRandom(seed: 7, stream: UInt64(salt))
    let volumes = (0..<count).map { row -> Double in
      if dice.below(20) == 0 { return .nan }
      let whole = Double(dice.below(4000))
      return row < end ? whole : whole + Double(dice.below(8)) / 8
    }
    let closes = (0..<count).map { Double(8000 + ($0 * 37 + salt) % 997) / 100 }
    let adjusted = volumes.map { $0 * 2 }
    return try! QuoteColumns(days: days, doubles: [.close: closes, .volume: volumes, .adjustedVolume: adjusted])
  }

  private static let tickers: [(ticker: TickerSymbol, whole: Int)] = [("A", 1100), ("B", 0), ("C", count), ("D", 700)]
  private static let all: [(TickerSymbol, QuoteColumns)] = tickers.enumerated().map {
    ($1.ticker, rows($0, wholeUpTo: $1.whole))
  }

  /// A store that has the whole rows in a file of int64s, and one that has the others too.
  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for part in [0, 1] {
      var rows: [TickerSymbol: QuoteColumns] = [:]
      for ((ticker, columns), (_, whole)) in zip(all, tickers) {
        let range = part == 0 ? 0..<whole : whole..<count
        if !range.isEmpty { rows[ticker] = columns.sliced(range) }
      }
      try store.upsert(rows)
    }
    #expect(try Set(store.snapshot.soundFiles().map(\.hasFractions)) == [false, true])
    return store
  }

  private static let values: [(ticker: TickerSymbol, day: TradingDay, volume: Double, close: Double)] = all.flatMap {
    ticker, columns in
    zip(columns.days, zip(columns.doubles(.volume), columns.doubles(.close))).map { (ticker, $0, $1.0, $1.1) }
  }

  private static func ids(_ store: QuoteStore, _ predicate: Predicate) throws -> [DailyQuoteSummary.ID] {
    try store.allQuotes.where(predicate).fetch().map(\.id)
  }

  private static func ids(_ holds: (Double) -> Bool) -> [DailyQuoteSummary.ID] {
    values.filter { holds($0.volume) }.map { DailyQuoteSummary.ID(ticker: $0.ticker, date: $0.day) }
  }

  @Test func ranges_are_those_of_the_exact_values() throws {
    let store = try Self.store()
    let ends: [Double] = [-1, 0, 0.125, 0.5, 1, 17, 17.375, 17.4, 2000.5, 3999, 3999.875, 4000, 1e300, .infinity]
    for low in ends {
      #expect(try Self.ids(store, .range(.volume, above: low)) == Self.ids { $0 > low }, "> \(low)")
      #expect(try Self.ids(store, .range(.volume, low...)) == Self.ids { $0 >= low }, ">= \(low)")
      #expect(try Self.ids(store, .range(.volume, ...low)) == Self.ids { $0 <= low }, "<= \(low)")
      #expect(try Self.ids(store, !.range(.volume, ..<low)) == Self.ids { $0 >= low }, "not < \(low)")
      if low.isFinite, let text = try? Predicate(parsing: "volume > \(low)") {
        #expect(try Self.ids(store, text) == Self.ids { $0 > low }, "text > \(low)")
        #expect(try Self.ids(store, Predicate(parsing: "\(text)")) == Self.ids { $0 > low }, "\(text)")
        #expect(try Self.ids(store, Predicate(parsing: "volume + 0 > \(low)")) == Self.ids { $0 > low })
        #expect(try Self.ids(store, Predicate(parsing: "volume = \(low)")) == Self.ids { $0 == low })
        #expect(
          try Self.ids(store, Predicate(parsing: "if(volume <= \(low), 1, 0) = 1")) == Self.ids { $0 <= low },
          "in an expression <= \(low)")
      }
      for high in ends where high >= low {
        #expect(
          try Self.ids(store, .range(.volume, low...high)) == Self.ids { $0 >= low && $0 <= high }, "\(low)...\(high)")
        #expect(
          try store.allQuotes.where(.range(.volume, low..<high)).count() == Self.ids { $0 >= low && $0 < high }.count)
      }
    }
    #expect(try Self.ids(store, .range(.volume, 17...18)) == Self.ids { $0 >= 17 && $0 <= 18 })
    #expect(try Self.ids(store, .range(.volume, above: Int64(17))) == Self.ids { $0 > 17 })
    #expect(try Self.ids(store, .isMissing(.volume)) == Self.ids { $0.isNaN })
    #expect(try Self.ids(store, !.isMissing(.volume)) == Self.ids { !$0.isNaN })
    #expect(try Self.ids(store, .range(.volume, above: 1 << 53 + 1)).isEmpty)
  }

  private static let conditions: [(Predicate, @Sendable (_ volume: Double, _ close: Double) -> Bool)] = [
    (.all([]), { _, _ in true }), (.range(.volume, 100...3000.5), { volume, _ in volume >= 100 && volume <= 3000.5 }),
    (.range(.close, 85.0...), { _, close in close >= 85 }),
  ]

  private static func bits(_ values: [Double]) -> [UInt64] { values.map { $0.canonical.bitPattern } }

  @Test func aggregates_are_those_of_the_exact_values() throws {
    let store = try Self.store()
    for ticker in Self.tickers.map(\.ticker) {
      let volumes = Self.values.filter { $0.ticker == ticker && !$0.volume.isNaN }.map(\.volume)
      // Eighths add up exactly.
      let sum = volumes.reduce(0, +)
      let found = try store.quotes(for: ticker).aggregate(.volume)
      #expect(found.count == volumes.count && found.missingCount == Self.count - volumes.count, "\(ticker)")
      #expect(found.sum == sum && found.mean == sum / Double(volumes.count), "\(ticker)")
      #expect(found.minimum == volumes.min() && found.maximum == volumes.max() && found.integers == nil)
    }
    let wanted: [Aggregation] = [
      .count, .sum(.volume), .min(.volume), .max(.volume), .first(.volume), .last(.volume), .mean(.volume),
    ]
    for grouping in [Grouping(.month), Grouping(.ticker, .month), Grouping(.weekday), nil] {
      for (predicate, isKept) in Self.conditions {
        let blocks = try store.allQuotes.where(predicate).aggregate(wanted, by: grouping)
        // Row by row, because of the quantile.
        let rows = try store.allQuotes.where(predicate).aggregate(
          wanted + [Aggregation(.quantile, of: Attribute.volume)], by: grouping)
        for aggregation in wanted {
          #expect(blocks.doubles(aggregation) == rows.doubles(aggregation), "\(aggregation)")
        }
        let sums: [Double] = blocks.doubles(.sum(.volume)).map { $0 ?? 0 }
        let kept = Self.values.filter { !$0.volume.isNaN && isKept($0.volume, $0.close) }
        let expected: Double = kept.reduce(0.0) { $0 + $1.volume }
        #expect(sums.reduce(0.0, +) == expected)
      }
    }
  }

  @Test func windows_ranks_and_orders_take_the_exact_values() throws {
    let store = try Self.store()
    let computed = try store.quotes(for: "A").computing("change", .volume - .prev(.volume)).fetchColumns()
    let volumes = Self.all[0].1.doubles(.volume)
    let expected = volumes.indices.map { $0 == 0 ? .nan : volumes[$0] - volumes[$0 - 1] }
    #expect(Self.bits(computed.computed("change") ?? []) == Self.bits(expected))
    let sorted: [Double] = try store.allQuotes.limited(to: 50).sorted(by: .volume, .descending).columns.doubles(.volume)
    let largest: [Double] = Self.values.map(\.volume).filter { !$0.isNaN }.sorted(by: >)
    #expect(sorted == Array(largest.prefix(50)))
    let latest: [Double] = try store.allQuotes.latest().columns.doubles(.volume)
    #expect(Self.bits(latest) == Self.bits(Self.all.map { $0.1.doubles(.volume)[Self.count - 1] }))
    let batches = try store.allQuotes.selecting([.volume]).fetchColumns()
    #expect(batches.columns.hasFractions && batches.columns.doubles(.volume).count == Self.values.count)
    #expect(try store.quotes(for: "NONE").selecting([.volume]).fetchColumns().columns.hasFractions)
  }

  @Test func adjusted_volumes_of_whole_files_come_back() throws {
    let store = try Self.store()
    for attributes in [[.adjustedVolume], [.volume, .adjustedVolume]] as [AttributeSet] {
      let found = try store.allQuotes.selecting(attributes).fetchColumns().columns.doubles(.adjustedVolume)
      #expect(Self.bits(found) == Self.bits(Self.values.map { $0.volume * 2 }))
    }
    let wanted = Self.ids { $0 * 2 > 1000.25 }
    #expect(try Self.ids(store, .range(.adjustedVolume, above: 1000.25)) == wanted)
  }
}
