import Foundation
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Volumes with fractions: stored exactly, as float64s, in files that say so.
@Suite struct ExactVolumeTests {
  private let disk = InMemoryFiles()

  static let nasty: [Double] = {
    let third = 1.0 / 3
    let large: [Double] = [1e308, 0x1p53, 9_007_199_254_740_994, 0x1p63, 4_503_599_627_370_496.5]
    return [0.1, .leastNonzeroMagnitude, 0.5, 98_811_715.138055, 0, .nan, 45_503.680330826, 1, 7174.29903, third]
      + large
  }()

  /// A row for each volume, on days that follow each other.
  static func rows(_ volumes: [Double], from day: TradingDay = "2024-01-01") -> QuoteColumns {
    let days = volumes.indices.map { TradingDay(daysSince1970: Int(day.daysSince1970) + $0)! }
    return try! QuoteColumns(
      days: days, doubles: [.close: volumes.indices.map { Double($0) + 1.25 }, .volume: volumes])
  }

  private func store(_ rows: [TickerSymbol: QuoteColumns]) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(rows)
    return store
  }

  private static func volumes(_ store: QuoteStore, _ ticker: TickerSymbol = "BTC") throws -> [UInt64] {
    try store.quotes(for: ticker).fetchColumns().columns.doubles(.volume).map(\.canonical.bitPattern)
  }

  private static func bits(_ values: [Double]) -> [UInt64] { values.map(\.canonical.bitPattern) }

  @Test func a_quote_gives_its_volume_in_whole_shares_and_exactly() throws {
    var quote = DailyQuoteSummary(ticker: "BTC", date: "2024-01-01", volume: 7)
    #expect(quote.volume == 7 && quote.exactVolume == 7 && quote.integer(.volume) == 7)
    quote.exactVolume = 2.5
    #expect(quote.volume == 3 && quote.exactVolume == 2.5 && quote[.volume] == 2.5 && quote.integer(.volume) == nil)
    #expect("\(quote)" == "BTC 2024-01-01: volume 2.5")
    quote[.volume] = 3.5
    #expect(quote.volume == 4 && quote.exactVolume == 3.5)
    quote.volume = 9
    #expect(quote.exactVolume == 9)
    quote.exactVolume = 1e308
    #expect(quote.volume == nil && quote.exactVolume == 1e308 && quote.hasFraction)
    quote.exactVolume = .nan
    #expect(quote.volume == nil && quote.exactVolume == nil)
    quote.exactVolume = -0.0
    #expect(quote.volume == 0 && quote.exactVolume?.bitPattern == 0)
    quote.volume = .max
    #expect(quote.volume == .max && quote.integer(.volume) == .max)
    #expect(MemoryLayout<DailyQuoteSummary>.size == 144)
  }

  @Test func a_quote_with_a_fraction_is_coded_with_it() throws {
    for volume in [2.5, 1e308, 0.1] {
      var quote = DailyQuoteSummary(ticker: "BTC", date: "2024-01-01", close: 1)
      quote.exactVolume = volume
      let data = try JSONEncoder().encode(quote)
      let again = try JSONDecoder().decode(DailyQuoteSummary.self, from: data)
      #expect(again == quote && again.exactVolume == volume)
    }
    let whole = DailyQuoteSummary(ticker: "BTC", date: "2024-01-01", volume: .max)
    #expect(try JSONDecoder().decode(DailyQuoteSummary.self, from: JSONEncoder().encode(whole)) == whole)
  }

  @Test func nasty_volumes_come_back_bit_for_bit() throws {
    for packing in BlockPacking.allCases {
      let store = try QuoteStore(at: "\(packing)", in: disk)
      try store.setPacking(packing)
      let many = (0..<3000).map { (row: Int) -> Double in
        Self.nasty[row % Self.nasty.count] + (row % 2 == 0 ? 0 : Double(row))
      }
      try store.upsert(["BTC": Self.rows(Self.nasty), "ETH": Self.rows(many)])
      #expect(store.hasFractionalVolumes)
      #expect(try Self.volumes(store) == Self.bits(Self.nasty) && Self.volumes(store, "ETH") == Self.bits(many))
      #expect(try store.verify().damages.isEmpty)
      try store.compact()
      #expect(try Self.volumes(store) == Self.bits(Self.nasty) && Self.volumes(store, "ETH") == Self.bits(many))
      #expect(try store.verify().damages.isEmpty)
      let quotes = try store.quotes(for: "BTC").fetch()
      #expect(quotes.map { $0.exactVolume ?? .nan }.map(\.bitPattern) == Self.bits(Self.nasty))
      #expect(quotes.map(\.volume) == Self.nasty.map { $0 >= 0x1p63 || $0.isNaN ? nil : Int64($0.rounded()) })
    }
  }

  @Test func whole_volumes_stay_whole_however_they_come() throws {
    let store = try store(["A": Self.rows([1, .nan, 0x1p53, -0.0])])
    var quote = DailyQuoteSummary(ticker: "B", date: "2024-01-01", volume: 1 << 53 + 1)
    try store.upsert([quote])
    quote.volume = .max
    try store.upsert([DailyQuoteSummary(ticker: "C", date: "2024-01-01", volume: .max)])
    #expect(!store.hasFractionalVolumes)
    #expect(try store.snapshot.soundFiles().allSatisfy { !$0.hasFractions && $0.header.column(.volume)?.kind == 2 })
    let batch = try store.allQuotes.fetchColumns().columns
    #expect(batch.integers(.volume) == [1, .min, 1 << 53, 0, 1 << 53 + 1, .max])
    #expect(try store.allQuotes.aggregate(.volume).integers?.maximum == .max)
  }

  @Test func a_file_with_fractions_says_so() throws {
    let store = try store(["BTC": Self.rows([1.5])])
    let file = try store.snapshot.file(0)
    #expect(file.hasFractions && file.header.column(.volume)?.kind == 1)
    #expect(file.header.column(.attribute(.adjustedVolume))?.source == file.header.places[ColumnSection.volume.index])
    // The same kind in a file that claims to be of version 2.
    var header = try #require(disk[file.path])
    header.becomeVersion(2)
    disk[file.path] = header
    let error = #expect(throws: StoreError.self) { try ColumnFile(file.path, in: disk) }
    #expect(error.map { "\($0)" }?.contains("volume of kind 1") == true, "\(String(describing: error))")
  }

  /// Whole rows first, then some with fractions: of the same ticker, of others, and days between.
  @Test func whole_and_fractional_files_answer_as_one() throws {
    let store = try store(["A": .sample(1500), "B": .sample(700, salt: 1), "C": .sample(40, salt: 2)])
    let whole = try content(of: store)
    var days = QuoteColumns.sample(1500).days
    try store.upsert(["A": Self.rows([0.25, 3, 1e-3], from: days[1499].advanced(1)), "D": Self.rows([2.5, 4])])
    #expect(store.hasFractionalVolumes && store.summary.fileCount == 2)
    #expect(try Set(store.snapshot.soundFiles().map(\.hasFractions)) == [false, true])
    let expected = whole["A"]!.map { row in row.volumeAsDouble } + Self.bits([0.25, 3, 1e-3])
    #expect(try Self.volumes(store, "A") == expected)
    #expect(try Self.volumes(store, "B") == whole["B"]!.map(\.volumeAsDouble))
    // A row between the whole ones.
    days = QuoteColumns.sample(700, salt: 1).days
    try store.upsert(["B": Self.rows([0.5], from: days[350])])
    var b = whole["B"]!.map(\.volumeAsDouble)
    b[350] = 0.5.bitPattern
    #expect(try Self.volumes(store, "B") == b)
    #expect(try store.verify().damages.isEmpty)
    try store.compact()
    #expect(try Self.volumes(store, "A") == expected && Self.volumes(store, "B") == b)
    #expect(try store.snapshot.soundFiles().allSatisfy(\.hasFractions) && store.verify().damages.isEmpty)
  }

  @Test func what_no_float64_holds_is_refused_beside_fractions() throws {
    let large = DailyQuoteSummary(ticker: "A", date: "2024-01-05", volume: 1 << 53 + 1)
    let fraction = Self.rows([1, 1.5])
    let error = StoreError.inexactVolume(ticker: "A", day: "2024-01-05")
    for earlier in [[large], []] {
      for ticker in ["A", "B"] as [TickerSymbol] {
        let store = try QuoteStore(at: "\(ticker)\(earlier.count)", in: disk)
        let (first, second): (QuoteColumns, QuoteColumns) = (fraction, QuoteBatch([large]).columns)
        if earlier.isEmpty {
          try store.upsert([ticker: first])
          #expect(throws: error) { try store.upsert(["A": second]) }
          #expect(try Self.volumes(store, ticker) == Self.bits([1, 1.5]))
        } else {
          try store.upsert(["A": second])
          #expect(throws: error) { try store.upsert([ticker: first]) }
          #expect(try store.allQuotes.fetch() == [large])
        }
      }
    }
    let store = try QuoteStore(at: "infinite", in: disk)
    #expect(throws: StoreError.inexactVolume(ticker: "BTC", day: "2024-01-02")) {
      try store.upsertUnchecked(["BTC": Self.rows([1, .infinity])])
    }
    let most = DailyQuoteSummary(ticker: "A", date: "2024-01-05", volume: 1 << 53)
    try store.upsert(["A": QuoteBatch([most]).columns, "BTC": fraction])
    #expect(try Self.volumes(store, "A") == [(0x1p53).bitPattern])
  }

  @Test func stores_of_both_types_are_joined() throws {
    let whole = try QuoteStore(at: "whole", in: disk)
    try whole.upsert(["A": .sample(1500)])
    let store = try store(["BTC": Self.rows(Self.nasty)])
    let joined = try QuoteStore(joining: [whole, store])
    #expect(joined.hasFractionalVolumes && !whole.hasFractionalVolumes)
    let expected = try whole.allQuotes.fetchColumns().columns.doubles(.volume) + Self.nasty
    #expect(
      try Self.bits(joined.allQuotes.fetchColumns().columns.doubles(.volume)) == Self.bits(expected))
    try whole.upsert([DailyQuoteSummary(ticker: "B", date: "2024-01-05", volume: 1 << 53 + 1)])
    let inexact = try QuoteStore(joining: [whole, store])
    let error = #expect(throws: StoreError.self) { try inexact.allQuotes.fetchColumns() }
    #expect(error.map { "\($0)" }?.contains("a volume of 9007199254740993") == true, "\(String(describing: error))")
    #expect(throws: StoreError.self) { try inexact.allQuotes.aggregate(.volume) }
    #expect(try inexact.quotes(for: "BTC").count() == Self.nasty.count)
  }

  @Test func other_rows_are_made_of_exact_volumes() throws {
    let store = try store(["BTC": Self.rows([1.5, 2.25, .nan, 4]), "A": .sample(100)])
    let weeks = try store.resampled(by: .week, tickers: ["BTC"])
    #expect(weeks.hasFractionalVolumes)
    #expect(try weeks.quotes(for: "BTC").fetch().map(\.exactVolume) == [7.75])
    let then = try store.asOf("2024-01-02", tickers: ["BTC"])
    #expect(try then.quotes(for: "BTC").fetch().map(\.exactVolume) == [1.5, 2.25])
    _ = try store.adjust(["BTC"])
    #expect(try store.quotes(for: "BTC").fetch().map(\.adjustedVolume) == [1.5, 2.25, nil, 4])
    try store.rename("BTC", to: "XBT")
    #expect(try Self.volumes(store, "XBT") == Self.bits([1.5, 2.25, .nan, 4]))
    let other = try QuoteStore(at: "other", in: disk)
    try other.merge(store)
    #expect(try content(of: other) == content(of: store))
    let report = try QuoteStore.repair("store", into: "repaired", in: disk)
    #expect(report.losses.isEmpty)
    let repaired = try QuoteStore(at: "repaired", in: disk)
    #expect(try content(of: repaired) == content(of: store))
    var differences = 0
    try repaired.forEachDifference(from: store) { _ in differences += 1 }
    #expect(differences == 0)
    try store.delete("XBT", dates: "2024-01-01"..."2024-01-02")
    #expect(try Self.volumes(store, "XBT") == Self.bits([.nan, 4]) && store.verify().damages.isEmpty)
  }

  @Test func the_same_rows_again_change_nothing() throws {
    let store = try store(["BTC": Self.rows(Self.nasty), "A": .sample(50)])
    let generation = store.generation
    #expect(try store.upsert(["BTC": Self.rows(Self.nasty), "A": .sample(50)]).unchanged == Self.nasty.count + 50)
    #expect(store.generation == generation)
    var changed = Self.nasty
    changed[5] = 0x1p53 + 2
    #expect(try store.upsert(["BTC": Self.rows(changed)]).replaced == 1)
    #expect(try Self.volumes(store) == Self.bits(changed))
  }
}

extension [UInt64] {
  /// The bits of a row's volume, of `cellBits` with whole volumes, as those of a float64.
  fileprivate var volumeAsDouble: UInt64 {
    Double.besideFractions(Int64(bitPattern: self[1 + Int(Attribute.volume.rawValue)])).canonical.bitPattern
  }
}

extension TradingDay {
  fileprivate func advanced(_ count: Int) -> TradingDay { TradingDay(daysSince1970: Int(daysSince1970) + count)! }
}

extension QuoteBatch {
  fileprivate init(_ quotes: [DailyQuoteSummary]) {
    var columns = QuoteColumns()
    columns.append(contentsOf: quotes)
    self.init(ticker: quotes[0].ticker, columns: columns)
  }
}
