import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct ExactSumTests {
  /// Any values in any order, and any division of them: one sum, rounded once.
  @Test func a_sum_depends_on_its_values_alone() {
    var dice = TestSettings.dice("exact sums")
    for round in 0..<TestSettings.count(debug: 300, release: 3000) {
      let shape = dice.element(of: ValueShape<Double>.all)
      var values = shape.values(1 + dice.below(200), &dice).filter { !$0.isNaN }
      let sum = Self.sum(values)
      if values.allSatisfy(\.isFinite) {
        var exact = Quoin.LongSum()
        for value in values { exact.add(value) }
        #expect(exact.value.bitPattern == sum.value.bitPattern, "\(shape), round \(round)")
      }
      #expect(isSum(sum.value, of: values), "\(shape), round \(round)")
      for index in values.indices { values.swapAt(index, dice.below(values.count)) }
      let cut = dice.below(values.count + 1)
      var other = Self.sum(Array(values[..<cut]))
      other.add(Self.sum(Array(values[cut...])))
      #expect(other.value.bitPattern == sum.value.bitPattern, "\(shape), round \(round)")
      if let stored = ExactSum(sum.words) {
        #expect(stored.value.bitPattern == sum.value.bitPattern, "\(shape), round \(round)")
      }
    }
  }

  @Test func what_cancels_out_leaves_what_is_small() {
    #expect(Self.sum([1e300, 1, -1e300]).value == 1)
    #expect(
      Self.sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude]).value
        == .greatestFiniteMagnitude)
    #expect(Self.sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude]).value == .infinity)
    #expect(Self.sum([.infinity, 1e308, -5]).value == .infinity)
    #expect(Self.sum([.infinity, -.infinity]).value.isNaN)
    #expect(Self.sum([-0.0, -0.0]).value == 0)
    #expect(Self.sum([]).value == 0)
    // 2^53 + 1 is a tie; the denormal below it decides.
    #expect(Self.sum([0x1p53, 1, .leastNonzeroMagnitude]).value == 0x1p53 + 2)
    #expect(Self.sum([0x1p53, 1, -.leastNonzeroMagnitude]).value == 0x1p53)
  }

  /// The mean of sums that no float64 holds, of which the smallest value decides a tie.
  @Test func a_mean_of_the_largest_values_is_rounded_once() {
    let (max, small) = (Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude)
    for (value, mean) in [(small, max / 2), (0, (max / 2).nextDown), (-small, (max / 2).nextDown)] {
      let values = [max.nextDown, max, value, 0]
      #expect(Self.sum(values).mean(of: 4) == mean && NaiveSum.mean(values) == mean)
    }
  }

  /// The sum in lanes is that of the values one by one, at the ends of what the grids allow too.
  @Test func a_block_is_added_up_in_lanes_without_rounding() {
    var dice = TestSettings.dice("sums of blocks")
    for round in 0..<TestSettings.count(debug: 500, release: 5000) {
      let spread = dice.element(of: [0, 1, 20, 32, 33, 34, 35, 60])
      let lowest = dice.element(of: [-1060, -900, -30, 0, 900])
      let values = (0..<dice.element(of: NastyValues.rowCounts)).map { _ in
        let value = Double(sign: .plus, exponent: lowest + dice.below(spread + 1), significand: 1 + dice.unit())
        return dice.chance(0.02) ? Double.nan : dice.chance(0.1) ? -value : value
      }
      let found = unsafe values.withUnsafeBufferPointer { values in
        let extremes = unsafe Double.extremes(values)
        return unsafe ExactSum(values, within: (extremes.minimum, extremes.maximum))
      }
      let sum = Self.sum(values.filter { !$0.isNaN })
      #expect(found.value.bitPattern == sum.value.bitPattern, "round \(round), 2^\(lowest) and \(spread) more")
      #expect(found.words == sum.words || found.rest != nil || sum.rest != nil, "round \(round)")
    }
  }

  @Test func a_value_many_times_is_its_multiple() {
    for value in NastyValues.doubles where !value.isNaN {
      for count in [0, 1, 2, 3, 1000, 1024] where value.isFinite || count > 0 {
        var sum = ExactSum()
        sum.add(value, times: count)
        #expect(isSum(sum.value, of: Array(repeating: value, count: count)), "\(value) times \(count)")
      }
    }
  }

  private static func sum(_ values: [Double]) -> ExactSum { values.reduce(into: ExactSum()) { $0.add($1) } }
}
