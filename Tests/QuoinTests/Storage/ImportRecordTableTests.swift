import Testing

@testable import Quoin
@testable import QuoteGenerator

/// The records of imports as a column file keeps them.
@Suite struct ImportRecordTableTests {
  private static func decoded(_ bytes: [UInt8]) throws -> [ImportRecord] {
    var records: [ImportRecord] = []
    try bytes.withView { try ImportRecordTable.forEach(in: $0) { records.append($0) } }
    return records
  }

  /// A record of a day that came with a commit of its own.
  private static func record(_ ticker: TickerSymbol, _ day: Int, source: String = "day.csv") -> ImportRecord {
    let date = TradingDay(daysSince1970: 15_000 + day)!
    return ImportRecord(
      ticker: ticker, firstDay: date, lastDay: date, rowCount: 1, source: source,
      importedAt: CommitTime(secondsSince1970: 1_300_000_000 + Int64(day) * 86_400), generation: UInt64(day))
  }

  private static func tickers(_ count: Int) -> [TickerSymbol] { (0..<count).map { try! TickerSymbol("T\($0)") } }

  @Test func no_records_take_no_bytes() throws {
    #expect(ImportRecordTable.encode([]).isEmpty)
    #expect(try Self.decoded([]).isEmpty)
  }

  /// Every column at its ends, and an order that no import has: records come back as they were.
  @Test func random_records_come_back_in_their_order() throws {
    var dice = TestSettings.dice("random records of imports")
    let days = [TradingDay.earliest, .latest, "1970-01-01", "2024-02-29"]
    let sources = ["", "a", "späte.csv", String(repeating: "é", count: 512), "day.csv"]
    let moments = [-62_135_596_800, 0, 1_700_000_000, 253_402_300_799] as [Int64]
    for _ in 0..<200 {
      let records = (0..<dice.below(60)).map { _ in
        let ends = [dice.element(of: days), dice.element(of: days)].sorted()
        return ImportRecord(
          ticker: dice.element(of: Self.tickers(7) + ["^A_LONG-NAME.OF=32_CHARACTERS:+X"]), firstDay: ends[0],
          lastDay: ends[1], rowCount: dice.element(of: [0, 1, 127, 128, 1 << 32]), source: dice.element(of: sources),
          importedAt: CommitTime(secondsSince1970: dice.element(of: moments)),
          generation: dice.element(of: [0, 1, 63, 64, .max]))
      }
      #expect(try Self.decoded(ImportRecordTable.encode(records)) == records)
    }
  }

  @Test func more_records_than_a_group_holds_come_back() throws {
    let tickers = Self.tickers(300)
    let records = (0..<440).flatMap { day in tickers.map { Self.record($0, day) } }
    #expect(records.count > 2 << 16)
    #expect(try Self.decoded(ImportRecordTable.encode(records)) == records)
  }

  /// What a forged file claims may not take all memory, so a writer keeps no more than a reader takes.
  @Test func the_newest_records_are_kept_up_to_a_limit() throws {
    let records = [5, 1, 4, 2, 3].map { Self.record("A", $0) }
    let bytes = ImportRecordTable.encode(records, limit: 3)
    #expect(try Self.decoded(bytes) == [3, 4, 5].map { Self.record("A", $0) })
    #expect(throws: Damage.self) { try bytes.withView { try ImportRecordTable.forEach(in: $0, limit: 2) { _ in } } }
    try bytes.withView { try ImportRecordTable.forEach(in: $0, limit: 3) { _ in } }
  }

  /// A year of 3,000 tickers, day by day, as a compacted store keeps it: 73 bytes for each before.
  @Test func a_year_of_days_takes_next_to_nothing() throws {
    let tickers = Self.tickers(3000)
    let records = (0..<252).flatMap { day in tickers.map { Self.record($0, day) } }
    let count = ImportRecordTable.encode(records).count
    #expect(count * 200 < records.count * 73, "\(count) bytes of \(records.count) records")
  }

  @Test func forged_groups_are_damage() throws {
    let sound = ImportRecordTable.encode(Self.tickers(5).map { Self.record($0, 3) })
    func damage(_ offset: Int, _ count: UInt32) throws {
      var forged: [UInt8] = []
      forged.append(littleEndian: count)
      #expect(throws: Damage.self) { try Self.decoded(sound.replacing(offset, with: forged)) }
    }
    for count in [0, 1, 4_000_000_000, .max] as [UInt32] {
      try damage(0, count)
      try damage(4, count)
    }
    for count in 0..<sound.count where count > 0 {
      #expect(throws: Damage.self, "\(count)") { try Self.decoded(Array(sound.prefix(count))) }
    }
    #expect(throws: Damage.self) { try Self.decoded(sound + [0]) }
  }

  /// Each byte of the unpacked group is another, and then it is packed again: damage or other records, and no trap.
  @Test func every_forged_byte_is_read_or_refused() throws {
    let unpacked = try Self.unpacked(ImportRecordTable.encode([Self.record("A", 1), Self.record("B", 2, source: "b")]))
    var refused = 0
    for index in unpacked.indices {
      for byte in UInt8.min...UInt8.max {
        do { _ = try Self.decoded(Self.packed(unpacked.replacing(index, with: [byte]))) } catch is Damage {
          refused += 1
        }
      }
    }
    #expect(refused > unpacked.count * 20)
  }

  @Test func a_group_of_a_billion_records_takes_no_memory() throws {
    let before = TestSettings.peakVirtualByteCount
    var unpacked: [UInt8] = [0, 0]
    unpacked.append(number: 1 << 30)
    #expect(throws: Damage.self) { try Self.decoded(Self.packed(unpacked + Array(repeating: 0, count: 5000))) }
    #expect(TestSettings.peakVirtualByteCount - before < 1 << 26)
  }

  private static func packed(_ unpacked: [UInt8]) -> [UInt8] {
    let packed = LZ4.compressed(unpacked)
    var bytes: [UInt8] = []
    for count in [unpacked.count, packed.count] { bytes.append(littleEndian: UInt32(count)) }
    return bytes + packed
  }

  private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    var unpacked: [UInt8] = []
    try bytes.withView { view in
      let count = Int(view.integer(at: 0, as: UInt32.self))
      try LZ4.withDecompressed(view.slice(8..<view.count), byteCount: count) { unpacked = $0.array }
    }
    return unpacked
  }
}
