import Testing

@testable import Quoin
@testable import QuoteGenerator

/// What the checksum would have caught must still not end the process, for a file may be forged: a damaged block is
/// refused, fails to unpack, or has other values; nothing is read outside its bytes.
@Suite struct DamagedBlockTests {
  /// Small blocks of every encoding and storage.
  static let blocks: [(name: String, bytes: [UInt8])] = {
    var blocks: [(String, HandmadeBlock)] = [
      ("constant", HandmadeBlock(encoding: 0, rowCount: 9, base: 1, patches: [(2, 5), (8, 6)])),
      (
        "runs",
        HandmadeBlock(
          encoding: 5, rowCount: 9, step: 3, stretches: [(0, 5), (3, 0x7FF8 << 48), (7, 5)], patches: [(4, 6)])
      ),
      ("plain", .plain((0..<9).map { Double($0) })),
      ("days", HandmadeBlock(encoding: 3, rowCount: 9, base: 100, payload: [0xFF, 0, 0, 0, 1, 0, 0, 0])),
    ]
    for width in 0...4 {
      let largest = width == 0 ? 0 : UInt32.max >> UInt32(32 - 8 * width)
      var block = HandmadeBlock.scaled(
        base: -50, step: 3, width: width, exponent: 2, offsets: (0..<9).map { largest / 9 * $0 })
      block.patches = [(0, 1), (4, 2)]
      blocks.append(("scaled of \(width) bytes", block))
    }
    let compressible = HandmadeBlock.plain((0..<40).map { Double($0 % 3) })
    for planes in [false, true] {
      if let block = compressible.compressed(planes: planes) { blocks.append(("compressed, planes \(planes)", block)) }
    }
    for width in [2, 3] {
      for differences in [false, true] {
        let block = HandmadeBlock.packed(
          base: 5, step: 1, width: width, exponent: 2, offsets: (0..<40).map { $0 * 97 % 61 }, differences: differences)
        if let block { blocks.append(("packed of \(width) bytes, differences \(differences)", block)) }
      }
    }
    return blocks.map { ($0, $1.bytes) }
  }()

  @Test func blocks_before_the_damage_are_sound() throws {
    for (name, bytes) in Self.blocks { #expect(try exercise(bytes), "\(name)") }
  }

  /// Derived blocks have tests of their own, because they need a source.
  @Test func every_encoding_and_storage_is_damaged() {
    let encodings = Self.blocks.compactMap { BlockEncoding(rawValue: $0.bytes[0]) }
    #expect(Set(encodings) == Set(BlockEncoding.allCases.filter { !$0.codec.needsSource }))
    #expect(Set(Self.blocks.map { $0.bytes[1] }) == Set(PayloadStorage.allCases.map(\.rawValue)))
  }

  @Test func no_flipped_bit_is_a_crash() throws {
    var survivors = 0
    for (_, bytes) in Self.blocks {
      for bit in 0..<(bytes.count * 8) {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        if try exercise(damaged) { survivors += 1 }
      }
    }
    #expect(survivors > 0)
  }

  @Test func no_cut_is_a_crash() throws {
    for (name, bytes) in Self.blocks {
      for count in 0..<(bytes.count - 8) {
        #expect(try !exercise(Array(bytes.prefix(count))), "\(count) bytes of \(name)")
      }
    }
  }

  @Test func no_random_header_is_a_crash() throws {
    var dice = TestSettings.dice("random headers")
    for _ in 0..<TestSettings.count("QUOIN_HEADERS", debug: 20_000, release: 200_000) {
      var bytes = dice.element(of: Self.blocks).bytes
      for _ in 0...dice.below(4) { bytes[dice.below(min(bytes.count, 32))] = UInt8(dice.below(256)) }
      _ = try exercise(bytes)
    }
  }

  /// A payload that says nothing of its size, and would fill a megabyte.
  @Test func a_payload_that_unpacks_to_more_than_a_block_is_refused() throws {
    var block = HandmadeBlock.plain(Array(repeating: 0.0, count: Limits.rowsPerBlock))
    let bomb = [UInt8](repeating: 0, count: 1 << 20)
    var packed = [UInt8](repeating: 0, count: 8000)
    let count = unsafe bomb.withUnsafeBytes { bomb in
      unsafe packed.withUnsafeMutableBytes { unsafe LZ4.compress(bomb, into: $0) }
    }
    block.payload = Array(packed.prefix(try #require(count)))
    for storage in [1, 2] as [UInt8] {
      block.storage = storage
      #expect(throws: Damage.self) { try withBlock(block.bytes) { let _: [Double] = try decoded($0) } }
    }
  }

  /// Does with a block all that a scan may do; returns whether that worked.
  private func exercise(_ bytes: [UInt8]) throws -> Bool {
    do {
      try withBlock(bytes) { block in
        let scratch = BlockScratch()
        let integers: [Int64] = try decoded(block)
        let doubles: [Double] = try decoded(block)
        #expect(integers.count == block.rowCount && doubles.count == block.rowCount)
        _ = try gathered(block, [0, UInt16(block.rowCount - 1)], Double.self)
        _ = try block.rows(in: ValueRange<Double>(0...1), among: RowMask(first: block.rowCount), scratch)
        _ = try block.rows(in: ValueRange<Int64>(-5...1000), among: RowMask(first: block.rowCount), scratch)
      }
      return true
    } catch is Damage {
      return false
    }
  }
}
