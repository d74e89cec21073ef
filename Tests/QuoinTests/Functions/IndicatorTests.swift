import Foundation
import Testing

@testable import Quoin

@Suite struct IndicatorTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The lines of a file, without the first one, as words.
  private static func lines(_ path: String) throws -> [[Substring]] {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
  }

  /// The rows of AAPL in the sample.
  private static let quotes: [Attribute: [Double]] = {
    let rows = ((try? lines("data/wiki-sample.csv")) ?? []).filter { $0[0] == "AAPL" }
    let places = [(Attribute.high, 3), (.low, 4), (.close, 5), (.volume, 6)]
    return Dictionary(
      uniqueKeysWithValues: places.map { name, place in (name, rows.map { Double($0[place]) ?? .nan }) })
  }()

  private static func inputs(_ indicator: Indicator) -> [[Double]] { indicator.inputs.map { quotes[$0] ?? [] } }

  private static func values(_ indicator: Indicator, _ inputs: [[Double]], _ periods: [Int]? = nil) -> [Double] {
    values(indicator, of: [inputs], (periods ?? indicator.periods).map { Double($0) })[0]
  }

  private static func values(_ indicator: Indicator, of tickers: [[[Double]]], _ numbers: [Double]) -> [[Double]] {
    indicator.values(of: tickers.map { $0.map { ColumnBuffer($0).shared } }, numbers).map { ColumnBuffer($0).array }
  }

  @Test func indicators_have_the_values_of_TA_Lib() throws {
    var compared: Set<Indicator> = []
    for line in try Self.lines("Tests/QuoinTests/Fixtures/indicators.csv") {
      let indicator = try #require(Indicator.named(String(line[0])))
      let (row, wanted) = (try #require(Int(line[1])), try #require(Double(line[2])))
      let values = Self.values(indicator, Self.inputs(indicator))
      #expect((values[row] - wanted).magnitude <= 1e-9 * max(1, wanted.magnitude), "\(indicator), row \(row)")
      if compared.insert(indicator).inserted {
        // TA-Lib gives no MACD before its signal, and no %K before %D.
        let early = [.macd: 8, .stoch: 2][indicator] ?? 0
        #expect(values.prefix(row - early).allSatisfy { $0.isNaN } && !values[row - early].isNaN, "\(indicator)")
      }
    }
    #expect(compared == Set(Indicator.all).subtracting([.wilder]))
  }

  @Test(arguments: Indicator.all)
  func rows_with_a_missing_cell_are_passed_over(_ indicator: Indicator) {
    let inputs = Self.inputs(indicator)
    let values = Self.values(indicator, inputs)
    for gap in [0, 1, 40] {
      let gapped = inputs.indices.map { inputs[$0][..<gap] + [$0 == 0 ? .nan : 1] + inputs[$0][gap...] }
      let found = Self.values(indicator, gapped.map { Array($0) })
      let wanted = values[..<gap] + [gap == 0 ? .nan : values[gap - 1]] + values[gap...]
      #expect(found.map(\.bitPattern) == wanted.map(\.bitPattern), "\(gap)")
    }
  }

  @Test(arguments: Indicator.all)
  func several_tickers_have_the_values_of_each_alone(_ indicator: Indicator) {
    let (inputs, numbers) = (Self.inputs(indicator), indicator.periods.map { Double($0) })
    // Of any lengths: too short ones, equal ones, one much longer than the others, and some with gaps.
    for lengths in [[0], [3, 40], [60, 60, 60, 60], [200, 5, 41, 90, 41, 0, 7, 120, 33], Array(20...50)] {
      let tickers = lengths.enumerated().map { place, length in
        inputs.map { column in
          var rows = Array(column[place..<place + length])
          if place % 3 == 1, length > 2 { rows[length / 2] = .nan }
          return rows
        }
      }
      let together = Self.values(indicator, of: tickers, numbers)
      for (ticker, values) in zip(tickers, together) {
        #expect(values.map(\.bitPattern) == Self.values(indicator, of: [ticker], numbers)[0].map(\.bitPattern))
      }
    }
  }

  @Test(arguments: Indicator.all)
  func short_histories_are_missing(_ indicator: Indicator) {
    let inputs = Self.inputs(indicator)
    for count in 0...3 {
      let values = Self.values(indicator, inputs.map { Array($0[..<count]) })
      #expect(values.allSatisfy { $0.isNaN != (indicator == .obv) })
    }
    // Each number of rows has its own beginning.
    let ones = Self.values(indicator, inputs, indicator.periods.map { _ in 1 })
    #expect(ones.dropFirst(1).allSatisfy { $0.isFinite })
  }

  @Test func a_price_that_stays_has_neither_rise_nor_range() {
    let flat = Array(repeating: 80.98, count: 50)
    for indicator in Indicator.all where ![.ema, .wilder, .obv].contains(indicator) {
      #expect(Self.values(indicator, indicator.inputs.map { _ in flat })[49] == 0, "\(indicator)")
    }
    #expect(Self.values(.ema, [flat])[49] == 80.98)
    #expect(Self.values(.obv, [flat, flat])[49] == 80.98)
  }

  @Test func a_seed_is_the_mean_of_the_first_values() {
    let values: [Double] = [1, 2, 6, 4, 8]
    #expect(Self.values(.ema, [values], [3]).dropFirst(2) == [3, 3.5, 5.75])
    #expect(Self.values(.wilder, [values], [2]).dropFirst() == [1.5, 3.75, 3.875, 5.9375])
    // Without a number of rows, it begins with the first value.
    let weighted = Self.values(.ema, of: [[[.nan, 8, 16, .nan, 0]]], [0.25])[0]
    #expect(weighted[0].isNaN && weighted.dropFirst() == [8, 10, 10, 7.5])
    // The fast average begins with the mean of 2 and 6, so both begin at the same row.
    #expect(Self.values(.macd, [values], [2, 3])[2] == 1)
    #expect(Self.values(.macd, [values], [3, 2])[2] == 1)
  }

  @Test func stretches_count_rows() {
    let condition: [Double] = [0, 1, 1, .nan, 1, 0, 0, 1]
    func counts(_ function: FlagFunction) -> [Double] {
      ColumnBuffer(function.values(ColumnBuffer(condition).shared, .all)).array.map { $0.isNaN ? -1 : $0 }
    }
    #expect(counts(.streak) == [0, 1, 2, -1, 1, 0, 0, 1])
    #expect(counts(.since) == [-1, 0, 0, 1, 0, 1, 2, 0])
  }
}
