import Foundation
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// The alphas of `Examples/alphas101.txt`.
@Suite struct AlphaTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  private static func lines(_ path: String, separator: String) throws -> [[String]] {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: separator, maxSplits: 1).map { String($0) }
    }
  }

  /// Quotes that wander, on most of some days, a few of them without a cell.
  private static func quotes(_ dice: inout SeededRandom) -> [QuoteColumns] {
    (0..<5).map { ticker in
      let days = (0..<280).compactMap { TradingDay(daysSince1970: 13_000 + $0) }.filter { _ in dice.chance(0.97) }
      var columns = QuoteColumns(days: days)
      var close = Double(20 + 15 * ticker)
      for row in days.indices {
        func cents(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        func share() -> Double { Double(dice.below(10_000)) / 10_000 }
        let open = cents(close * (0.99 + 0.02 * share()))
        close = cents(close * (0.97 + 0.06 * share()))
        columns[.open][row] = dice.chance(0.004) ? .missing : open
        columns[.high][row] = cents(max(open, close) * (1 + 0.01 * share()))
        columns[.low][row] = cents(min(open, close) * (1 - 0.01 * share()))
        columns[.close][row] = dice.chance(0.004) ? .missing : close
        columns[.volume][row] = dice.chance(0.004) ? .missing : Int64(10_000 + dice.below(90_000))
      }
      return columns
    }
  }

  @Test func alphas_are_those_of_the_paper() throws {
    var dice = TestSettings.dice("alphas")
    let quotes = Self.quotes(&dice)
    let symbols: [TickerSymbol] = ["A", "B", "C", "D", "E"]
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(Dictionary(uniqueKeysWithValues: zip(symbols, quotes)))
    let all = try Self.lines("Examples/alphas101.txt", separator: " as ").map { (name: $0[1], text: $0[0]) }
    let formulas = try Self.lines("Tests/QuoinTests/Fixtures/alphas101.txt", separator: ": ")
    try #require(all.count == 82 && formulas.map { "alpha\($0[0])" } == all.map(\.name))
    // The oracle is slow in debug.
    let alphas = zip(all, formulas).enumerated().filter { !TestSettings.isDebug || $0.offset % 4 == 0 }.map(\.element)

    let columns = alphas.map { "\($0.0.text) as \($0.0.name)" }.joined(separator: ", ")
    let question = try QuoteQuestion([.columns: columns])
    guard case .rows(var rows) = try store.answer(question), let batch = try rows.next() else {
      Issue.record("no rows")
      return
    }
    var oracle = AlphaOracle(quotes)
    for (alpha, formula) in alphas {
      let expected = Array(oracle.values(of: formula[1]).joined())
      let found = try #require(batch.computed(alpha.name))
      try #require(found.count == expected.count)
      var (sureCount, faults) = (0, [String]())
      for (row, (x, y)) in zip(found, expected).enumerated() where y.isSure {
        if !y.isMissing { sureCount += 1 }
        let isRight = y.isMissing ? x.isNaN : (x - y.value).magnitude <= 1e-8 * max(1e-3, y.value.magnitude)
        if !isRight { faults.append("row \(row): \(x), not \(y.value)") }
      }
      #expect(faults.isEmpty, "\(alpha.name), \(faults.count) of \(sureCount): \(faults.prefix(3))")
      // Of few tickers, ranks of the places of the smallest correlations of ranks are ties everywhere.
      #expect(sureCount > 0 || alpha.name == "alpha98", "\(alpha.name) has \(sureCount) values")
    }
  }
}
