import Testing

@testable import Quoin

/// A report says why blocks of a comparison were computed in float64.
@Suite struct WideReasonTests {
  private static func condition(
    _ text: String, opens: [Double], closes: [Double], perFile: Int = 4000
  ) throws -> (report: ConditionReport, text: String) {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let rows = try QuoteColumns(
      days: opens.indices.map { TradingDay(daysSince1970: 10_000 + $0)! }, doubles: [.open: opens, .close: closes])
    for start in stride(from: 0, to: opens.count, by: perFile) {
      try store.upsert(["KO": rows.sliced(start..<min(start + perFile, opens.count))])
    }
    let report = try store.allQuotes.where(Quoin.Predicate(parsing: text)).explain()
    return (try #require(report.conditions.first), report.text)
  }

  private static let opens = (0..<2000).map { 50 + Double($0 * 7919 % 5000) / 100 }
  private static let closes = (0..<2000).map { 50 + Double($0 * 104_729 % 5000) / 100 }

  @Test func prices_with_two_digits_are_decided_in_float32() throws {
    let (report, text) = try Self.condition("close > open * 1.1", opens: Self.opens, closes: Self.closes)
    #expect(!report.isWide && report.narrowBlockCount == 2 && report.wideBlockCounts.isEmpty)
    #expect(!text.contains("computed in float64"), "\(text)")
  }

  @Test func values_may_be_no_integers() throws {
    let closes = (0..<2000).map { 50 + Double($0 * 7919 % 2500).squareRoot() }
    let (report, text) = try Self.condition("close > open * 1.1", opens: Self.opens, closes: closes)
    #expect(report.wideBlockCounts == [.values: 2] && report.narrowBlockCount == 0)
    #expect(text.contains("2 blocks whose values aren't integers over a power of ten computed in float64"), "\(text)")
  }

  @Test func a_divisor_may_be_0() throws {
    let (report, text) = try Self.condition("close / abs(open - close) > 9", opens: Self.opens, closes: Self.closes)
    #expect(report.wideBlockCounts == [.error: 2])
    #expect(text.contains("2 blocks in which the error of float32 has no bound computed in float64"), "\(text)")
  }

  @Test func rows_may_be_too_near_to_the_boundary() throws {
    let opens = (0..<2000).map { 10 + Double($0 % 100) }
    let closes = opens.map { $0 * 11 / 10 }
    let (report, text) = try Self.condition("close > open * 1.1", opens: opens, closes: closes)
    #expect(report.wideBlockCounts == [.doubt: 2])
    #expect(text.contains("2 blocks with too many rows within the error computed in float64"), "\(text)")
  }

  /// There it is the sums themselves that say so, for they have no other form in float32.
  @Test func rows_may_be_too_near_to_a_mean() throws {
    // The mean is the open less 1.9.
    let opens = (0..<2000).map { Double(100 + 2 * $0) / 10 }
    let closes = (0..<2000).map { Double(11 * (81 + 2 * $0)) / 100 }
    let (report, _) = try Self.condition("close > 1.1 * mean(open, 20)", opens: opens, closes: closes)
    #expect(report.wideBlockCounts == [.doubt: 2] && report.narrowBlockCount == 0, "\(report)")
  }

  @Test func rows_before_may_be_in_several_blocks() throws {
    let (report, text) = try Self.condition(
      "close > mean(close, 900)", opens: Self.opens, closes: Self.closes, perFile: 800)
    let (wide, narrow) = (try #require(report.wideBlockCounts[.rowsBefore]), report.narrowBlockCount)
    #expect(report.wideBlockCounts.count == 1 && wide >= 1 && narrow >= 1)
    #expect(text.contains("\(wide.of("block")) after rows that weren't decided computed in float64"), "\(text)")
  }

  @Test func rows_before_may_not_be_decided() throws {
    let closes = Self.closes.enumerated().map { $0 < 1024 ? 50 + ($1 - 50).squareRoot() : $1 }
    let (report, text) = try Self.condition("every(close > open, 30)", opens: Self.opens, closes: closes)
    #expect(report.wideBlockCounts == [.values: 1, .rowsBefore: 1] && report.narrowBlockCount == 0, "\(report)")
    #expect(text.contains("1 block after rows that weren't decided computed in float64"), "\(text)")
  }

  @Test func a_median_has_no_such_form() throws {
    let (report, text) = try Self.condition("close > median(close, 20)", opens: Self.opens, closes: Self.closes)
    #expect(report.isWide && report.isComputed && report.wideBlockCounts.isEmpty)
    #expect(text.contains("computed in float64 from 19 rows before"), "\(text)")
  }

  @Test func a_range_is_not_computed() throws {
    let (report, text) = try Self.condition("close > 60", opens: Self.opens, closes: Self.closes)
    #expect(!report.isWide && !report.isComputed && report.wideBlockCounts.isEmpty)
    #expect(!text.contains("float64"), "\(text)")
  }
}
