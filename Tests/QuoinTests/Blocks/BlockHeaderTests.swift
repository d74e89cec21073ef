import Testing

@testable import Quoin

/// A header is taken at its word only after every field was checked, and the fields against each other.
@Suite struct BlockHeaderTests {
  private static let scaled = HandmadeBlock.scaled(
    base: 8596, step: 1, width: 2, exponent: 2, offsets: [94, 174, 0, 164])
  private static let constant = HandmadeBlock(encoding: 0, rowCount: 4, base: 7)
  private static let days = HandmadeBlock(encoding: 3, rowCount: 2, base: 100, payload: [3, 0, 0, 0, 0, 0, 0, 0])

  private func damage(_ bytes: [UInt8]) -> Damage? {
    do {
      _ = try withBlock(bytes) { _ in }
      return nil
    } catch {
      return error as? Damage
    }
  }

  private func damage(_ block: HandmadeBlock, _ change: (inout HandmadeBlock) -> Void) -> Damage? {
    var block = block
    change(&block)
    return damage(block.bytes)
  }

  private static let impossible = Damage(offset: 0, "impossible block header")

  @Test func handmade_blocks_are_sound() throws {
    #expect(try decoded(Self.scaled.bytes) == [86.9, 87.7, 85.96, 87.6])
    #expect(try decoded(Self.constant.bytes) == [7, 7, 7, 7] as [Int64])
    #expect(try decoded(Self.days.bytes) == [100, 101] as [Int64])
  }

  @Test func an_unknown_encoding_is_refused() {
    #expect(damage(Self.scaled) { $0.encoding = 255 } == Damage(offset: 0, "the block encoding 255", isUnknown: true))
    #expect(damage(Self.scaled) { $0.storage = 255 } == Damage(offset: 1, "the payload storage 255", isUnknown: true))
  }

  @Test func a_row_count_lies_between_1_and_1024() {
    #expect(damage(Self.constant) { $0.rowCount = 0 } == Self.impossible)
    #expect(damage(Self.constant) { $0.rowCount = 1024 } == nil)
    #expect(damage(Self.constant) { $0.rowCount = 1025 } == Self.impossible)
    #expect(damage(Self.scaled) { $0.rowCount = 5 } == Self.impossible)
  }

  @Test func patches_are_no_more_than_rows() {
    #expect(damage(Self.constant) { $0.patchCount = 5 } == Self.impossible)
    #expect(damage(Self.constant) { $0.patchCount = 4 } == Damage(offset: 24, "40 bytes wanted, 0 left"))
  }

  @Test func patches_rise_inside_the_block() {
    let wrong: [[UInt16]] = [[4], [1, 1], [2, 1], [0, 1, 65_535]]
    for rows in wrong {
      let found = damage(Self.constant) { $0.patches = rows.map { ($0, 1) } }
      #expect(found?.offset == 24, "\(rows)")
      #expect(found?.reason.hasPrefix("patch ") == true)
    }
    #expect(damage(Self.constant) { $0.patches = [(0, 1), (3, 1)] } == nil)
  }

  @Test func the_payload_has_the_size_that_the_header_says() {
    #expect(damage(Self.scaled) { $0.storedByteCount = 7 } == Self.impossible)
    #expect(damage(Self.constant) { $0.storedByteCount = 8 } == Self.impossible)
    #expect(damage(Self.days) { $0.storedByteCount = 7 } == Self.impossible)
    #expect(damage(Self.days) { $0.storedByteCount = 16 } == Damage(offset: 24, "16 bytes wanted, 8 left"))
    #expect(damage(Array(Self.scaled.bytes.prefix(24))) == Damage(offset: 24, "8 bytes wanted, 0 left"))
    // Compressed is smaller than not compressed.
    #expect(damage(Self.scaled) { $0.storage = 1 } == Self.impossible)
    #expect(damage(Self.constant) { $0.storage = 1 } == Self.impossible)
    #expect(damage(Self.days) { $0.storage = 1 } == Self.impossible)
  }

  @Test func fields_that_an_encoding_has_no_use_for_are_zero() {
    for block in [Self.constant, Self.days, HandmadeBlock.plain([1.0, 2])] {
      #expect(damage(block) { $0.step = 1 } == Self.impossible, "\(block.encoding)")
      #expect(damage(block) { $0.width = 1 } == Self.impossible, "\(block.encoding)")
      #expect(damage(block) { $0.exponent = 1 } == Self.impossible, "\(block.encoding)")
      #expect(damage(block) { $0.zero = 1 } == Self.impossible, "\(block.encoding)")
    }
    #expect(damage(Self.scaled) { $0.zero = 0x100 } == Self.impossible)
  }

  @Test func a_scale_has_a_step_a_width_and_an_exponent_in_range() {
    #expect(damage(Self.scaled) { $0.step = 0 } == Self.impossible)
    #expect(damage(Self.scaled) { $0.width = 5 } == Self.impossible)
    #expect(damage(Self.scaled) { $0.exponent = 22 } == nil)
    #expect(damage(Self.scaled) { $0.exponent = 23 } == Self.impossible)
  }

  @Test func no_offset_leads_past_int64() {
    let top = UInt64(Int64.max)
    #expect(damage(Self.scaled) { $0.base = top - 65_535 } == nil)
    #expect(damage(Self.scaled) { $0.base = top - 65_534 } == Self.impossible)
    #expect(damage(Self.scaled) { ($0.base, $0.step) = (top - 65_535 * 2, 2) } == nil)
    #expect(damage(Self.scaled) { ($0.base, $0.step) = (top - 65_535 * 2, 3) } == Self.impossible)
    #expect(damage(Self.scaled) { $0.step = .max } == nil)
  }

  @Test func a_day_set_has_as_many_days_as_rows_and_no_patches() {
    #expect(damage(Self.days) { $0.rowCount = 3 } == Damage(offset: 24, "a set of 2 days for 3 rows"))
    #expect(damage(Self.days) { $0.patches = [(0, 1)] } == Self.impossible)
  }

  @Test func a_block_cut_short_is_refused() {
    for block in [Self.scaled, Self.constant, Self.days] {
      for count in 0..<block.bytes.count {
        #expect(damage(Array(block.bytes.prefix(count))) != nil, "\(count) bytes of encoding \(block.encoding)")
      }
    }
  }
}
