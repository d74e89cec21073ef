import Testing

@testable import Quoin

@Suite struct JumpTests {
  /// Rows of one price a day.
  private static func findings(
    _ prices: [Double?], splits: [Int: Double] = [:], dividends: [Int: Double] = [:], jump: Double = 40
  ) throws -> [String] {
    var market = SoundMarket("A", days: prices.count)
    for (row, price) in prices.enumerated() {
      for name in [TypedAttribute<Double>.open, .high, .low, .close] { market["A"][name][row] = price ?? .missing }
      market["A"][.splitRatio][row] = splits[row] ?? 1
      market["A"][.exDividend][row] = dividends[row] ?? 0
    }
    let days = market["A"].days
    return try market.findings {
      $0.rules = [.jump]
      $0.jump = jump
    }.map { finding in
      let row = days.firstIndex { finding.hasPrefix("A \($0) jump ") } ?? -1
      return "\(row) \(finding.split(separator: " ").dropFirst(3).joined(separator: " "))"
    }
  }

  @Test func a_change_of_more_percent_than_allowed_is_a_jump() throws {
    #expect(try Self.findings([10, 14, 8.4, 8.5]).isEmpty)
    #expect(
      try Self.findings([10, 14.01, 8.4]) == [
        "1 close_before=10.0 close=14.01 change_percent=40.1",
        "2 close_before=14.01 close=8.4 change_percent=-40.0",
      ])
    #expect(try Self.findings([10, 10.6, 10], jump: 5).count == 2)
    #expect(try Self.findings([10, 1, 25], jump: 200) == ["2 close_before=1.0 close=25.0 change_percent=2400.0"])
    #expect(try Self.findings([10, nil, nil, 20]) == ["3 close_before=10.0 close=20.0 change_percent=100.0"])
    #expect(try Self.findings([10, 0, 20]).count == 1)
    #expect(try Self.findings([10, .infinity, 10]).count == 2)
  }

  @Test func splits_and_dividends_explain_a_jump() throws {
    #expect(try Self.findings([100, 50, 51], splits: [1: 2]).isEmpty)
    #expect(try Self.findings([1, 20, 21], splits: [1: 0.05]).isEmpty)
    #expect(try Self.findings([100, nil, 26], splits: [1: 2, 2: 2]).isEmpty)
    #expect(try Self.findings([100, 50], splits: [0: 2]).count == 1)
    #expect(try Self.findings([100, 50, 51], dividends: [1: 48]).isEmpty)
    #expect(try Self.findings([100, nil, 25], splits: [1: 2], dividends: [1: 20, 2: 2]).isEmpty)
    // A split that doesn't explain it, and one that the prices don't know of: that is a matter of the adjusted values.
    #expect(
      try Self.findings([100, 50], splits: [1: 1.1])
        == ["1 close_before=100.0 close=50.0 split_ratio=1.1 change_percent=-50.0"])
    #expect(try Self.findings([100, 99], splits: [1: 2]).isEmpty)
    // No split can have such a ratio.
    #expect(try Self.findings([100, 50], splits: [1: 0]).count == 1)
  }

  @Test func low_and_high_are_compared_in_a_row_whose_range_is_sound() throws {
    var market = SoundMarket("A")
    let (day, close) = (market["A"].days[100], market["A"][.close][99])
    market["A"][.low][100] = 1
    market["A"][.adjustedLow][100] = .missing
    let change = ((1 / close - 1) * 1000).rounded() / 10
    let expected = "A \(day) jump close_before=\(close) low=1.0 change_percent=\(change)"
    #expect(try market.findings() == [expected])
    // In this row the open is wrong, and perhaps the low too.
    market["A"][.open][100] = 1000
    #expect(try market.findings { $0.rules = [.jump] }.isEmpty)
  }
}
