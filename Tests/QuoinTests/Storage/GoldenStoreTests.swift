import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Stores of each released version of the format are read for ever, and this version writes what it always wrote.
///
/// Fixtures/store-1 was written by `QUOIN_WRITE_FIXTURES=1 swift test --filter GoldenStoreTests`. It is never written
/// again: another version of the format gets a folder of its own beside it.
@Suite struct GoldenStoreTests {
  private static let fixture: String = {
    let parts = #filePath.split(separator: "/").dropLast(2)
    return "/" + parts.joined(separator: "/") + "/Fixtures/store-1"
  }()

  /// Rows of every encoding; computed without a random generator, for they are to be the same for ever.
  private static let rows: [(TickerSymbol, QuoteColumns)] = {
    let fedEx = QuoteColumns.sample(300)
    let nasty = QuoteColumns(days: fedEx.days.prefix(40)) { row, name in
      if name == .volume { return row % 7 == 0 ? nil : Double(row) * 100 }
      if name == .adjustedVolume { return Double(1 << (row % 33)) }
      let values = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3, 86.9]
      return (row + Int(name.rawValue)) % 9 == 8 ? nil : values[(row * 3 + Int(name.rawValue)) % values.count]
    }
    let single = QuoteColumns(days: [.earliest, "2005-10-14", .latest]) { row, name in name == .close ? 87.6 : nil }
    return [("BRK_A", nasty), (.fedEx, fedEx), ("LONGNAMEOFSTOCK1", single)]
  }()

  private static let later = QuoteColumns.sample(30, from: "2003-06-02", salt: 5)

  private static func period(_ rowCount: Int, _ generation: UInt64) -> StockQuotePeriod {
    StockQuotePeriod(
      ticker: .fedEx, firstDay: "2001-01-01", lastDay: "2002-02-22", rowCount: rowCount, source: "FDX.json",
      importedAt: Timestamp(secondsSince1970: 1_521_849_600), generation: generation)
  }

  private static func write(_ choice: EncodingChoice, to directory: String, in fileSystem: any FileSystem) throws {
    try commit(
      Dictionary(uniqueKeysWithValues: rows), to: directory, in: fileSystem, choice, periods: [period(300, 1)])
    try commit([.fedEx: later], to: directory, in: fileSystem, choice, periods: [period(30, 2)])
  }

  private static let expected: [TickerSymbol: [[UInt64]]] = {
    var content = Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1.cellBits) })
    content[.fedEx]? += later.cellBits
    return content
  }()

  @Test func a_store_of_version_1_is_read() throws {
    if TestSettings.variable("QUOIN_WRITE_FIXTURES") != nil, unsafe access(Self.fixture, F_OK) != 0 {
      try Self.write(EncodingChoice(), to: Self.fixture, in: SystemFiles())
      try SystemFiles().remove(Self.fixture + "/LOCK")
    }
    let store = try QuoteStore(at: Self.fixture, mustExist: true)
    #expect(try content(of: store) == Self.expected)
    #expect(store.generation == 2)
    #expect(try store.periods() == [Self.period(300, 1), Self.period(30, 2)])
    #expect(try store.verify().damages.isEmpty)
    #expect(try store.quotes(for: .fedEx).where(.range(.high, 80...81)).count() == 40)
    #expect(store.summary.byteCount < 20_000)
  }

  /// Every byte of the format, but those of which an encoder may choose others some day.
  @Test func a_store_is_written_as_it_always_was() throws {
    let disk = InMemoryFiles()
    try Self.write(EncodingChoice(encodings: [.plain], storages: [.raw]), to: "store", in: disk)
    let checksums = disk.content.filter { !$0.key.hasSuffix("LOCK") }.mapValues {
      String(Checksum(of: $0).value, radix: 16)
    }
    #expect(
      checksums == [
        "store/MANIFEST": "7295feac52c44c46", "store/00000001.columns": "dc2f142beb8a3848",
        "store/00000002.columns": "b9447451bbdbd935",
      ])
  }
}
