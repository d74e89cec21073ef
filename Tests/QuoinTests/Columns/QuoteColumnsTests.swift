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
    var some = QuoteColumns(days: rows.days, attributes: AttributeSet([.high, .volume]))
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
    #expect(merge.counts == UpsertCounts(inserted: 2, replaced: 1, unchanged: 1))
    #expect(merge.firstChangedDay == rows.days[1])
    #expect(merge.rows.days == rows.days)
    #expect(merge.rows[.close] == [0, 1, 2, 3, 4, 5].map { $0 == 3 ? 5 : rows[.close][$0] })
    #expect(QuoteMerge(stored: stored, new: stored).firstChangedDay == nil)
    #expect(QuoteMerge(stored: stored, new: QuoteColumns()).rows.cellBits == stored.cellBits)
    #expect(QuoteMerge(stored: QuoteColumns(), new: new).rows.cellBits == new.cellBits)
  }
}
