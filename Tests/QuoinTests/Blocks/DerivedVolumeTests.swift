import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Blocks of adjusted volumes, which are float64, computed from blocks of volumes, which are int64.
@Suite struct DerivedVolumeTests {
  /// Volumes as they are traded, some of them missing.
  private func volumes(_ count: Int, _ dice: inout SeededRandom) -> [Int64] {
    let level = dice.element(of: [300, 1 << 16, 1 << 30, 1 << 40])
    return (0..<count).map { _ in dice.chance(0.01) ? .missing : Int64(dice.below(level)) }
  }

  @Test func adjusted_volumes_come_back_and_take_little() throws {
    var dice = TestSettings.dice("adjusted volumes")
    for count in [64, 65, 1023, 1024] {
      let source = volumes(count, &dice)
      // After splits of 7, 4 and 2 for 1, and of 3 for 2: whole shares, and all their digits.
      for factors in [[28.0, 4, 1], [56, 8, 2], [10.125, 4.5, 1.5]] {
        let values = source.indices.map { row in
          source[row].isMissing ? .nan : Double(source[row]) * factors[row * 3 / count]
        }
        let bytes = derived(source, values)
        #expect(bytes.block[0] == BlockEncoding.derived.rawValue && bytes.block.count < 80)
        try withBlock(bytes) { block in
          #expect(block.header.patchCount == 0)
          let decoded = try QuoinTests.decoded(block, Double.self)
          #expect(decoded.map(\.bitPattern) == values.map(\.canonical.bitPattern))
          let rows = (0..<count).filter { _ in dice.chance(0.3) }.map { UInt16($0) }
          let gathered = try QuoinTests.gathered(block, rows, Double.self)
          #expect(gathered.map(\.bitPattern) == rows.map { values[Int($0)].canonical.bitPattern })
        }
      }
    }
  }

  /// As a file says it whose vendor gave no fractions.
  @Test func volumes_that_were_rounded_to_whole_shares_need_no_patches() throws {
    var dice = TestSettings.dice("rounded volumes")
    for factor in [1.5, 4.0 / 3, 1.0 / 3, 27.0 / 8] {
      let source = (0..<1024).map { _ in dice.chance(0.01) ? .missing : Int64(1000 + dice.below(1 << 30)) }
      let values = source.map { $0.isMissing ? .nan : (Double($0) * factor).rounded(.toNearestOrEven) }
      try withBlock(derived(source, values)) { block in
        #expect(block.header.encoding == .derived && block.header.listCount == 1 && block.header.exponent == 0)
        #expect(block.header.patchCount == 0)
        let decoded = try QuoinTests.decoded(block, Double.self)
        #expect(bits(decoded) == bits(values.map(\.canonical)))
      }
    }
  }

  @Test func any_values_come_back_beside_any_volumes() throws {
    var dice = TestSettings.dice("any values beside any volumes")
    let odd = NastyValues.doubles + [0x1p51 - 0.5, 0x1p51, 0x1p51 + 0.5, 0x1p52 - 0.5, 0x1p53 + 2, -0.25, 0.5, 2.5]
    for _ in 0..<400 {
      let count = 1 + dice.below(200)
      let source = dice.element(of: ValueShape<Int64>.all).values(count, &dice)
      let factor = dice.element(of: [1, 1.5, 28, 1.0 / 3, dice.uniform(0.01, 100), 1e300])
      let isWhole = dice.chance(0.5)
      let values = source.map { volume in
        if dice.chance(0.05) { return dice.element(of: odd).canonical }
        let value = volume.isMissing ? .nan : Double(volume) * factor
        return isWhole ? value.rounded() : value
      }
      try withBlock(derived(source, values)) { block in
        try expect(block, values, "\(source) * \(factor)")
        for _ in 0..<8 {
          let ends = [dice.bound(values), dice.bound(values)].sorted()
          let mask = try block.rows(
            in: ValueRange(ends[0]...ends[1]), among: RowMask(first: count), BlockScratch())
          #expect(values.indices.allSatisfy { mask[$0] == (values[$0] >= ends[0] && values[$0] <= ends[1]) })
        }
      }
    }
  }

  /// Decodes and gathers.
  private func expect(_ block: EncodedBlock, _ values: [Double], _ comment: @autoclosure () -> String) throws {
    #expect(try bits(decoded(block, Double.self)) == bits(values), "\(comment())")
    let rows = Array(stride(from: 0, to: values.count, by: 3)).map { UInt16($0) }
    #expect(
      try bits(gathered(block, rows, Double.self)) == bits(rows.map { values[Int($0)] }), "\(comment()), gathered")
  }

  /// Every int64 is the nearest float64 before it is multiplied, so the factor 1 makes of it what a reader of decimals does.
  @Test func beyond_2_53_a_volume_is_the_nearest_float64() throws {
    let source: [Int64] = (0..<100).map { (1 << 53) - 50 + $0 } + [.max, .max - 1, .min + 1, -(1 << 53) - 1]
    let values = source.map { Double($0) }
    try withBlock(derived(source, values)) { block in try expect(block, values, "\(source)") }
    var converted = [Double](repeating: 0, count: source.count)
    unsafe source.withUnsafeBufferPointer { source in
      unsafe converted.withUnsafeMutableBufferPointer { unsafe Double.convert(source, into: $0) }
    }
    #expect(converted == values)
  }

  @Test func whole_numbers_are_converted_four_at_a_time_as_one_by_one() {
    var dice = TestSettings.dice("whole numbers as float64")
    let odd = NastyValues.integers + [1 << 51, (1 << 51) - 1, -(1 << 51), -(1 << 51) - 1, .missing]
    for count in 0..<200 {
      let numbers = (0..<count).map { _ in dice.chance(0.05) ? dice.element(of: odd) : Int64(dice.below(1 << 40)) }
      var values = [Double](repeating: -1, count: count)
      unsafe numbers.withUnsafeBufferPointer { numbers in
        unsafe values.withUnsafeMutableBufferPointer { unsafe Double.convert(numbers, into: $0) }
      }
      #expect(bits(values) == bits(numbers.map { $0 == .min ? .nan : Double($0) }))
    }
  }

  @Test func golden_bytes_of_volumes() throws {
    let source = (0..<40).map { Int64(8001 + $0 * $0) }
    let values = source.enumerated().map { Double($1) * ($0 < 25 ? 1.5 : 1) }
    let bytes = derived(source, values)
    #expect(
      hex(bytes.block) == """
        0400280000000000 0100000000000000 02000000000e0000 \
        000000000000f83f 000000000000f03f 0000190000000000
        """)
    #expect(try withBlock(bytes) { try decoded($0, Double.self) } == values)
  }

  /// A file may be forged, but not so that it ends the process.
  @Test func a_derived_block_of_int64_values_is_damaged() throws {
    let source: [Int64] = (0..<40).map { 8000 + $0 * $0 }
    let bytes = derived(source, source.map { Double($0) * 2 })
    let damage = Damage(offset: 0, "int64 values are computed from others")
    #expect(throws: damage) { try withBlock(bytes) { try decoded($0, Int64.self) } }
    #expect(throws: damage) { try withBlock(bytes) { try gathered($0, [3], Int64.self) } }
    #expect(throws: damage) {
      try withBlock(bytes) {
        try $0.rows(in: ValueRange<Int64>(0...9), among: RowMask(first: 40), BlockScratch())
      }
    }
  }
}
