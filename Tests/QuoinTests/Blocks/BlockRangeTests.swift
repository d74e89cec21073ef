import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Comparing encoded values finds the rows that a comparison of each value finds.
@Suite struct BlockRangeTests {
  @Test(arguments: NastyValues.rowCounts)
  func doubles_of_every_shape_and_encoding(_ count: Int) throws {
    var dice = TestSettings.dice("kernels on doubles, \(count) rows")
    for shape in ValueShape<Double>.all {
      let values = shape.values(count, &dice)
      for choice in Self.choices {
        try expect(values, encoded(values, choice).bytes, count > 100 ? 12 : 40, &dice, "\(shape), \(count) rows")
      }
    }
  }

  @Test(arguments: NastyValues.rowCounts)
  func integers_of_every_shape_and_encoding(_ count: Int) throws {
    var dice = TestSettings.dice("kernels on integers, \(count) rows")
    for shape in ValueShape<Int64>.all {
      let values = shape.values(count, &dice)
      for choice in Self.choices {
        try expect(values, encoded(values, choice).bytes, count > 100 ? 12 : 40, &dice, "\(shape), \(count) rows")
      }
    }
  }

  @Test func every_nasty_bound_on_every_nasty_value() throws {
    let values = NastyValues.doubles.map(\.canonical)
    var choice = EncodingChoice()
    choice.encodings = [.plain]
    try withBlock(encoded(values, choice).bytes) { block throws in
      let scratch = BlockScratch()
      let bounds = Self.around(NastyValues.doubles)
      for lower in bounds {
        for upper in [lower] + NastyValues.doubles where lower <= upper {
          #expect(
            try block.rows(in: ValueRange(lower...upper), among: RowMask(first: block.rowCount), scratch)
              == Self.naive(values, lower, upper),
            "\(lower)...\(upper)")
        }
      }
    }
  }

  @Test func days_in_a_set() throws {
    var dice = TestSettings.dice("kernels on days")
    for count in NastyValues.rowCounts {
      var day = Int64(-719_162)
      let days = (0..<count).map { _ in
        day += Int64(1 + dice.below(3))
        return day
      }
      try expect(days, encoded(days, areDays: true).bytes, 60, &dice, "\(count) days")
    }
  }

  @Test func every_end_of_a_set_of_days() throws {
    let days = (0..<150).map { row -> Int64 in row / 5 * 7 + row % 5 }
    try withBlock(encoded(days, areDays: true).bytes) { block throws in
      let scratch = BlockScratch()
      for end in -2...215 as ClosedRange<Int64> {
        for range in [-2...end, end...215, end...end] {
          #expect(
            try block.rows(in: ValueRange(range), among: RowMask(first: block.rowCount), scratch)
              == Self.naive(days, range.lowerBound, range.upperBound), "\(range)")
        }
      }
    }
  }

  /// Offsets of each width, at the ends of what the width holds, with steps and bases that an encoder rarely chooses.
  @Test(arguments: 0...4)
  func scaled_offsets_of_width(_ width: Int) throws {
    var dice = TestSettings.dice("kernels on offsets of \(width) bytes")
    let largest = width == 0 ? 0 : UInt32.max >> UInt32(32 - 8 * width)
    for (base, step, exponent) in [
      (0, 1, 0), (8596, 1, 2), (-5, 7, 1), (.max - Int64(largest), 1, 0), (.min + 1, 1, 0), (-(1 << 52), 3, 6),
      (1 << 40, 1 << 20, 2), (-100, 100, 0),
      // Where several integers stand for the same number.
      (1 << 53 - Int64(largest) - 1, 1, 2),
      // The last integers that are exact in float64: a range beyond them has none.
      (1 << 53, 1, 14), (-(1 << 53), 1, 0),
    ] as [(Int64, UInt32, UInt8)] {
      for count in [1, 64, 65, 130, 1024] {
        let offsets = (0..<count).map { _ in
          dice.chance(0.3)
            ? dice.element(of: [0, 1, largest, max(largest, 1) - 1]) & largest
            : UInt32(truncatingIfNeeded: dice.next()) & largest
        }
        let block = HandmadeBlock.scaled(base: base, step: step, width: width, exponent: exponent, offsets: offsets)
        let packed = [false, true].map {
          HandmadeBlock.packed(
            base: base, step: step, width: width, exponent: exponent, offsets: offsets, differences: $0)
        }
        let compressed = [block.compressed(planes: false), block.compressed(planes: true)]
        for block in ([block] + compressed + packed).compactMap({ $0 }) {
          let integers = offsets.map { base + Int64($0) * Int64(step) }
          try expect(integers, block.bytes, 20, &dice, "\(base) + n * \(step)")
          if integers.allSatisfy({ $0.magnitude <= 1 << 53 }) {
            let doubles = integers.map { Double($0) / powersOfTen[Int(exponent)] }
            try expect(doubles, block.bytes, 20, &dice, "(\(base) + n * \(step)) / 10^\(exponent)")
          }
        }
      }
    }
  }

  /// Asks for random ranges whose ends are values of the block and their neighbors.
  private func expect<Value: KernelValue>(
    _ values: [Value], _ bytes: [UInt8], _ times: Int, _ dice: inout SeededRandom, _ comment: @autoclosure () -> String
  ) throws {
    let ends = Self.around(dice.subset(of: values, min(1, 6 / Double(values.count))) + Value.specialEnds)
    try withBlock(bytes) { block throws in
      let scratch = BlockScratch()
      for _ in 0..<times {
        let (lower, upper) = (dice.element(of: ends), dice.element(of: ends))
        guard lower <= upper else { continue }
        #expect(
          try block.rows(in: ValueRange(lower...upper), among: RowMask(first: block.rowCount), scratch)
            == Self.naive(values, lower, upper),
          "\(lower)...\(upper) of \(comment())")
      }
    }
  }

  private static func naive<Value: BlockValue>(_ values: [Value], _ lower: Value, _ upper: Value) -> RowMask {
    var mask = RowMask.none
    for (row, value) in values.enumerated() where !value.isMissing && value >= lower && value <= upper {
      mask[row] = true
    }
    return mask
  }

  /// The values and their neighbors on both sides.
  private static func around<Value: KernelValue>(_ values: [Value]) -> [Value] {
    values.filter { !$0.isMissing }.flatMap { [$0.predecessor, $0, $0.successor].compactMap { $0 } }
      .filter { $0 >= Value.allValues.lowerBound }
  }

  private static let choices: [EncodingChoice] = [
    EncodingChoice(), EncodingChoice(encodings: [.plain], storages: [.raw]),
    EncodingChoice(encodings: [.scaled, .plain], storages: [.raw]),
    EncodingChoice(storages: [.raw, .lz4], largestCompressedShare: 1),
    EncodingChoice(encodings: [.plain], storages: [.raw, .lz4Planes], largestCompressedShare: 1),
    EncodingChoice(.small),
  ]
}

protocol KernelValue: BlockValue, SteppedValue {
  static var specialEnds: [Self] { get }
}

extension Double: KernelValue {
  static var specialEnds: [Double] {
    [0, -0.0, -.infinity, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
  }
}

extension Int64: KernelValue {
  static var specialEnds: [Int64] { [0, .max, .min + 1] }
}
