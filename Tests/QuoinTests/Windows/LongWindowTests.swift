import Foundation
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Windows of more rows than a loop should go over for each row.
@Suite struct LongWindowTests {
  private static func values(
    _ function: WindowFunction, _ inputs: [[Double]], _ window: RowWindow, share: Double = 0.5
  ) -> [Double] {
    var values = [Double](repeating: -1, count: inputs[0].count)
    var results = values.mutableSpan
    function.fill(&results, from: inputs.map { ColumnBuffer($0) }, over: window, share: share)
    return values
  }

  /// Functions whose results have the oracle's bits.
  private static let exact: Set<WindowFunction> = [
    .count, .sum, .mean, .min, .max, .median, .argmin, .argmax, .rank, .first, .last,
  ]

  /// Squares of the largest and smallest numbers are infinite and 0, and so are products of many numbers; the definitions differ
  /// in when they are.
  private static func isBeyondRange(_ function: WindowFunction, _ shape: WindowShape) -> Bool {
    !exact.contains(function) && [.tiny, .huge, .infinite].contains(shape)
  }

  private static func inputs(_ function: WindowFunction, _ shape: WindowShape, _ count: Int, _ dice: inout SeededRandom)
    -> [[Double]]
  {
    let second: WindowShape = dice.chance(0.5) ? .prices : .pricesWithGaps
    let inputs = [shape, second].prefix(dice.element(of: Array(function.inputCounts))).map { $0.column(count, &dice) }
    // The product of thousands of prices is infinite.
    return function == .product && shape == .prices ? inputs.map { $0.map { $0 / 84.9 } } : inputs
  }

  @Test(arguments: WindowFunction.all)
  func a_function_has_the_values_of_its_definition(_ function: WindowFunction) {
    var dice = TestSettings.dice("\(function)", stream: 3)
    for shape in WindowShape.allCases where !Self.isBeyondRange(function, shape) {
      for _ in 0..<TestSettings.count("QUOIN_WINDOWS", debug: 1, release: 5) {
        let rows = 1 + dice.below(dice.element(of: [300, 1000, 2500, 5000]))
        let window =
          dice.chance(0.1) ? .all : RowWindow(rows: rows, minimum: dice.chance(0.5) ? nil : 1 + dice.below(rows))
        let count = 1 + dice.below(2 * rows + 600)
        let inputs = Self.inputs(function, shape, count, &dice)
        let share = dice.element(of: [0, 0.2, 0.25, 0.5, 0.8, 1])
        let values = Self.values(function, inputs, window, share: share)
        // Those at the end, at the lengths where the way changes, and some between.
        let places = [1, 160, 161, 256, 257, 400, 401, 3000, 3001, rows, rows + 1, count] + [dice.below(count) + 1]
        for row in Set(places.map { $0 - 1 }) where row < count && (row == count - 1 || dice.chance(0.4)) {
          let rows = max(0, row + 1 - (window.rows ?? count))...row
          let naive = NaiveWindow(cells: inputs.map { Array($0[rows]) })
          let wanted = row + 1 < window.minimum ? .nan : naive.value(function, share)
          let isSame = Self.areSame(values[row], wanted, function, inputs.map { Array($0[rows]) })
          #expect(isSame, "\(function) of \(shape), \(window), row \(row): \(values[row]), not \(wanted)")
          guard isSame else { return }
        }
      }
    }
  }

  private static func areSame(_ a: Double, _ b: Double, _ function: WindowFunction, _ cells: [[Double]]) -> Bool {
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
    if exact.contains(function) || a == b { return a.bitPattern == b.bitPattern }
    let size = cells[0].filter(\.isFinite).map(\.magnitude).max() ?? 0
    return (a - b).magnitude <= 1e-9 * b.magnitude + 1e-12 * max(1, size)
  }

  @Test(arguments: WindowFunction.all)
  func a_result_has_the_same_bits_wherever_the_rows_begin(_ function: WindowFunction) {
    var dice = TestSettings.dice("\(function)", stream: 4)
    for shape in WindowShape.allCases {
      let count = 2500 + dice.below(1000)
      let inputs = Self.inputs(function, shape, count, &dice)
      let window = RowWindow(rows: dice.element(of: [161, 257, 511, 1100, 2100]), minimum: 1)
      let whole = Self.values(function, inputs, window, share: 0.8)
      let first = dice.below(count - 1)
      let end = min(count, first + (window.lookback ?? 0) + 1 + dice.below(500))
      let part = Self.values(function, inputs.map { Array($0[first..<end]) }, window, share: 0.8)
      for row in first + (window.lookback ?? 0)..<max(first + (window.lookback ?? 0), end) {
        let (a, b) = (whole[row], part[row - first])
        let isSame = a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
        #expect(isSame, "\(function) of \(shape), \(window), \(first)..<\(end), row \(row): \(a) and \(b)")
        guard isSame else { return }
      }
    }
  }

  @Test func a_partial_window_has_the_bits_of_a_shorter_one() {
    var dice = TestSettings.dice("long partial")
    let column = WindowShape.pricesWithGaps.column(2600, &dice)
    for function in WindowFunction.all {
      let inputs = [column, WindowShape.prices.column(2600, &dice)].prefix(function.inputCounts.upperBound)
      let all = Self.values(function, Array(inputs), .all)
      for rows in [161, 256, 257, 400, 401, 1000, 2600] {
        let partial = Self.values(function, Array(inputs), RowWindow(rows: rows, minimum: 1))
        #expect(all[..<rows].map(\.bitPattern) == partial[..<rows].map(\.bitPattern), "\(function) of \(rows)")
      }
    }
  }

  @Test func a_constant_window_has_no_deviation_and_no_correlation() {
    // The spike leaves the windows, and nothing of it stays.
    let values = [80.98, 1e9, 1 / 3.0] + Array(repeating: 80.98, count: 5000)
    let others = (0..<5003).map { Double($0 % 7) }
    let window = RowWindow(rows: 4999)
    for (function, wanted) in [
      (WindowFunction.std, 0), (.populationStd, 0), (.variance, 0), (.populationVariance, 0), (.mad, 0), (.slope, 0),
      (.resid, 0), (.mean, 80.98), (.wmean, 80.98), (.skew, .nan), (.kurt, .nan), (.r2, .nan), (.median, 80.98),
    ] {
      let result = Self.values(function, [values], window)[5002]
      #expect(result == wanted || (result.isNaN && wanted.isNaN), "\(function): \(result)")
    }
    for (x, y) in [(values, others), (others, values)] {
      #expect(Self.values(.corr, [x, y], window)[5002].isNaN)
      #expect(Self.values(.cov, [x, y], window)[5002] == 0)
    }
  }

  @Test func small_deviations_from_a_large_mean_are_kept() {
    // Each value is exact: a billion and some 1024ths.
    let parts = (0..<4000).map { Double($0 * $0 % 101) / 1024 }
    let window = RowWindow(rows: 3500)
    for function in [WindowFunction.std, .variance, .skew, .kurt, .mad, .slope, .r2, .resid] {
      let small = Self.values(function, [parts], window)[3999]
      let large = Self.values(function, [parts.map { $0 + 1e9 }], window)[3999]
      #expect((large - small).magnitude <= 1e-9 * small.magnitude, "\(function): \(large), not \(small)")
    }
  }

  @Test func the_covariance_with_itself_is_the_variance() {
    var dice = TestSettings.dice("covariance")
    let x = WindowShape.pricesWithGaps.column(2000, &dice)
    let window = RowWindow(rows: 700, minimum: 1)
    #expect(
      Self.values(.cov, [x, x], window).map(\.bitPattern) == Self.values(.variance, [x], window).map(\.bitPattern))
  }

  @Test(arguments: WindowFunction.all)
  func a_longer_window_costs_little_more(_ function: WindowFunction) {
    var dice = TestSettings.dice("\(function)", stream: 5)
    // Numbers of so many bits that sums of them aren't simple.
    let columns = [WindowShape.wide, .returns].prefix(function.inputCounts.upperBound).map { $0.column(120_000, &dice) }
    func time(_ rows: Int) -> Double {
      let start = Self.threadSeconds
      _ = Self.values(function, Array(columns), RowWindow(rows: rows, minimum: rows / 10))
      return Self.threadSeconds - start
    }
    // Loops over all rows would take 20 times as long.
    let (short, long) = (min(time(2500), time(2500)), min(time(60_000), time(60_000)))
    #expect(long < 8 * short, "\(function): \(short) s for windows of 2,500 rows, \(long) s for 60,000")
  }

  /// The processor's time of this thread, which other tests don't lengthen.
  private static var threadSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
