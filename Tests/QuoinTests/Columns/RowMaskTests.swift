import CKernels
import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct RowMaskTests {
  @Test(arguments: [0, 1, 63, 64, 65, 127, 128, 1000, 1023, 1024])
  func the_first_rows(_ count: Int) {
    let mask = RowMask(first: count)
    #expect(mask.rows == Array(0..<count) && mask.count == count && mask.isEmpty == (count == 0))
    for start in [0, 1, 64, count / 2, count] where start <= count {
      #expect(RowMask(rows: start..<count).rows == Array(start..<count))
    }
  }

  @Test func masks_are_sets_of_rows() {
    var dice = TestSettings.dice("masks")
    for _ in 0..<200 {
      let (a, b) = (Set((0..<1024).filter { _ in dice.chance(0.3) }), Set((0..<1024).filter { _ in dice.chance(0.3) }))
      func mask(_ rows: Set<Int>) -> RowMask {
        var mask = RowMask.none
        for row in rows { mask[row] = true }
        return mask
      }
      var (both, either, only) = (mask(a), mask(a), mask(a))
      both.formIntersection(mask(b))
      either.formUnion(mask(b))
      only.subtract(mask(b))
      #expect(both.rows == a.intersection(b).sorted())
      #expect(either.rows == a.union(b).sorted())
      #expect(only.rows == a.subtracting(b).sorted())
      #expect(only.count == a.subtracting(b).count)
      for row in a.prefix(3) { either[row] = false }
      #expect(either.rows == a.union(b).subtracting(a.prefix(3)).sorted())
    }
  }

  @Test func packed_comparisons_are_the_comparisons() {
    var dice = TestSettings.dice("packed comparisons")
    for count in [0, 1, 63, 64, 65, 128, 700, 1024] {
      let answers = (0..<1024).map { _ in dice.chance(0.5) }
      #expect(RowMask(rowsBelow: count) { answers[$0] }.rows == (0..<count).filter { answers[$0] })
    }
  }

  @Test func compared_columns_have_the_rows_where_the_comparison_holds() {
    let comparisons: [(quoin_comparison, (Double, Double) -> Bool)] = [
      (QUOIN_BELOW, { $0 < $1 }), (QUOIN_AT_MOST, { $0 <= $1 }), (QUOIN_ABOVE, { $0 > $1 }),
      (QUOIN_AT_LEAST, { $0 >= $1 }), (QUOIN_EQUAL, { $0 == $1 }), (QUOIN_NOT_EQUAL, { $0 < $1 || $0 > $1 }),
    ]
    let cells = NastyValues.doubles + [.nan]
    var dice = TestSettings.dice("compared columns")
    for count in [0, 1, 3, 63, 64, 65, 700, 1024] {
      func values() -> [Double] { (0..<count + 5).map { _ in cells[dice.below(cells.count)] } }
      let (x, y) = (values(), values())
      for (comparison, holds) in comparisons {
        func rows(_ other: (Int) -> Double) -> [Int] { (0..<count).filter { holds(x[$0 + 5], other($0 + 5)) } }
        let (a, b) = (ColumnBuffer(x).shared, ColumnBuffer(y).shared)
        #expect(RowMask(a, comparison, b, from: 5, count: count).rows == rows { y[$0] })
        #expect(RowMask(a, comparison, y[0], from: 5, count: count).rows == rows { _ in y[0] })
      }
    }
  }

  /// Rows that survive in all of a span, or in one of its rows, whatever block these lie in.
  @Test func spans_reach_into_the_block_before() {
    var dice = TestSettings.dice("spans")
    for _ in 0..<TestSettings.count(debug: 100, release: 2000) {
      let span = dice.element(of: [2, 3, 5, 7, 20, 63, 64])
      let beforeCount = span + dice.below(1025 - span)
      let chance = dice.element(of: [0.1, 0.5, 0.97])
      let survives = (0..<(beforeCount + 1024)).map { _ in dice.chance(chance) }
      let before = RowMask(rowsBelow: beforeCount) { survives[$0] }
      let rows = RowMask(rowsBelow: 1024) { survives[beforeCount + $0] }
      for areAll in [true, false] {
        let expected = (0..<1024).filter { row in
          let reached = survives[(beforeCount + row + 1 - span)...(beforeCount + row)]
          return areAll ? reached.allSatisfy(\.self) : reached.contains(true)
        }
        let spanned = rows.spanned(span, areAll: areAll, before: before.last(of: beforeCount))
        #expect(spanned.rows == expected, "QUOIN_SEED=\(TestSettings.seed): \(span) rows, after \(beforeCount)")
      }
    }
  }

  #if !os(Windows)
    @Test func more_rows_than_a_block_has_is_a_bug() async {
      await #expect(processExitsWith: .failure) { _ = RowMask(first: 1025) }
    }
  #endif
}
