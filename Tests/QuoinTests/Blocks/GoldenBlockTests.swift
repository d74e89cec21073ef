import Testing

@testable import Quoin

/// The bytes of each encoding, which never change as long as the format's version doesn't.
///
/// To make them anew after a change of version: print `hex(encoded(...).bytes)` in place of the comparison; every line
/// is 8 bytes a word. All but the compressed ones were checked by hand against the description in BlockHeader.swift.
@Suite struct GoldenBlockTests {
  private static let rawOnly: EncodingChoice = {
    var choice = EncodingChoice()
    choice.storages = [.raw]
    return choice
  }()

  private func expect<Value: BlockValue>(
    _ values: [Value], _ choice: EncodingChoice = rawOnly, areDays: Bool = false, are golden: String
  ) throws {
    #expect(hex(encoded(values, choice, areDays: areDays).bytes) == golden)
    #expect(try bits(decoded(bytes(hex: golden), Value.self)) == bits(values))
  }

  @Test func constant() throws {
    try expect([1, 1, 1, 1.0], are: "0000040000000000 000000000000f03f 0000000000000000")
  }

  @Test func constant_with_patches() throws {
    try expect(
      [1, 1, 2, 1, Double.nan, 1, 1.0],
      are: """
        0000070002000000 000000000000f03f 0000000000000000 \
        0000000000000040 000000000000f87f 0200040000000000
        """)
  }

  @Test func runs() throws {
    try expect(
      [1, 1, 2, 1] + Array(repeating: Double.nan, count: 6) + Array(repeating: 3, count: 5) + [.nan],
      are: """
        0500100002000000 0000000000000000 0300000000000000 \
        000000000000f03f 000000000000f87f 0000000000000840 000004000a000000 \
        0000000000000040 000000000000f87f 02000f0000000000
        """)
  }

  @Test func scaled_of_one_byte() throws {
    try expect(
      [86.9, 87.7, 85.96, 87.6, 86, 86.02, 86.04, 86.06],
      are: """
        0100080000000800 9421000000000000 0200000001020000 2f57005202030405
        """)
  }

  @Test func scaled_of_two_bytes_with_a_patch() throws {
    try expect(
      [80, 100, 80.01, 81.5, 80.950577512303, 90, 70, 99.99],
      are: """
        0100080001001000 581b000000000000 0100000002020000 \
        e2e90f43d63c5440 0400000000000000 e803b80be9037e04 0000d0070000b70b
        """)
  }

  @Test func scaled_of_three_bytes() throws {
    try expect(
      [0, 1_373_400, 16_777_215, 65_537, 1, 2, 3, 255] as [Int64],
      are: """
        0100080000001800 0000000000000000 0100000003000000 \
        0000d8f4ffff0100 010002000300ff00 0014ff0100000000
        """)
  }

  @Test func scaled_of_four_bytes_in_steps() throws {
    try expect(
      [100, 1_677_721_900, 200, 300, 5_000_000_000, 400, 500, 77_777_700, 600, 700] as [Int64],
      are: """
        01000a0000002800 6400000000000000 6400000004000000 \
        0000000002000001 0100000002000000 7ff0fa0203000000 0400000030de0b00 0500000006000000
        """)
  }

  /// Lane l has the value l in each of five steps: l * 0b001_001_001_001_001.
  @Test func scaled_in_bits() throws {
    try expect(
      (0..<40).map { Double(8596 + $0 % 8) / 100 }, EncodingChoice(encodings: [.scaled], storages: [.raw, .bits]),
      are: """
        0103280000001200 9421000000000000 0100000001020000 \
        0300000049129224 db3624496d5bb66d ff7f000000000000
        """)
  }

  /// From -1, each is 1 more than the one before: no bits.
  @Test func scaled_in_bits_of_differences() throws {
    try expect(
      (0..<16).map { Double(8596 + $0) / 100 },
      EncodingChoice(encodings: [.scaled], storages: [.raw, .differenceBits]),
      are: """
        0104100000000300 9421000000000000 0100000001020000 00ff010000000000
        """)
  }

  @Test func plain() throws {
    try expect(
      [0.1 + 0.2, 1.0 / 3, -.infinity],
      are: """
        0200030000001800 0000000000000000 0000000000000000 \
        343333333333d33f 555555555555d53f 000000000000f0ff
        """)
  }

  @Test func day_set() throws {
    try expect(
      [13_066, 13_067, 13_070, 13_135] as [Int64], areDays: true,
      are: "0300040000001000 0a33000000000000 0000000000000000 1300000000000000 2000000000000000")
  }

  /// The compressor's choices may change with its version; what was compressed must come back.
  @Test func compressed_payloads_are_read() throws {
    let planes = (0..<32).map { Double($0) + 0.7 }
    for (storage, golden) in [(PayloadStorage.lz4, Self.lz4), (.lz4Planes, Self.lz4Planes)] {
      try withBlock(bytes(hex: golden)) { block throws in
        #expect(block.header.storage == storage)
        #expect(try bits(decoded(block, Double.self)) == bits(planes))
      }
    }
  }

  private static let lz4 = """
    0201200000009400 0000000000000000 0000000000000000 1166010031e63f33 010040fb3f9a9901 002205400800400d
    40cdcc0100131208 0013160800131a08 00211e403f002366 2108001323080013 2508001327080013 290800132b080013
    2d0800212f407700 23b3300800133108 0013320800133308 0013340800133508 0013360800133708 0013380800133908
    00133a0800133b08 00133c0800133d08 00a03e4033333333 33b33f4000000000
    """
  private static let lz4Planes = """
    0202200000005500 0000000000000000 0000000000000000 9366339a9acdcdcd cd6601001b330100 8366339999cccccc
    cc1f001b661f000f 20005e1bb30100ff 14e6fb050d12161a 1e21232527292b2d 2f30313233343536 3738393a3b3c3d3e
    3f3f3f4001000550 4040404040000000
    """
}
