import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Blocks that are computed from the blocks of another attribute.
@Suite struct DerivedBlockTests {
  /// Prices of cents with some cells missing and some of four decimals.
  private func prices(_ count: Int, _ dice: inout SeededRandom) -> [Double] {
    (0..<count).map { _ in
      if dice.chance(0.01) { return .nan }
      let cents = Double(1 + dice.below(20_000))
      return dice.chance(0.02) ? (cents * 100 + 1) / 10_000 : cents / 100
    }
  }

  /// What a vendor makes of prices whose factor changes now and then, and what there is when a feed without adjusted prices has
  /// brought some of the days.
  private func adjusted(_ prices: [Double], _ digits: Int, _ dice: inout SeededRandom) -> [Double] {
    var (factor, gap) = (dice.uniform(0.01, 1), 0)
    return prices.map { price in
      if dice.chance(0.02) { factor *= dice.uniform(0.9, 1) }
      gap = dice.chance(0.01) ? dice.element(of: [1, 2, 3, 60]) : max(0, gap - 1)
      return price.isNaN || gap > 0 ? .nan : SignificantDigits(digits: digits).rounded(price * factor)
    }
  }

  /// Rows of an import have adjusted prices, and those of the days since have none.
  @Test func rows_without_values_are_a_stretch_where_that_is_shorter() throws {
    let source = (0..<1024).map { Double(1000 + $0) / 100 }
    for (missing, stretches, patches) in [
      (700..<1024, 2, 0), (0..<300, 2, 0), (400..<403, 3, 0), (400..<402, 1, 2), (1022..<1024, 2, 0),
      (1023..<1024, 1, 1),
    ] as [(Range<Int>, Int, Int)] {
      var values = source.map { SignificantDigits(digits: 14).rounded($0 * 0.873) }
      for row in missing { values[row] = .nan }
      try withBlock(derived(source, values)) { block in
        #expect(block.header.encoding == .derived && block.header.listCount == stretches, "\(missing)")
        #expect(block.header.patchCount == patches, "\(missing)")
        let decoded = try QuoinTests.decoded(block, Double.self)
        #expect(decoded.map(\.bitPattern) == values.map(\.canonical.bitPattern))
      }
    }
  }

  @Test(arguments: [14, 12, 13, 17]) func adjusted_prices_come_back_and_take_little(_ digits: Int) throws {
    var dice = TestSettings.dice("adjusted prices of \(digits) digits")
    for count in [64, 65, 1023, 1024] {
      let source = prices(count, &dice)
      let values = adjusted(source, digits, &dice)
      let bytes = derived(source, values, EncodingChoice(dice.element(of: BlockPacking.allCases)))
      #expect(bytes.block[0] == BlockEncoding.derived.rawValue && bytes.block.count < count * 2)
      try withBlock(bytes) { block in
        let decoded = try QuoinTests.decoded(block, Double.self)
        #expect(decoded.map(\.bitPattern) == values.map(\.canonical.bitPattern))
        let rows = (0..<count).filter { _ in dice.chance(0.3) }.map { UInt16($0) }
        let gathered = try QuoinTests.gathered(block, rows, Double.self)
        #expect(gathered.map(\.bitPattern) == rows.map { values[Int($0)].canonical.bitPattern })
      }
    }
  }

  @Test func golden_bytes() throws {
    let source = (0..<40).map { Double(8000 + $0 * $0) / 100 }
    var values = source.enumerated().map { $1 * ($0 < 25 ? 0.5 : 1) }
    values[5] = 40.1
    let bytes = derived(source, values)
    #expect(
      hex(bytes.block) == """
        0400280001000000 0000000000000000 02000000000e0000 \
        000000000000e03f 000000000000f03f 0000190000000000 cdcccccccc0c4440 0500000000000000
        """)
    let decoded = try withBlock(bytes) { try QuoinTests.decoded($0, Double.self) }
    #expect(decoded == values)
  }

  @Test func values_that_no_factor_explains_are_stored_otherwise() throws {
    var dice = TestSettings.dice("no factor")
    let source = prices(1024, &dice)
    let values = source.map { _ in dice.uniform(1, 100) }
    let bytes = derived(source, values)
    #expect(bytes.block[0] != BlockEncoding.derived.rawValue)
    #expect(try decoded(bytes.block, Double.self) == values)
  }

  @Test func a_row_that_disagrees_is_a_patch_and_not_a_new_stretch() throws {
    let source = (0..<200).map { Double(1000 + $0) / 100 }
    var values = source.map { SignificantDigits(digits: 14).rounded($0 * 0.873) }
    values[57] += 1e-9
    try withBlock(derived(source, values)) { block in
      #expect(block.header.listCount == 1 && block.header.patchCount == 1)
      let decoded = try QuoinTests.decoded(block, Double.self)
      #expect(decoded == values)
    }
  }

  @Test func ranges_find_what_comparisons_find() throws {
    var dice = TestSettings.dice("ranges on derived blocks")
    let scratch = BlockScratch()
    for _ in 0..<60 {
      let source = prices(1 + dice.below(1024), &dice)
      let values = adjusted(source, dice.element(of: [14, 12]), &dice)
      let bytes = derived(source, values, EncodingChoice(dice.element(of: BlockPacking.allCases)))
      try withBlock(bytes) { block in
        for _ in 0..<40 {
          let ends = [dice.bound(values), dice.bound(values)].sorted()
          let range = ends[0]...ends[1]
          var some = RowMask.none
          for row in values.indices where dice.chance(0.002) { some[row] = true }
          let found = try block.rows(in: ValueRange(range), among: some, scratch)
          #expect(
            values.indices.allSatisfy { !some[$0] || found[$0] == range.contains(values[$0]) }, "\(range), some rows")
          let mask = try block.rows(in: ValueRange(range), among: RowMask(first: block.rowCount), scratch)
          #expect(
            values.indices.allSatisfy { mask[$0] == (values[$0] >= ends[0] && values[$0] <= ends[1]) }, "\(range)")
          #expect(mask.count == values.count { range.contains($0) })
        }
      }
    }
  }

  /// The encoder computes four rows at a time, the decoder one: neither may ever be a bit off the other.
  @Test(arguments: [0, 10, 12, 13, 14, 15, 17]) func patches_are_the_rows_that_the_decoder_computes_otherwise(
    _ count: Int
  ) {
    var dice = TestSettings.dice("patches at \(count) digits")
    let digits = SignificantDigits(digits: count)
    let odd = [
      0, -0.0, -1, .nan, .infinity, 1e-300, 1e300, 0.1, 1, 10, 99_999_999_999_999, 1_234_567_890.5, 1_234_567_891.5,
      2.5, 0x1p51 - 0.5, 0x1p51 + 0.5, 0x1p53,
    ]
    for _ in 0..<400 {
      let factor = dice.element(of: [1, 0.5, 0.1, dice.uniform(0.001, 1), dice.uniform(1, 1000)])
      let scale = dice.element(of: [1e-4, 1, 1e3])
      let source = (0..<dice.below(40)).map { _ in
        let price = Double(1 + dice.below(20_000)) / 100 * scale
        // Near a power of ten, from which on values are rounded otherwise; at any size; or what no price is.
        return dice.element(of: [price, price, price, (1.0 / factor).nextUp, 10 / factor, dice.element(of: odd)])
      }
      let how = DerivedFactor(value: factor, digits: digits)
      var values = source.map { how.value(from: $0) }
      for row in values.indices where dice.chance(0.1) { values[row] = values[row].nextUp }
      let expected = source.indices.filter {
        how.value(from: source[$0]).bitPattern != values[$0].bitPattern
      }
      var found: [UInt16] = []
      unsafe values.withUnsafeBufferPointer { values in
        unsafe source.withUnsafeBufferPointer { source in
          unsafe how.appendPatches(of: 0..<source.count, values, from: source, to: &found)
        }
      }
      #expect(found.map(Int.init) == expected)
      var derived = source
      var decade = RoundingDecade.none
      unsafe source.withUnsafeBufferPointer { source in
        unsafe derived.withUnsafeMutableBufferPointer {
          unsafe how.derive(0..<source.count, from: source, into: $0, &decade)
        }
      }
      #expect(bits(derived) == source.map { how.value(from: $0).bitPattern })
    }
  }

  @Test func a_derived_block_is_damaged_without_the_block_it_is_computed_from() throws {
    let source = (0..<100).map { Double($0 + 100) / 100 }
    let values = source.map { $0 * 0.5 }
    let bytes = derived(source, values)
    #expect(throws: Damage.self) { try withBlock((source: [], block: bytes.block)) { try decoded($0, Double.self) } }
    let shorter = derived(Array(source.dropLast()), Array(values.dropLast())).source
    #expect(throws: Damage(offset: 0, "the block that this one is computed from has other rows")) {
      try withBlock((source: shorter, block: bytes.block)) { try decoded($0, Double.self) }
    }
    #expect(throws: Damage.self) {
      try withBlock((source: bytes.block, block: bytes.block)) { try decoded($0, Double.self) }
    }
  }

  @Test func no_flipped_bit_of_a_derived_block_traps() throws {
    var dice = TestSettings.dice("flipped bits of a derived block")
    let source = prices(130, &dice)
    let bytes = derived(source, adjusted(source, 14, &dice))
    #expect(bytes.block[0] == BlockEncoding.derived.rawValue)
    let scratch = BlockScratch()
    for bit in 0..<(bytes.block.count * 8) {
      var damaged = bytes
      damaged.block[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? withBlock(damaged) { block in
        _ = try decoded(block, Double.self)
        _ = try block.rows(in: ValueRange(1.0...50.0), among: RowMask(first: block.rowCount), scratch)
      }
    }
  }

  @Test func rounding_is_what_printing_and_reading_gives() {
    var dice = TestSettings.dice("significant digits")
    for digits in SignificantDigits.range {
      for _ in 0..<20_000 {
        let value = dice.uniform(1, 10) * powersOfTen[dice.below(10)] / 1e5
        let rounded = SignificantDigits(digits: digits).rounded(value)
        #expect(rounded == printed(value, digits), "\(value) at \(digits) digits")
      }
    }
  }

  private func printed(_ value: Double, _ digits: Int) -> Double {
    var text = [CChar](repeating: 0, count: 64)
    _ = unsafe withVaList([Int32(digits), value]) { unsafe vsnprintf(&text, 64, "%.*g", $0) }
    return unsafe strtod(text, nil)
  }
}
