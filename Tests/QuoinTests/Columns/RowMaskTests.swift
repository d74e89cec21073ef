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

  #if !os(Windows)
    @Test func more_rows_than_a_block_has_is_a_bug() async {
      await #expect(processExitsWith: .failure) { _ = RowMask(first: 1025) }
    }
  #endif
}
