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

  @Test func missing_cells_break_no_rule() throws {
    let sound = SoundMarket("A", "B", "C")
    for name in Attribute.allCases {
      for cells in [0..<300, 100..<101, 120..<300] {
        var market = sound
        for row in cells {
          switch name.key {
          case .double(let key): market["B"][key][row] = .missing
          case .integer(let key): market["B"][key][row] = .missing
          }
        }
        #expect(try market.findings().isEmpty, "\(name) \(cells)")
      }
    }
    var empty = SoundMarket("A", "B", "C")
    for ticker in ["B", "C"] as [TickerSymbol] {
      empty[ticker] = QuoteColumns(days: empty[ticker].days)
    }
    #expect(try empty.findings().isEmpty)
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
    #expect(Set(AuditRule.allCases.map(\.rawValue)).count == 11)
    #expect(AuditRule.allCases == AuditRule.allCases.sorted())
    #expect(
      AuditRule.allCases.allSatisfy { !$0.fault.isEmpty && $0.rawValue.allSatisfy { $0.isLowercase || $0 == "-" } })
  }
}
