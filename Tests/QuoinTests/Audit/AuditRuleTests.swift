import Testing

@testable import Quoin

@Suite struct AuditRuleTests {
  private static let day = SoundMarket("A")["A"].days

  @Test func sound_quotes_break_no_rule() throws {
    let market = SoundMarket("A", "B", "C", "D", "E", days: 3000)
    // Dividends and splits are among them.
    #expect(market.rows.values.contains { $0[.exDividend].contains { $0 > 0 } })
    #expect(market.rows.values.contains { $0[.splitRatio].contains { $0 != 1 } })
    #expect(try market.findings().isEmpty)
  }

  /// One fault of a rule in a sound market, and how it is found.
  private static func plant(_ rule: AuditRule, in market: inout SoundMarket) -> [String] {
    let (low, high, close) = (market["B"][.low][100], market["B"][.high][100], market["B"][.close][99])
    let day = "B \(Self.day[100]) \(rule.rawValue)"
    switch rule {
    case .lowAboveHigh:
      market["B"][.low][100] = high + 0.25
      return ["\(day) low=\(high + 0.25) high=\(high)"]
    case .outsideRange:
      market["B"][.open][100] = low - 0.25
      return ["\(day) open=\(low - 0.25) low=\(low) high=\(high)"]
    case .zeroPrice:
      market["B"][.low][100] = 0
      return ["\(day) low=0.0"]
    case .zeroVolume:
      market["B"][.volume][100] = 0
      return ["\(day) volume=0"]
    case .infinite:
      // The first row has no close before that it could be far from.
      market["B"][.high][0] = .infinity
      market["B"].clear(.adjustedHigh, row: 0)
      return ["B \(Self.day[0]) infinite high=inf"]
    case .negativeAdjusted:
      market["B"][.adjustedLow][100] = -0.77
      return ["\(day) adj_low=-0.77"]
    case .split:
      market["B"][.splitRatio][100] = 2
      market.adjust("B")
      return ["\(day) split_ratio=2.0 close_before=\(close) close=\(market["B"][.close][100])"]
    case .splitRatio:
      market["B"][.splitRatio][100] = 0
      return ["\(day) split_ratio=0.0"]
    case .dividend:
      market["B"][.exDividend][100] = -0.5
      return ["\(day) ex-dividend=-0.5"]
    case .jump:
      for row in 100..<300 {
        for name in [TypedAttribute<Double>.open, .high, .low, .close] { market["B"][name][row] *= 2 }
      }
      market.adjust("B")
      let change = ((market["B"][.close][100] / close - 1) * 1000).rounded() / 10
      return ["\(day) close_before=\(close) close=\(market["B"][.close][100]) change_percent=\(change)"]
    case .adjusted:
      let value = market["B"][.adjustedHigh][100]
      market["B"][.adjustedHigh][100] = 7.5
      let expected = SignificantDigits(digits: 10).rounded(value)
      return ["\(day) adj_high=7.5 expected_adj_high=\(expected)"]
    case .staleAdjusted:
      for row in 298..<300 { market["B"][.adjustedClose][row] = .missing }
      return ["B \(Self.day[298]) stale-adjusted rows_without_adj_close=2"]
    case .missingColumn:
      market["B"][.close] = Array(repeating: .missing, count: 300)
      return ["B 2018-03-27 missing-column rows_with_close=0 rows=300"]
    case .emptyRow:
      for name in Attribute.allCases { market["B"].clear(name, row: 100) }
      return ["B \(Self.day[100]) empty-row"]
    case .weekend:
      market.append("2018-03-31", to: "B")
      return ["B 2018-03-31 weekend traded=1 weekend_days=9"]
    case .gap:
      for row in (100..<140).reversed() { market.removeDay(row, of: "B") }
      for row in 100..<260 {
        for name in [TypedAttribute<Double>.open, .high, .low, .close] { market["B"][name][row] *= 20 }
      }
      market.adjust("B")
      let dayCount = Self.day[140].daysSince1970 - Self.day[99].daysSince1970
      return ["B \(Self.day[140]) gap day_before=\(Self.day[99]) days=\(dayCount) missing_days=40"]
    case .futureDay:
      market.append("2018-04-05", to: "B")
      return ["B 2018-04-05 future-day days_ahead=4"]
    case .missingDay:
      market.removeDay(100, of: "B")
      return ["\(day) traded=2 listed=3"]
    case .loneDay:
      for ticker in ["A", "C"] as [TickerSymbol] { market.removeDay(100, of: ticker) }
      return ["\(day) traded=1 listed=3"]
    case .repeatedRow:
      for name in [TypedAttribute<Double>.open, .high, .low, .close] { market["B"][name][100] = market["B"][name][99] }
      market["B"][.volume][100] = market["B"][.volume][99]
      let values = ["open", "high", "low", "close"].map { name in
        "\(name)=\(market["B"].doubles(Attribute(named: name) ?? .open)[99])"
      }
      return ["\(day) \(values.joined(separator: " ")) volume=\(market["B"][.volume][99])"]
    case .equalHistory:
      market["AA"] = market["B"]
      return ["AA 2018-03-27 equal-history twin=B", "B 2018-03-27 equal-history twin=AA"]
    }
  }

  @Test(arguments: AuditRule.allCases)
  func one_fault_is_found_and_nothing_else(_ rule: AuditRule) throws {
    var market = SoundMarket("A", "B", "C")
    let expected = Self.plant(rule, in: &market)
    #expect(try market.findings() == expected)
    #expect(try market.findings { $0.rules = [rule] } == expected)
    #expect(try market.findings { $0.rules = Set(AuditRule.allCases).subtracting([rule]) }.isEmpty)
  }

  @Test func missing_cells_break_no_rule_but_those_about_missing_cells() throws {
    let sound = SoundMarket("A", "B", "C")
    for name in Attribute.allCases {
      for cells in [0..<300, 100..<101, 120..<300] {
        var market = sound
        for row in cells { market["B"].clear(name, row: row) }
        let rules: [AuditRule]
        switch name {
        case .open, .high, .low, .close: rules = cells.count == 300 ? [.missingColumn] : []
        case _ where AttributeSet.adjusted.contains(name): rules = cells.count == 180 ? [.staleAdjusted] : []
        default: rules = []
        }
        let found = try market.findings()
        #expect(
          found.map { $0.split(separator: " ")[2] } == rules.map { $0.rawValue[...] }, "\(name) \(cells) \(found)")
      }
    }
    var empty = SoundMarket("A", "B", "C")
    for ticker in ["B", "C"] as [TickerSymbol] {
      empty[ticker] = QuoteColumns(days: empty[ticker].days)
    }
    #expect(try empty.findings().count == 600)
    #expect(try empty.findings { $0.rules.remove(.emptyRow) }.isEmpty)
  }

  @Test func a_price_of_zero_or_less_breaks_no_other_rule() throws {
    for value: Double in [0, -0.0, -37.63, -.infinity] {
      for name in [TypedAttribute<Double>.open, .high, .low, .close] {
        var market = SoundMarket("A")
        market["A"][name][100] = value
        #expect(try market.findings() == ["A \(Self.day[100]) zero-price \(name.name.wikiName)=\(value)"])
      }
    }
  }

  @Test func a_negative_volume_is_found_and_the_missing_one_is_not() throws {
    var market = SoundMarket("A")
    market["A"][.volume][7] = -1
    market["A"][.volume][8] = .missing
    #expect(try market.findings() == ["A \(Self.day[7]) zero-volume volume=-1"])
  }

  @Test func a_row_is_repeated_as_often_as_it_comes_again_and_not_without_a_volume() throws {
    var market = SoundMarket("A")
    let row = market["A"].quote(at: 50, of: "A")
    for place in 51..<54 {
      market["A"][.volume][place] = market["A"][.volume][50]
      for name in Attribute.allCases {
        if case .double(let key) = name.key { market["A"][key][place] = row[name] ?? .missing }
      }
    }
    #expect(try market.findings { $0.rules = [.repeatedRow] }.count == 3)
    for place in 50..<54 { market["A"][.volume][place] = 0 }
    #expect(try market.findings { $0.rules = [.repeatedRow] }.isEmpty)
  }

  @Test func names_of_rules_are_told_apart() {
    #expect(Set(AuditRule.allCases.map(\.rawValue)).count == 21)
    #expect(AuditRule.allCases == AuditRule.allCases.sorted())
    #expect(
      AuditRule.allCases.allSatisfy { !$0.fault.isEmpty && $0.rawValue.allSatisfy { $0.isLowercase || $0 == "-" } })
  }
}
