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
    }
    for text in ["", "opens", "ticker", "date", "adj", "-"] { #expect(Attribute(named: text) == nil) }
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
    #expect(Attribute.allCases.count <= AttributeSet.RawValue.bitWidth)
    #expect(AttributeSet.all.names.count == Attribute.allCases.count)
  }

  @Test func a_set_has_its_members_in_file_order() {
    #expect(AttributeSet([.volume, .open, .volume]).names == [.open, .volume])
    #expect(AttributeSet.all.names == Attribute.allCases)
    #expect(AttributeSet([]).names.isEmpty)
  }

  @Test func a_missing_cell_is_nil_whatever_its_bits() {
    var quote = DailyQuoteSummary(ticker: .fedEx, date: "2005-10-14", open: .nan, high: 87.7, volume: .min)
    #expect(quote.open == nil && quote.volume == nil && quote.high == 87.7 && quote.low == nil)
    #expect(quote[.open] == nil && quote[.high] == 87.7 && quote[.volume] == nil)
    quote.open = -.nan
    #expect(quote == DailyQuoteSummary(ticker: .fedEx, date: "2005-10-14", high: 87.7))
  }

  @Test func a_quote_gives_each_attribute_by_its_key() {
    var columns = QuoteColumns(days: ["2005-10-14"])
    for key in TypedAttribute<Double>.all { columns[key] = [Double(key.name.rawValue)] }
    for key in TypedAttribute<Int64>.all { columns[key] = [Int64(key.name.rawValue)] }
    let quote = columns.quote(at: 0, of: .fedEx)
    for key in TypedAttribute<Double>.all { #expect(quote[key] == Double(key.name.rawValue)) }
    for key in TypedAttribute<Int64>.all { #expect(quote[key] == Int64(key.name.rawValue)) }
    var back = QuoteColumns()
    back.append(quote)
    #expect(back.cellBits == columns.cellBits)
  }
}
