import Testing

@testable import Quoin

@Suite struct QuoteColumnsTests {
  private let rows = QuoteColumns.sample(6)

  @Test func rows_are_sliced_gathered_and_appended() {
    #expect(rows.sliced(2..<4).cellBits == Array(rows.cellBits[2..<4]))
    #expect(rows.sliced(3..<3).isEmpty)
    #expect(rows.gathered([5, 0, 0]).cellBits == [5, 0, 0].map { rows.cellBits[$0] })
    var all = rows
    all.append(rows, rows: 1..<3)
    #expect(all.cellBits == rows.cellBits + rows.cellBits[1..<3])
    all.removeAll(keepingCapacity: true)
    #expect(all.isEmpty && all[.high].isEmpty && all[.volume].isEmpty)
  }

  @Test func absent_attributes_are_completed_with_missing_cells() {
    var some = QuoteColumns(days: rows.days, attributes: [.high, .volume])
    some[.high] = rows[.high]
    some[.volume] = rows[.volume]
    let all = some.completed
    #expect(all.attributes == .all && all[.high] == rows[.high] && all[.volume] == rows[.volume])
    #expect(all[.low].count == 6 && all[.low].allSatisfy(\.isNaN))
    some = QuoteColumns(days: rows.days, attributes: [])
    #expect(some.completed[.volume] == Array(repeating: .min, count: 6))
    some = QuoteColumns(days: rows.days, attributes: AttributeSet([.high]))
    some[.high] = rows[.high]
    #expect(some.quote(at: 0, of: .fedEx).low == nil && some.quote(at: 0, of: .fedEx).high == rows[.high][0])
  }

  @Test func of_rows_of_one_day_the_last_stands() {
    let shuffled = rows.gathered([3, 0, 5, 0, 1])
    var twice = shuffled
    twice[.close][1] = 1
    twice[.close][3] = 2
    let sorted = twice.sortedByDay
    #expect(sorted.isStrictlyAscending && sorted.days == [0, 1, 3, 5].map { rows.days[$0] })
    #expect(sorted[.close][0] == 2)
    #expect(rows.sortedByDay.cellBits == rows.cellBits)
    #expect(QuoteColumns().sortedByDay.isEmpty)
  }

  @Test func rows_are_identical_bit_by_bit() {
    var other = rows
    #expect(rows.isIdentical(row: 0, to: other, row: 0) && !rows.isIdentical(row: 0, to: other, row: 1))
    for name in Attribute.allCases {
      other = rows
      switch name.key {
      case .double(let key): other[key][0] += 1
      case .integer(let key): other[key][0] += 1
      }
      #expect(!rows.isIdentical(row: 0, to: other, row: 0), "\(name)")
    }
    (other, other[.exDividend][0]) = (rows, -0.0)
    #expect(!rows.isIdentical(row: 0, to: other, row: 0))
    var (a, b) = (rows, rows)
    (a[.close][0], b[.close][0]) = (.nan, -.nan)
    #expect(a.isIdentical(row: 0, to: b, row: 0))
  }

  @Test func columns_are_made_of_arrays() throws {
    let days: [TradingDay] = ["2005-01-03", "2005-01-04"]
    let columns = try QuoteColumns(days: days, doubles: [.high: [80, .nan]], integers: [.volume: [.min, 9]])
    #expect(columns.attributes == [.high, .volume] && columns.days == days)
    let quotes = QuoteBatch(ticker: .fedEx, columns: columns).quotes
    #expect(quotes.map(\.high) == [80, nil] && quotes.map(\.volume) == [nil, 9] && quotes.map(\.low) == [nil, nil])
    #expect(try QuoteColumns(days: [], doubles: [:]).isEmpty)
  }

  @Test func arrays_of_another_length_or_kind_are_refused_in_words() {
    let cases: [(Attribute, [Attribute: [Double]], [Attribute: [Int64]], String)] = [
      (.high, [.high: [1]], [:], "there are 2 days, but 1 values of high"),
      (.volume, [.high: [1, 2]], [.volume: []], "there are 2 days, but 0 values of volume"),
      (.volume, [.volume: [1, 2]], [.volume: [1, 2]], "the values of volume are given twice"),
      (.low, [:], [.low: [1, 2]], "the values of low are float64, not int64"),
    ]
    for (attribute, doubles, integers, words) in cases {
      let error = #expect(throws: QuoteColumnsError.self) {
        try QuoteColumns(days: ["2005-01-03", "2005-01-04"], doubles: doubles, integers: integers)
      }
      #expect(error?.attribute == attribute && error?.description == words)
    }
  }

  @Test func a_column_has_a_value_for_each_row_whatever_is_asked_for() throws {
    for attribute in Attribute.allCases {
      #expect(rows.doubles(attribute).count == 6 && rows.integers(attribute).count == 6)
      #expect(rows.integers(attribute).allSatisfy(\.isMissing) == !attribute.isInteger)
    }
    #expect(rows.doubles(.high) == rows[.high] && rows.integers(.volume) == rows[.volume])
    #expect(rows.doubles(.volume) == rows[.volume].map(Double.init))
    let absent = QuoteColumns(days: rows.days, attributes: [])
    for attribute in Attribute.allCases {
      #expect(absent.doubles(attribute).count == 6 && absent.doubles(attribute).allSatisfy(\.isNaN))
      #expect(absent.integers(attribute) == Array(repeating: .min, count: 6))
    }
    let missing = try QuoteColumns(
      days: ["2005-01-03", "2005-01-04"], doubles: [:], integers: [.volume: [.min, 1 << 53 + 1]])
    #expect(missing.doubles(.volume)[0].isNaN && missing.doubles(.volume)[1] == 0x1p53)
  }

  @Test func quotes_are_appended_with_the_attributes_that_the_columns_have() {
    var some = QuoteColumns(attributes: [.high, .volume])
    some.append(contentsOf: QuoteBatch(ticker: .fedEx, columns: rows).quotes)
    #expect(some.days == rows.days && some[.high] == rows[.high] && some[.volume] == rows[.volume])
  }

  @Test func there_is_no_quote_where_there_is_no_row() {
    let batch = QuoteBatch(ticker: .fedEx, columns: rows)
    for row in [-1, 6, .min, .max] { #expect(batch.quote(at: row) == nil) }
    #expect(batch.quote(at: 5) == batch.quotes[5])
  }

  @Test func a_batch_knows_the_ticker_of_each_row() {
    let batch = QuoteBatch(ticker: .fedEx, columns: rows)
    #expect(batch.rowCount == 6 && batch.quotes.map(\.ticker) == Array(repeating: .fedEx, count: 6))
    #expect(batch.quotes.map(\.high) == rows[.high])
  }

  @Test func merged_rows_are_counted() {
    let stored = rows.gathered([0, 2, 3, 5])
    var new = rows.gathered([1, 2, 3, 4])
    new[.close][2] = 5
    let merge = QuoteMerge(stored: stored, new: new)
    #expect(merge.counts.inserted == 2 && merge.counts.replaced == 1 && merge.counts.unchanged == 1)
    #expect(merge.counts.changedCells == [.close: 1])
    #expect(merge.firstChangedDay == rows.days[1])
    #expect(merge.rows.days == rows.days)
    var closes = rows[.close]
    closes[3] = 5
    #expect(merge.rows[.close] == closes)
    #expect(QuoteMerge(stored: stored, new: stored).firstChangedDay == nil)
    #expect(QuoteMerge(stored: stored, new: QuoteColumns()).rows.cellBits == stored.cellBits)
    #expect(QuoteMerge(stored: QuoteColumns(), new: new).rows.cellBits == new.cellBits)
  }
}
