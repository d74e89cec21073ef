import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct WindowFunctionTests {
  private static let windows: [RowWindow] =
    [1, 2, 3, 5, 8, 20, 60].map { RowWindow(rows: $0) }
    + [RowWindow(rows: 2, minimum: 1), RowWindow(rows: 20, minimum: 1), RowWindow(rows: 70, minimum: 4), .all]
  private static let rowCounts = [0, 1, 2, 7, 9, 33, 90]

  /// Functions whose results have the oracle's bits.
  private static let exact: Set<WindowFunction> = [
    .count, .sum, .mean, .min, .max, .median, .argmin, .argmax, .rank, .first, .last,
  ]

  private static func values(
    _ function: WindowFunction, _ inputs: [[Double]], _ window: RowWindow, share: Double = 0.5
  ) -> [Double] {
    var values = [Double](repeating: -1, count: inputs[0].count)
    var results = values.mutableSpan
    function.fill(&results, from: inputs.map { ColumnBuffer($0) }, over: window, share: share)
    return values
  }

  @Test(arguments: WindowFunction.all)
  func a_function_has_the_values_of_its_definition(_ function: WindowFunction) {
    var dice = TestSettings.dice("\(function)", stream: 1)
    for shape in WindowShape.allCases where !Self.isBeyondRange(function, shape) {
      for _ in 0..<TestSettings.count("QUOIN_WINDOWS", debug: 5, release: 50) {
        let (window, inputCount) = (dice.element(of: Self.windows), dice.element(of: Array(function.inputCounts)))
        let count = dice.element(of: Self.rowCounts)
        let second: WindowShape = dice.chance(0.5) ? .prices : .pricesWithGaps
        let inputs = [shape, second].prefix(inputCount).map { $0.column(count, &dice) }
        let share = dice.element(of: [0, 0.2, 0.25, 0.5, 0.8, 1])
        let values = Self.values(function, inputs, window, share: share)
        for row in 0..<count {
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

  /// Squares of the largest and smallest numbers are infinite and 0; the definitions differ in when they are.
  private static func isBeyondRange(_ function: WindowFunction, _ shape: WindowShape) -> Bool {
    ![.count, .sum, .mean, .min, .max, .median, .argmin, .argmax, .rank, .first, .last, .product].contains(function)
      && [.tiny, .huge, .infinite].contains(shape)
  }

  private static func areSame(_ a: Double, _ b: Double, _ function: WindowFunction, _ cells: [[Double]]) -> Bool {
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
    if exact.contains(function) || a == b { return a.bitPattern == b.bitPattern }
    let size = cells[0].filter(\.isFinite).map(\.magnitude).max() ?? 0
    return (a - b).magnitude <= 1e-9 * b.magnitude + 1e-12 * max(1, size)
  }

  @Test(arguments: WindowFunction.all)
  func a_result_has_the_same_bits_wherever_the_rows_begin(_ function: WindowFunction) {
    var dice = TestSettings.dice("\(function)", stream: 2)
    let functionWindows = [1, 2, 5, 20, 61, 130].map { RowWindow(rows: $0) } + [RowWindow(rows: 30, minimum: 2)]
    for shape in WindowShape.allCases {
      let count = 560 + dice.below(100)
      let inputs = [shape, .pricesWithGaps].prefix(function.inputCounts.upperBound).map { $0.column(count, &dice) }
      let window = dice.element(of: functionWindows)
      let whole = Self.values(function, inputs, window, share: 0.8)
      for _ in 0..<2 {
        let first = dice.below(count)
        let end = first + 1 + dice.below(count - first)
        let part = Self.values(function, inputs.map { Array($0[first..<end]) }, window, share: 0.8)
        let certain = first == 0 ? 0 : first + (window.lookback ?? 0)
        for row in certain..<max(certain, end) {
          let (a, b) = (whole[row], part[row - first])
          let isSame = a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
          #expect(isSame, "\(function) of \(shape), \(window), \(first)..<\(end), row \(row): \(a) and \(b)")
          guard isSame else { return }
        }
      }
    }
  }

  @Test func a_partial_window_has_the_bits_of_a_shorter_one() {
    var dice = TestSettings.dice("partial")
    let column = WindowShape.pricesWithGaps.column(40, &dice)
    for function in WindowFunction.all {
      let inputs = [column, WindowShape.prices.column(40, &dice)].prefix(function.inputCounts.upperBound)
      let all = Self.values(function, Array(inputs), .all)
      let partial = Self.values(function, Array(inputs), RowWindow(rows: 40, minimum: 1))
      #expect(all.map(\.bitPattern) == partial.map(\.bitPattern))
      let whole = Self.values(function, inputs.map { Array($0[..<25]) }, RowWindow(rows: 25))
      #expect(all[24].bitPattern == whole[24].bitPattern, "\(function)")
    }
  }

  @Test func a_constant_window_has_no_deviation_and_no_correlation() {
    // The spike leaves the windows, and nothing of it stays.
    let values = [80.98, 1e9, 1 / 3.0] + Array(repeating: 80.98, count: 30)
    let others = (0..<33).map { Double($0 % 7) }
    let window = RowWindow(rows: 20)
    for (function, wanted) in [
      (WindowFunction.std, 0), (.populationStd, 0), (.variance, 0), (.populationVariance, 0), (.mad, 0), (.slope, 0),
      (.resid, 0), (.mean, 80.98), (.wmean, 80.98), (.skew, .nan), (.kurt, .nan), (.r2, .nan), (.rank, 0.525),
      (.argmax, 19), (.argmin, 19),
    ] {
      let result = Self.values(function, [values], window)[32]
      #expect(result == wanted || (result.isNaN && wanted.isNaN), "\(function): \(result)")
    }
    for (x, y) in [(values, others), (others, values)] {
      #expect(Self.values(.corr, [x, y], window)[32].isNaN)
      #expect(Self.values(.cov, [x, y], window)[32] == 0)
    }
  }

  @Test func a_mean_is_rounded_once() {
    let tenths = Array(repeating: 0.1, count: 10)
    #expect(tenths.reduce(0, +) / 10 != 0.1)
    #expect(Self.values(.mean, [tenths], RowWindow(rows: 10))[9] == 0.1)
    #expect(Self.values(.mean, [[0.1, 0.2, 0.3]], RowWindow(rows: 3))[2] == NaiveSum.mean([0.1, 0.2, 0.3]))
    let unit = Double.leastNonzeroMagnitude
    // A tie goes to the even number, and a bit far below breaks it.
    let (odd, even) = ((1.0).nextUp, (1.0).nextUp.nextUp)
    #expect(Self.values(.mean, [[odd, even]], RowWindow(rows: 2))[1] == even)
    #expect(Self.values(.mean, [[1, odd, 0, 0]], RowWindow(rows: 4))[3] == 0.5)
    #expect(Self.values(.mean, [[1, odd, 0x1p-200, 0]], RowWindow(rows: 4))[3] == (0.5).nextUp)
    #expect(Self.values(.sum, [[1e308, 1e308, -1e308, -1e308, unit]], RowWindow(rows: 5))[4] == unit)
    #expect(Self.values(.mean, [[unit, unit, 0, 0]], RowWindow(rows: 4))[3] == 0)
    #expect(Self.values(.mean, [[unit, unit, unit, 0]], RowWindow(rows: 4))[3] == unit)
  }

  @Test func a_correlation_is_between_1_and_minus_1() {
    var dice = TestSettings.dice("correlation")
    let x = WindowShape.returns.column(500, &dice)
    let corr = Self.values(.corr, [x, x.map { $0 * 3 }], RowWindow(rows: 7))
    let opposite = Self.values(.corr, [x, x.map { 1 - $0 }], RowWindow(rows: 7))
    #expect(corr[6...].allSatisfy { $0 <= 1 && $0 > 0.999999 })
    #expect(opposite[6...].allSatisfy { $0 >= -1 && $0 < -0.999999 })
    #expect(Self.values(.r2, [x, x.map { $0 * 3 }], RowWindow(rows: 7))[6...].allSatisfy { $0 <= 1 })
  }

  @Test func of_two_inputs_the_first_is_explained_by_the_second() {
    let x = (0..<10).map { Double($0 * $0 % 7) }
    let y = x.map { 3 * $0 + 1 }
    #expect(Self.values(.slope, [y, x], RowWindow(rows: 5))[9] == 3)
    #expect(
      Self.values(.cov, [x, x], RowWindow(rows: 5)).map(\.bitPattern)
        == Self.values(.variance, [x], RowWindow(rows: 5)).map(\.bitPattern))
  }

  @Test func missing_cells_take_no_part() {
    let a: [Double] = [1, 2, 4, .nan, 3, 3, 8]
    let window = RowWindow(rows: 3, minimum: 1)
    #expect(Self.values(.count, [a], window) == [1, 2, 3, 2, 2, 2, 3])
    #expect(Self.values(.sum, [a], window) == [1, 3, 7, 6, 7, 6, 14])
    #expect(Self.values(.argmax, [a], window) == [0, 0, 0, 1, 2, 1, 0])
    #expect(Self.values(.rank, [[3, 3, 3]], window) == [1, 0.75, 2 / 3.0])
    #expect(Self.values(.quantile, [a], RowWindow(rows: 4, minimum: 1), share: 0.8).last == 6)
    #expect(Self.values(.wmean, [a], window)[1] == 5 / 3.0)
    let minimum = Self.values(.mean, [a], RowWindow(rows: 5, minimum: 4))
    #expect(minimum[2].isNaN && minimum[3] == 7 / 3.0)
  }

  @Test func a_window_depends_on_the_rows_in_it() {
    #expect(RowWindow(rows: 20, minimum: 3).lookback == 19)
    #expect(RowWindow.all.lookback == nil)
  }
}
