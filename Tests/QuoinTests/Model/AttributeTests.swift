import Testing

@testable import Quoin

@Suite struct AttributeTests {
  @Test func names_are_those_of_quandls_files() {
    #expect(
      Attribute.allCases.map(\.wikiName).joined(separator: ",")
        == "open,high,low,close,volume,ex-dividend,split_ratio,adj_open,adj_high,adj_low,adj_close,adj_volume")
    #expect(
      Attribute.allCases.map(\.datasetName).joined(separator: ",")
        == "Open,High,Low,Close,Volume,Ex-Dividend,Split Ratio,Adj. Open,Adj. High,Adj. Low,Adj. Close,Adj. Volume")
  }

  @Test func every_spelling_of_a_name_is_understood() {
    for name in Attribute.allCases {
      for spelling in [name.wikiName, name.datasetName, "\(name)"] {
        #expect(Attribute(named: spelling) == name)
        #expect(Attribute(named: spelling.uppercased()) == name)
        #expect(Attribute(named: spelling.replacing("-", with: "_")) == name)
        #expect(Attribute(named: spelling.replacing("_", with: "-")) == name)
      }
      for spelling in name.spellings { #expect(Attribute(named: spelling) == name) }
    }
    for text in [
      "", "opens", "ticker", "date", "adj", "-", "close-", "-close", "close_", "cl-ose", "c.l.o.s.e", "close ",
      "adj__close",
      "adj--close", "a-djclose",
    ] { #expect(Attribute(named: text) == nil, "\(text)") }
  }

  /// They are part of the file format.
  @Test func raw_values_are_those_of_the_format() {
    #expect(Attribute.allCases.map(\.rawValue) == Array(0..<12))
    #expect(Attribute.allCases.filter(\.isInteger) == [.volume])
    #expect(ColumnSection.all.map(\.index) == Array(0...12))
  }

  @Test func keys_have_the_type_of_their_column() {
    for name in Attribute.allCases {
      #expect((TypedAttribute<Double>(name: name) == nil) == name.isInteger)
      #expect((TypedAttribute<Int64>(name: name) == nil) == !name.isInteger)
    }
    #expect(TypedAttribute<Double>.all.count == 11 && TypedAttribute<Int64>.all == [.volume])
  }

  @Test func slots_count_the_attributes_of_a_kind() {
    #expect(TypedAttribute<Double>.all.map(\.name.slot) == Array(0..<Attribute.doubleCount))
    #expect(TypedAttribute<Int64>.all.map(\.name.slot) == Array(0..<Attribute.integerCount))
    #expect(Attribute.doubleCount + Attribute.integerCount == Attribute.allCases.count)
  }

  /// A block is decoded after the one that it is computed from.
  @Test func an_attribute_is_derived_from_an_earlier_one_and_float64() {
    for name in Attribute.allCases {
      guard let source = name.derivationSource else { continue }
      #expect(source.rawValue < name.rawValue && !name.isInteger && source.derivationSource == nil)
      #expect("\(name)".lowercased() == "adjusted\(source)")
    }
    #expect(Attribute.allCases.count { $0.derivationSource != nil } == 5)
  }

  @Test func a_set_has_room_for_every_attribute() {
    #expect(AttributeSet.all.names.count == Attribute.allCases.count)
    for attribute in Attribute.allCases { #expect(AttributeSet([attribute]).names == [attribute]) }
  }

  @Test func a_set_has_its_members_in_file_order() {
    #expect(AttributeSet([.volume, .open, .volume]).names == [.open, .volume])
    #expect(AttributeSet.all.names == Attribute.allCases)
    #expect(Array([.close, .open] as AttributeSet) == [.open, .close])
    #expect(AttributeSet([]).names.isEmpty && AttributeSet().isEmpty)
  }

  @Test func sets_are_combined_as_sets_are() {
    let (a, b): (AttributeSet, AttributeSet) = ([.high, .low, .volume], [.low, .adjustedVolume])
    #expect(a.union(b) == [.high, .low, .volume, .adjustedVolume] && a.intersection(b) == [.low])
    #expect(a.symmetricDifference(b) == [.high, .volume, .adjustedVolume] && a.subtracting(b) == [.high, .volume])
    #expect(a.isSubset(of: .all) && !a.isSubset(of: b) && a.isDisjoint(with: [.open]))
    var set = a
    #expect(set.insert(.open).inserted && !set.insert(.open).inserted && set.update(with: .open) == .open)
    #expect(set.remove(.high) == .high && set.remove(.high) == nil && set == [.open, .low, .volume])
  }

  @Test func a_missing_cell_is_nil_whatever_its_bits() {
    var quote = DailyQuoteSummary(ticker: .fedEx, date: "2005-10-14", open: .nan, high: 87.7, volume: .min)
    #expect(quote.open == nil && quote.volume == nil && quote.high == 87.7 && quote.low == nil)
    #expect(quote[.open] == nil && quote[.high] == 87.7 && quote[.volume] == nil)
    quote[.high] = .nan
    #expect(quote.high == nil)
    quote[.high] = 87.7
    quote.open = -.nan
    #expect(quote == DailyQuoteSummary(ticker: .fedEx, date: "2005-10-14", high: 87.7))
  }

  @Test func a_quote_can_be_changed_by_attribute() {
    var quote = DailyQuoteSummary(ticker: .fedEx, date: "2005-10-14")
    for attribute in Attribute.allCases { quote[attribute] = Double(attribute.rawValue) + 1 }
    for attribute in Attribute.allCases { #expect(quote[attribute] == Double(attribute.rawValue) + 1) }
    #expect(quote.open == 1 && quote.volume == 5 && quote.adjustedClose == 11)
    for attribute in Attribute.allCases { quote[attribute] = nil }
    #expect(quote == DailyQuoteSummary(ticker: .fedEx, date: "2005-10-14"))
  }

  /// What can't be a volume does no harm.
  @Test func a_volume_that_is_set_by_attribute_is_rounded_to_whole_shares() {
    var quote = DailyQuoteSummary(ticker: .fedEx, date: "2005-10-14")
    for (number, volume) in [(2.5, 3), (1e15, 1_000_000_000_000_000), (-0.4, 0)] as [(Double, Int64)] {
      quote[.volume] = number
      #expect(quote.volume == volume)
    }
    for number in [Double.nan, .infinity, -.infinity, 0x1p63, -0x1p63, 1e300] {
      quote[.volume] = number
      #expect(quote.volume == nil, "\(number)")
    }
    quote.volume = 1 << 53 + 1
    #expect(quote[.volume] == 0x1p53 && quote.volume == 9_007_199_254_740_993)
  }

  @Test func a_quote_gives_each_attribute_by_its_key() {
    var columns = QuoteColumns(days: ["2005-10-14"])
    for key in TypedAttribute<Double>.all { columns[key] = [Double(key.name.rawValue)] }
    for key in TypedAttribute<Int64>.all { columns[key] = [Int64(key.name.rawValue)] }
    let quote = columns.quote(at: 0, of: .fedEx)
    for attribute in Attribute.allCases { #expect(quote[attribute] == Double(attribute.rawValue)) }
    for key in TypedAttribute<Int64>.all { #expect(quote.integer(key.name) == Int64(key.name.rawValue)) }
    var back = QuoteColumns()
    back.append(quote)
    #expect(back.cellBits == columns.cellBits)
  }
}
