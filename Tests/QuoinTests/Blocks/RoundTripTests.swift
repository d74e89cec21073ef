import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Every codec gives back what it was given, to the last bit.
@Suite struct RoundTripTests {
  /// Every set of encodings and compressions; plain and raw are always possible.
  static let choices: [EncodingChoice] = (0..<128).map { bits in
    var choice = EncodingChoice()
    choice.encodings = Set(BlockEncoding.allCases.filter { $0 == .plain || bits & 1 << min($0.code, 2) != 0 })
    choice.storages = Set(PayloadStorage.allCases.filter { $0 == .raw || bits & 4 << $0.code != 0 })
    choice.largestCompressedShare = 1
    choice.largestCompressedScaledShare = 1
    return choice
  }

  @Test(arguments: NastyValues.rowCounts)
  func doubles_of_every_shape_come_back(_ count: Int) throws {
    var dice = TestSettings.dice("doubles of every shape, \(count) rows")
    for shape in ValueShape<Double>.all {
      try expectRoundTrip(shape.values(count, &dice), EncodingChoice(), "\(shape), \(count) rows")
    }
  }

  @Test(arguments: NastyValues.rowCounts)
  func integers_of_every_shape_come_back(_ count: Int) throws {
    var dice = TestSettings.dice("integers of every shape, \(count) rows")
    for shape in ValueShape<Int64>.all {
      try expectRoundTrip(shape.values(count, &dice), EncodingChoice(), "\(shape), \(count) rows")
    }
  }

  @Test func every_choice_of_encodings_gives_the_values_back() throws {
    var dice = TestSettings.dice("every choice of encodings")
    for (index, choice) in Self.choices.enumerated() {
      for shape in ValueShape<Double>.all {
        let image = try expectRoundTrip(shape.values(65, &dice), choice, "\(shape), choice \(index)")
        expectPermitted(image.bytes, choice)
      }
      for shape in ValueShape<Int64>.all {
        let image = try expectRoundTrip(shape.values(65, &dice), choice, "\(shape), choice \(index)")
        expectPermitted(image.bytes, choice)
      }
    }
  }

  @Test(arguments: NastyValues.rowCounts)
  func days_dense_and_sparse_come_back(_ count: Int) throws {
    var dice = TestSettings.dice("days, \(count) rows")
    for (gap, name) in [(1, "every day"), (3, "weekdays or so"), (40, "monthly"), (2000, "rare")] {
      var day = Int64(-719_162)
      let days = (0..<count).map { _ in
        day += Int64(1 + dice.below(gap))
        return day
      }
      for choice in Self.choices {
        let image = encoded(days, choice, areDays: true)
        #expect(try decoded(image.bytes) == days, "\(name), \(count) rows")
        #expect(image.statistics.minimum == days.first && image.statistics.maximum == days.last)
      }
    }
  }

  @Test func nasty_values_alone_and_in_pairs_come_back() throws {
    for value in NastyValues.doubles {
      try expectRoundTrip([value.canonical], EncodingChoice(), "\(value)")
      for other in [0, -0.0, 1, Double.nan, .infinity, 0.01] {
        try expectRoundTrip([value.canonical, other, other], EncodingChoice(), "\(value) with \(other)")
      }
    }
    for value in NastyValues.integers {
      try expectRoundTrip([value], EncodingChoice(), "\(value)")
      for other in [0, 1, Int64.max, .min] {
        try expectRoundTrip([value, other, other], EncodingChoice(), "\(value) with \(other)")
      }
    }
  }

  /// Decodes, gathers and reads the statistics of the encoded values.
  @discardableResult
  private func expectRoundTrip<Value: BlockValue>(
    _ values: [Value], _ choice: EncodingChoice, _ comment: @autoclosure () -> String
  ) throws -> BlockImage<Value> {
    let image = encoded(values, choice)
    try withBlock(image.bytes) { block in
      let back: [Value] = try decoded(block)
      #expect(bits(back) == bits(values), "\(comment())")
      for rows in [[0], Array(stride(from: 0, to: values.count, by: 3)), Array(values.indices.suffix(2))] {
        let some: [Value] = try gathered(block, rows.map(UInt16.init))
        #expect(bits(some) == bits(rows.map { values[$0] }), "\(comment()), gathered")
      }
    }
    expectStatistics(image.statistics, of: values)
    #expect(image.bytes.count % 8 == 0)
    return image
  }

  private func expectStatistics<Value: BlockValue>(_ statistics: BlockStatistics<Value>, of values: [Value]) {
    let present = values.filter { !$0.isMissing }
    #expect(statistics.missingCount == values.count - present.count)
    #expect(statistics.minimum == present.min() ?? Value.emptyMinimum)
    #expect(statistics.maximum == present.max() ?? Value.emptyMaximum)
    if let minimum = statistics.minimum as? Double, minimum == 0 { #expect(minimum.sign == .minus) }
    if let maximum = statistics.maximum as? Double, maximum == 0 { #expect(maximum.sign == .plus) }
    if let present = present as? [Int64] {
      #expect(Int128(statistics.sum) == present.reduce(Int128(0)) { $0 + Int128($1) })
    } else if let present = present as? [Double] {
      expectSum(statistics.sum, of: present)
    }
  }

  private func expectSum(_ words: BlockSum, of values: [Double]) {
    guard let sum = ExactSum(words) else {
      // Prices that need more than two numbers are rare: the values have to be far apart.
      let sizes = values.map(\.magnitude).filter { $0 > 0 }
      #expect((sizes.max() ?? 0) / (sizes.min() ?? 0) > 0x1p30)
      return
    }
    #expect(isSum(sum.value, of: values))
    var exact = LongSum()
    for value in values where value.isFinite { exact.add(value) }
    if sum.value.isFinite { for part in [sum.high, sum.low] { exact.add(-part) } }
    #expect(!sum.value.isFinite || exact.value == 0)
  }

  private func expectPermitted(_ bytes: [UInt8], _ choice: EncodingChoice) {
    let (encoding, storage) = (BlockEncoding(rawValue: bytes[0]), PayloadStorage(rawValue: bytes[1]))
    #expect(encoding.map(choice.encodings.contains) == true && storage.map(choice.storages.contains) == true)
  }
}

extension BlockEncoding {
  fileprivate var code: Int { Int(rawValue) }
}

extension PayloadStorage {
  fileprivate var code: Int { Int(rawValue) }
}

/// The encoder finds the structure that is there.
@Suite struct EncoderChoiceTests {
  private func header<Value: BlockValue>(_ values: [Value], areDays: Bool = false) throws -> BlockHeader {
    var choice = EncodingChoice()
    choice.storages = [.raw]
    return try withBlock(encoded(values, choice, areDays: areDays).bytes) { $0.header }
  }

  @Test(arguments: [(255, 1), (256, 2), (65_535, 2), (65_536, 3), (16_777_215, 3), (16_777_216, 4)])
  func prices_are_scaled_integers_of_the_fewest_bytes(_ range: Int, _ width: Int) throws {
    let offsets = (0..<1000).map { $0 % 2 == 0 ? $0 * range / 1000 : range } + [0, 1]
    let header = try header(offsets.map { Double(8000 + $0) / 100 })
    #expect(header.encoding == .scaled)
    #expect(header.width == width)
    #expect(header.exponent == 2)
    #expect(header.patchCount == 0)
  }

  @Test func a_zero_with_a_minus_is_a_patch_among_prices_and_no_more() throws {
    let header = try header((0..<1000).map { $0 == 500 ? -0.0 : Double($0) / 100 })
    #expect(header.encoding == .scaled)
    #expect(header.patchCount == 1)
  }

  @Test func round_lots_take_a_byte() throws {
    let header = try header((0..<1000).map { Int64($0 * 7 % 256) * 100 + 5000 })
    #expect(header.encoding == .scaled)
    #expect(header.step == 100)
    #expect(header.width == 1)
  }

  @Test func an_outlier_is_a_patch() throws {
    let header = try header((0..<1000).map { $0 == 3 ? Int64(1) << 40 : Int64($0 % 200) })
    #expect(header.encoding == .scaled)
    #expect(header.width == 1)
    #expect(header.patchCount == 1)
  }

  @Test func a_split_among_ones_is_a_patch_to_a_constant() throws {
    let header = try header((0..<1000).map { $0 == 77 ? 2.0 : 1 })
    #expect(header.encoding == .constant)
    #expect(header.patchCount == 1)
  }

  /// As split ratios are of which an import brought the old days, and a feed none since.
  @Test func a_column_that_a_feed_lacks_is_runs() throws {
    let header = try header((0..<1000).map { $0 == 77 ? 2.0 : $0 < 600 ? 1 : .nan })
    #expect(header.encoding == .runs && header.listCount == 2 && header.patchCount == 1)
    // Others are compared and added up without decoding.
    #expect(try self.header((0..<1000).map { $0 < 600 ? 1.0 : 2 }).encoding != .runs)
    #expect(try self.header((0..<1000).map { $0 == 77 ? .nan : 1.0 }).encoding == .constant)
  }

  @Test func weekdays_are_a_day_set() throws {
    let days: [Int] = (0..<1000).map { $0 / 5 * 7 + $0 % 5 }
    let header = try header(days.map { Int64($0) }, areDays: true)
    #expect(header.encoding == .daySet)
    #expect(header.storedPayloadByteCount == 176)
  }

  @Test func values_without_structure_are_plain() throws {
    var dice = TestSettings.dice("values without structure")
    #expect(try header((0..<1000).map { _ in dice.unit() }).encoding == .plain)
  }

  @Test func compression_is_kept_only_where_it_pays() throws {
    let values = (0..<1024).map { Double($0 % 16) + 0.123456789 }
    var choice = EncodingChoice()
    choice.encodings = [.plain]
    for (share, storages) in [(0.8, [PayloadStorage.lz4, .lz4Planes]), (0.0, [.raw])] {
      choice.largestCompressedShare = share
      let storage = PayloadStorage(rawValue: encoded(values, choice).bytes[1])
      #expect(storage.map(storages.contains) == true)
    }
  }
}
