import QuoteGenerator
import Testing

@testable import Quoin

@Suite struct AdjustTests {
  private static let raw = AttributeSet.all.subtracting(.adjusted)

  /// Three days: a split of 2 on the second, a dividend of 1 on the third.
  private static func quotes() throws -> QuoteColumns {
    try QuoteColumns(
      days: ["2020-01-01", "2020-01-02", "2020-01-03"],
      doubles: [
        .open: [11, 6, 4], .high: [12, .nan, 5], .close: [10, 5, 4], .exDividend: [.nan, 0, 1],
        .splitRatio: [.nan, 2, 1],
      ], integers: [.volume: [100, 300, .missing]])
  }

  @Test func splits_and_dividends_change_the_days_before_them() throws {
    let adjusted = try Self.quotes().adjusted()
    #expect(adjusted.attributes == AttributeSet.all.subtracting([.low]).union(.adjusted))
    #expect(adjusted.doubles(.adjustedOpen) == [4.4, 4.8, 4])
    #expect(adjusted.doubles(.adjustedClose) == [4, 4, 4])
    #expect(adjusted.doubles(.adjustedHigh)[1].isNaN && adjusted.doubles(.adjustedHigh)[0] == 4.8)
    #expect(adjusted.doubles(.adjustedLow).allSatisfy { $0.isNaN })
    #expect(adjusted.doubles(.adjustedVolume).prefix(2) == [200, 300] && adjusted.doubles(.adjustedVolume)[2].isNaN)
    #expect(adjusted.doubles(.open) == [11, 6, 4], "raw values stay")
  }

  @Test func the_order_of_rows_does_not_matter() throws {
    var reversed = try Self.quotes()
    reversed.reverse()
    var adjusted = reversed.adjusted()
    #expect(adjusted.days == reversed.days)
    adjusted.reverse()
    #expect(try adjusted.completed.cellBits == Self.quotes().adjusted().completed.cellBits)
    #expect(QuoteColumns(attributes: []).adjusted().attributes == .adjusted)
  }

  @Test func a_value_that_makes_no_sense_changes_no_other_day() throws {
    for bad in [Double.nan, .infinity, -.infinity, 0, -1] {
      for name in [Attribute.close, .exDividend, .splitRatio] {
        var values: [Attribute: [Double]] = [.close: [10, 10], .exDividend: [0, 0], .splitRatio: [1, 1]]
        if name == .close { values[.exDividend]?[1] = 1 }
        values[name]?[1] = bad
        let columns = try QuoteColumns(days: ["2020-01-01", "2020-01-02"], doubles: values)
        #expect(columns.adjusted().doubles(.adjustedClose)[0] == 10, "\(name) \(bad)")
      }
    }
  }

  /// The generator's rows have adjusted values that another function has rounded, and volumes in whole shares.
  @Test func adjusted_prices_that_are_taken_away_come_back_bit_for_bit() throws {
    let generator = try QuoteGenerator(tickerCount: 6, rowCount: 12_000, seed: 3)
    var factorCount = 0
    for index in generator.tickers.indices {
      let quotes = generator.quotes(at: index)
      let adjusted = quotes.having(Self.raw).adjusted()
      for name in [Attribute.adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose] {
        let (old, new) = (quotes[column: name], adjusted[column: name])
        #expect((0..<quotes.rowCount).allSatisfy { old.bits($0) == new.bits($0) })
      }
      for (old, new) in zip(quotes.doubles(.adjustedVolume), adjusted.doubles(.adjustedVolume)) {
        #expect(old == new.rounded() || old.isNaN && new.isNaN)
      }
      factorCount += Set(quotes.doubles(.exDividend) + quotes.doubles(.splitRatio)).count
    }
    #expect(factorCount > 10)
  }

  @Test func a_store_adjusts_tickers_that_have_no_adjusted_values() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    let whole = QuoteColumns.sample(2000)
    try store.upsert(["OLD": whole, "NEW": whole.having(Self.raw), "B": Self.quotes()])
    let rows = try content(of: store)
    var seen: [Int] = []
    let counts = try store.adjust(["NEW", "NONE", "B", "NEW"], trustingSplits: true) { seen.append($0) }
    #expect(counts.replaced == 2003 && counts.changedCells[.adjustedClose] == 2003 && seen == [3, 2003, 2003])
    #expect(try content(in: "store", files)["NEW"] == whole.having(Self.raw).adjusted().cellBits)
    #expect(try content(of: store)["OLD"] == rows["OLD"] && store.generation == 2 && store.importRecords().count == 3)
    try store.undo()
    #expect(try content(of: store) == rows)
    // One that has some is refused, and with it the others.
    #expect(throws: StoreError.alreadyAdjusted(path: "store", ticker: "OLD")) {
      try store.adjust(["NEW", "OLD"], trustingSplits: true)
    }
    #expect(try content(of: store) == rows && store.generation == 3)
    #expect(try store.adjust(["OLD"], replacing: true, trustingSplits: true).replaced > 0)
    #expect(try store.adjust(["OLD"], replacing: true, trustingSplits: true) == UpsertCounts(unchanged: 2000))
    #expect(try content(of: store)["OLD"] == whole.having(Self.raw).adjusted().cellBits)
  }
}
