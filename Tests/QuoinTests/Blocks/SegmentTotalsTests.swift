import Testing

@testable import Quoin
@testable import QuoteGenerator

/// What is measured of blocks that an encoder would never write, beside loops over their values.
@Suite struct SegmentTotalsTests {
  @Test(arguments: 0...4)
  func scaled_blocks_of_width(_ width: Int) throws {
    var dice = TestSettings.dice("measures of offsets of \(width) bytes")
    let largest = width == 0 ? 0 : UInt32.max >> UInt32(32 - 8 * width)
    for (base, step, exponent) in [(0, 1, 0), (8596, 1, 2), (-5, 7, 1), (1, 1, 5), (1 << 40, 1 << 20, 2)]
      as [(Int64, UInt32, UInt8)]
    {
      for count in [1, 7, 8, 9, 21, 63, 64, 65, 130, 1023, 1024] {
        let offsets = (0..<count).map { _ in
          dice.chance(0.3)
            ? dice.element(of: [0, 1, largest]) & largest : UInt32(truncatingIfNeeded: dice.next()) & largest
        }
        let block = HandmadeBlock.scaled(base: base, step: step, width: width, exponent: exponent, offsets: offsets)
        try expect(Double.self, block, &dice, "(\(base) + n * \(step)) / 10^\(exponent)")
        if exponent == 0 { try expect(Int64.self, block, &dice, "\(base) + n * \(step)") }
        let near = offsets.map { $0 & min(largest, 0x1F) }
        for differences in [false, true] where count == 130 {
          let packed = HandmadeBlock.packed(
            base: base, step: step, width: width, exponent: exponent, offsets: near, differences: differences)
          if let packed { try expect(Double.self, packed, &dice, "packed, differences \(differences)") }
        }
      }
    }
  }

  @Test func constant_blocks() throws {
    var dice = TestSettings.dice("measures of constant blocks")
    for count in [1, 8, 130, 1024] {
      for value in [12.5, -0.0, .infinity, .nan] {
        var block = HandmadeBlock(encoding: 0, rowCount: count)
        block.base = value.bitPattern
        try expect(Double.self, block, &dice, "\(value)")
      }
    }
  }

  /// Measures the block as it is and with patches, all its rows and some, as one segment and by weeks.
  private func expect<Value: AggregableValue & KernelValue>(
    _ type: Value.Type, _ block: HandmadeBlock, _ dice: inout SeededRandom, _ comment: String
  ) throws {
    for patchShare in [0, 0.02, 0.6] {
      var block = block
      block.patches = (0..<block.rowCount).filter { _ in dice.chance(patchShare) }.map { row in
        (UInt16(row), dice.element(of: Value.specialEnds + [.missing]).bits)
      }
      let values: [Value] = try decoded(block.bytes)
      for selection in Self.selections(block.rowCount, &dice) {
        for isDivided in [false, true] {
          let segments = try Self.segments(block.rowCount, isDivided: isDivided, selection, &dice)
          try withBlock(block.bytes) { encoded in
            let part = SegmentTotals<Value>(segments, BlockScratch())
            try part.measure([.count, .minimum, .maximum, .sum, .first, .last], encoded, selection)
            for index in 0..<segments.count {
              #expect(
                Measured(part, at: index) == Measured(values, segments.rows(index), selection),
                "\(comment), \(block.rowCount) rows, segment \(index)")
            }
          }
        }
      }
    }
  }

  /// All rows; some; words of all rows beside words of some and of none.
  private static func selections(_ count: Int, _ dice: inout SeededRandom) -> [BlockRows] {
    var words = RowMask.none
    for word in 0..<16 { words.words[word] = dice.element(of: [0, ~0, dice.next()]) }
    words.formIntersection(RowMask(first: count))
    var some = RowMask.none
    for row in 0..<count where dice.chance(0.4) { some[row] = true }
    return [BlockRows(all: count)] + [words, some].filter { !$0.isEmpty }.map { BlockRows($0, of: count) }
  }

  private static func segments(
    _ count: Int, isDivided: Bool, _ selection: BlockRows, _ dice: inout SeededRandom
  ) throws -> Segments {
    let segments = Segments()
    guard isDivided else {
      segments.setWhole(rowCount: count)
      return segments
    }
    var days: [Int64] = []
    var day: Int64 = 12_000
    for _ in 0..<count {
      day += Int64(1 + dice.below(dice.element(of: [1, 2, 9])))
      days.append(day)
    }
    let periods = Periods(
      .week, over: TradingDay(unchecked: 12_000)...TradingDay(unchecked: Int32(day)))
    try withBlock(encoded(days, areDays: true).bytes) { block in
      try segments.divide(block, by: periods, near: 0, BlockScratch())
    }
    if !selection.isWhole { segments.keep(RowRanks(selection.mask)) }
    return segments
  }
}

/// The measures of one segment, as bits: NaN is equal to itself.
private struct Measured: Equatable, CustomStringConvertible {
  var count: Int64
  var bits: [UInt64]
  var sum: String

  var description: String { "\(count) values, \(bits), sum \(sum)" }

  init<Value: AggregableValue>(_ part: SegmentTotals<Value>, at index: Int) {
    unsafe count = part.counts[index]
    let extremes = Value.plain(unsafe [part.minima[index], part.maxima[index]])
    bits = unsafe (extremes + [part.firsts[index], part.lasts[index]]).map(\.canonical.bits)
    sum = unsafe part.sums[index].isNone ? "none" : "\(part.sums[index].value)"
  }

  init<Value: AggregableValue>(_ values: [Value], _ rows: Range<Int>, _ selection: BlockRows) {
    let found = rows.filter { selection.mask[$0] && !values[$0].isMissing }.map { values[$0] }
    count = Int64(found.count)
    let extremes = Value.plain([found.min() ?? .missing, found.max() ?? .missing])
    bits = (extremes + [found.first ?? .missing, found.last ?? .missing]).map(\.canonical.bits)
    var total = Value.Total()
    for value in found { total.add(value) }
    sum = found.isEmpty ? "none" : "\(total.value)"
  }
}
