import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct BlockRatioTests {
  /// Two bounds hold two numbers, and halves that are one step nearer don't.
  @Test func bounds_are_the_nearest_halves_outside() {
    var dice = TestSettings.dice("bounds of ratios")
    var numbers = [0, -0.0, 1, -1, 0.1, -0.1, 1.00390625, 1e-30, 1e30, 3.4e38, -3.4e38, 0x1p-149, 1 - 0x1p-53]
    for _ in 0..<TestSettings.count(debug: 2000, release: 100_000) {
      numbers.append((dice.unit() - 0.5) * dice.element(of: [1e-6, 0.1, 1, 1000, 1e20]))
    }
    for x in numbers {
      let y = dice.element(of: numbers)
      let interval = NarrowInterval(min(x, y), max(x, y))
      #expect(Double(interval.low) <= min(x, y) && Double(interval.high) >= max(x, y), "\(x), \(y)")
      #expect(interval.lowHalf.neighbour(.up) > min(x, y), "\(min(x, y)) has a nearer bound than \(interval.low)")
      #expect(interval.highHalf.neighbour(.down) < max(x, y), "\(max(x, y)) has a nearer bound than \(interval.high)")
    }
  }

  @Test func bounds_of_no_numbers_are_unknown() {
    for (x, y) in [(Double.nan, 1), (1, Double.nan), (Double.infinity, -Double.infinity), (2, 1)] {
      #expect(NarrowInterval(x, y) == .unknown)
    }
    #expect(!(NarrowInterval.unknown.low <= NarrowInterval.unknown.high))
  }

  /// In blocks that follow each other, with missing cells and ties.
  @Test func every_quotient_lies_within_the_bounds_of_its_block() {
    var dice = TestSettings.dice("ratios")
    for _ in 0..<TestSettings.count(debug: 200, release: 4000) {
      let counts = (0..<(1 + dice.below(3))).map { _ in dice.element(of: [1, 4, 5, 6, 7, 8, 9, 17, 100]) }
      let (scale, rarity) = (dice.element(of: [0.01, 1, 300, 1e6]), dice.element(of: [2, 5, 1000]))
      let values = (0..<2).map { _ in
        (0..<counts.reduce(0, +)).map { _ in
          dice.chance(1 / Double(rarity))
            ? Double.nan : scale * Double(1 + dice.below(dice.element(of: [2, 100, 10_000])))
        }
      }
      for shift in [0, 1, 5] {
        var (before, start): (RatioExtremes?, Int) = (nil, 0)
        for (block, count) in counts.enumerated() {
          let columns = values.map { RatioColumn(ColumnBuffer(Array($0[start..<(start + count)]))) }
          let extremes = RatioExtremes(columns[0], columns[1], shift: shift)
          let isKnown = block == 0 || shift == 0 || counts[block - 1] >= shift
          if isKnown, let bounds = extremes.bounds(after: shift == 0 ? nil : before) {
            for row in start..<(start + count) where row >= shift {
              let quotient = values[0][row] / values[1][row - shift]
              if quotient.isNaN { continue }
              let error = 0x1p-50 * max(1, quotient)
              #expect(bounds.low <= quotient + error && bounds.high >= quotient - error, "row \(row), \(shift) before")
            }
          }
          (before, start) = (extremes, start + count)
        }
      }
    }
  }

  @Test func of_values_that_are_not_above_0_nothing_is_known() {
    for nasty in [0, -0.0, -1, .infinity, -.infinity, 1e-40, 1e40] as [Double] {
      let (sound, other) = (RatioColumn(ColumnBuffer([1, 2, 3])), RatioColumn(ColumnBuffer([1, nasty, 3])))
      for shift in [0, 1, 5] {
        #expect(RatioExtremes(sound, other, shift: shift) == .unknown, "over \(nasty)")
        #expect(RatioExtremes(other, sound, shift: shift) == .unknown, "\(nasty) over")
      }
    }
  }

  @Test func extremes_come_back_from_their_bytes() {
    let column = RatioColumn(ColumnBuffer([1, 2, 4, 3, 3, 5, 7, 1]))
    for ratio in BlockRatio.all {
      let extremes = RatioExtremes(column, column, shift: ratio.shift)
      var bytes: [UInt8] = [7, 7]
      extremes.append(to: &bytes, of: ratio)
      #expect(bytes.count == 2 + ratio.byteCount)
      #expect(bytes.withView { RatioExtremes($0, at: 2, of: ratio) } == extremes)
    }
  }

  @Test func names_fit_a_column_file_and_are_unique() {
    let names = BlockRatio.all.map(\.name)
    #expect(
      names == [
        "close/open", "high/low", "close/close-1", "close/close-5", "adj_close/adj_close-1", "adj_close/adj_close-5",
      ])
    #expect(Set(names).count == names.count && names.allSatisfy { $0.utf8.count <= 32 })
  }
}

private enum Direction { case up, down }

extension UInt16 {
  /// The number of the next half of a float32.
  fileprivate func neighbour(_ direction: Direction) -> Double {
    let number = Float(bitPattern: UInt32(self) << 16)
    if number == 0 {
      return direction == .up ? Double(Float(bitPattern: 1 << 16)) : -Double(Float(bitPattern: 1 << 16))
    }
    let grows = (number > 0) == (direction == .up)
    return Double(Float(bitPattern: UInt32(grows ? self + 1 : self - 1) << 16))
  }
}
