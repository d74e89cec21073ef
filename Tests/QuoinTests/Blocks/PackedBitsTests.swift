import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Offsets that are packed in bits, beside a packer that follows the drawing bit by bit.
@Suite struct PackedBitsTests {
  private static let rowCounts = [1, 7, 8, 9, 40, 63, 120, 121, 127, 128, 129, 200, 255, 256, 257, 1000, 1023, 1024]

  /// Offsets near each other within a stretch, each stretch somewhere else; or a random walk.
  private static func offsets(_ count: Int, _ width: Int, isWalk: Bool, _ dice: inout SeededRandom) -> [UInt32] {
    let largest = Int64(UInt32.max >> UInt32(32 - 8 * width))
    var spread = Int64(1)
    var start = Int64(0)
    var offsets: [UInt32] = []
    for row in 0..<count {
      if row % dice.element(of: [64, 128]) == 0 {
        spread = 1 << Int64(dice.below(8 * width))
        start = isWalk ? start : Int64(dice.next() >> 33) % (largest + 1)
      }
      let next = start + Int64(dice.next() >> 33) % (isWalk ? 2 * spread + 1 : spread) - (isWalk ? spread : 0)
      if isWalk { start = min(max(next, 0), largest) }
      offsets.append(UInt32(min(max(next, 0), largest)))
    }
    return offsets
  }

  @Test(arguments: 1...4) func what_the_drawing_says_is_read(_ width: Int) throws {
    var dice = TestSettings.dice("packed offsets of \(width) bytes")
    var count = 0
    for rowCount in Self.rowCounts {
      for differences in [false, true] {
        for slack in [0, 1, 3, 32] {
          let offsets = Self.offsets(rowCount, width, isWalk: dice.chance(0.5), &dice)
          let block = HandmadeBlock.packed(
            base: -7, step: 3, width: width, exponent: 0, offsets: offsets, differences: differences, slack: slack)
          guard let block else { continue }
          count += 1
          try expect(block.bytes, offsets.map { -7 + 3 * Int64($0) }, &dice)
        }
      }
    }
    #expect(count > 40)
  }

  /// Decodes all rows, gathers some, and compares some with a range.
  private func expect(_ bytes: [UInt8], _ values: [Int64], _ dice: inout SeededRandom) throws {
    try withBlock(bytes) { block in
      let comment: Comment = "\(values.count) rows of \(block.header)"
      #expect(try decoded(block) == values, comment)
      let share = dice.element(of: [1 / Double(values.count), 0.01, 0.3])
      let rows = values.indices.filter { _ in dice.chance(share) }
      if !rows.isEmpty {
        #expect(try gathered(block, rows.map { UInt16($0) }, Int64.self) == rows.map { values[$0] }, comment)
      }
      var wanted = RowMask.none
      for row in rows { wanted[row] = true }
      let ends = [dice.element(of: values), dice.element(of: values)].sorted()
      let found = try block.rows(in: ValueRange(ends[0]...ends[1]), among: wanted, BlockScratch())
      #expect(rows.allSatisfy { found[$0] == (ends[0]...ends[1]).contains(values[$0]) }, comment)
    }
  }

  /// The encoder takes the smaller of the two, as the drawing says it.
  @Test(arguments: 1...4) func what_the_encoder_packs_is_what_the_drawing_says(_ width: Int) {
    var dice = TestSettings.dice("packing offsets of \(width) bytes")
    var storages: Set<PayloadStorage> = []
    for rowCount in Self.rowCounts {
      for isWalk in [false, true] {
        let offsets = Self.offsets(rowCount, width, isWalk: isWalk, &dice)
        let raw = HandmadeBlock.scaled(base: 0, step: 1, width: width, exponent: 0, offsets: offsets)
        let ways = [false, true].map { PackedOffsets(offsets: offsets, width: width, areDifferences: $0).bytes }
        let packed = Self.packed(raw.payload, raw.bytes)
        storages.insert(packed.storage)
        let expected = packed.storage == .bits ? ways[0] : ways[1]
        #expect(packed.bytes == expected, "\(rowCount) rows")
        #expect(expected.count == ways.map(\.count).min(), "\(rowCount) rows")
      }
    }
    #expect(storages == [.bits, .differenceBits])
  }

  private static func packed(_ payload: [UInt8], _ block: [UInt8]) -> (storage: PayloadStorage, bytes: [UInt8]) {
    var room = [UInt8](repeating: 0, count: 8192)
    let header = unsafe block.withUnsafeBytes { unsafe BlockHeader(trusting: $0.baseAddress!) }
    let found = unsafe payload.withUnsafeBytes { payload in
      unsafe room.withUnsafeMutableBytes {
        unsafe PackedBits.pack(payload, header, as: [.bits, .differenceBits], freeRows: [], into: $0)
      }
    }
    return (found?.storage ?? .raw, Array(room.prefix(found?.byteCount ?? 0)))
  }

  private func small<Value: BlockValue>(_ values: [Value]) throws -> BlockHeader {
    let bytes = encoded(values, EncodingChoice(.small)).bytes
    #expect(try bits(decoded(bytes, Value.self)) == bits(values))
    return try withBlock(bytes) { $0.header }
  }

  @Test func a_random_walk_is_packed_as_differences_and_noise_as_it_is() throws {
    var dice = TestSettings.dice("a walk and noise")
    var cents = 5000
    let walk = (0..<1024).map { _ -> Double in
      cents += dice.below(64) - 32
      return Double(cents) / 100
    }
    let price = try small(walk)
    #expect(price.storage == .differenceBits && price.storedPayloadByteCount == 8 * (5 + 6 * 16))
    let noise = try small((0..<1024).map { _ in Int64(1_000_000 + dice.below(1 << 18)) })
    #expect(noise.storage == .bits && noise.storedPayloadByteCount == 8 * (4 + 18 * 16))
  }

  @Test func values_that_come_again_and_again_are_left_to_lz4() throws {
    let hundredths: [Int] = (0..<1024).map { 10_000 + $0 / 100 * 7919 % 4999 }
    let header = try small(hundredths.map { Double($0) / 100 })
    #expect(header.storage == .lz4 || header.storage == .lz4Planes)
    #expect(header.storedPayloadByteCount < 128)
  }

  /// A patch, wherever it is, costs its 10 bytes and makes no frame wider.
  @Test(arguments: [0, 1, 500, 1023]) func a_missing_cell_widens_no_frame(_ row: Int) throws {
    var dice = TestSettings.dice("missing cells")
    var values = (0..<1024).map { _ in Double(900_000 + dice.below(256)) / 100 }
    values[(row + 200) % 1024] = 1
    let whole = try small(values)
    values[row] = .nan
    let header = try small(values)
    #expect(header.patchCount == 1 && whole.patchCount == 0)
    #expect(header.storedPayloadByteCount <= whole.storedPayloadByteCount)
  }

  @Test func a_frame_that_is_no_frame_is_damage() throws {
    let offsets = (0..<300).map { UInt32($0 * 37 % 512) }
    let block = try #require(
      HandmadeBlock.packed(base: 0, step: 1, width: 2, exponent: 0, offsets: offsets, differences: false))
    func expectDamage(_ comment: Comment, _ change: (inout HandmadeBlock) -> Void) {
      var block = block
      change(&block)
      #expect(throws: Damage.self, comment) { try withBlock(block.bytes) { _ = try decoded($0, Int64.self) } }
    }
    #expect(try decoded(block.bytes) == offsets.map { Int64($0) })
    for bits in [0, 8, 10, 16, 17, 255] as [UInt8] { expectDamage("\(bits) bits") { $0.payload[0] = bits } }
    expectDamage("a byte more") { $0.payload.append(0) }
    expectDamage("a byte less") { $0.payload.removeLast() }
    for count in [0, 1, 8, 9] { expectDamage("\(count) bytes") { $0.payload.removeLast($0.payload.count - count) } }
    for encoding in [0, 2, 3, 4] as [UInt8] { expectDamage("encoding \(encoding)") { $0.encoding = encoding } }
  }
}
