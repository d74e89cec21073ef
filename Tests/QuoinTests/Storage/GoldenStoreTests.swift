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
/// The fixtures were written by `QUOIN_WRITE_FIXTURES=1 swift test --filter GoldenStoreTests`. They are never written
/// again: another version of the format gets folders of its own beside them.
@Suite struct GoldenStoreTests {
  private static let fixtures: String = {
    let parts = #filePath.split(separator: "/").dropLast(2)
    return "/" + parts.joined(separator: "/") + "/Fixtures/"
  }()
  private static let fixture = fixtures + "store-2"
  /// A store that packs its blocks small.
  private static let smallFixture = fixtures + "store-2-small"
  /// A store with the extremes of ratios, of blocks in two files.
  private static let ratiosFixture = fixtures + "store-2-ratios"
  /// A store whose rows were replaced and deleted again and again.
  private static let changedFixture = fixtures + "store-2-changed"

  /// Rows of every encoding; computed without a random generator, so that they never change.
  private static let rows: [(TickerSymbol, QuoteColumns)] = {
    let fedEx = QuoteColumns.sample(300)
    let nasty = QuoteColumns(days: fedEx.days.prefix(40)) { row, name in
      if name == .volume { return row % 7 == 0 ? nil : Double(row) * 100 }
      if name == .adjustedVolume { return Double(1 << (row % 33)) + (row % 4 == 1 ? 0.5 : 0) }
      let values = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3, 86.9]
      return (row + Int(name.rawValue)) % 9 == 8 ? nil : values[(row * 3 + Int(name.rawValue)) % values.count]
    }
    let single = QuoteColumns(days: [.earliest, "2005-10-14", .latest]) { row, name in name == .close ? 87.6 : nil }
    return [("BRK_A", nasty), (.fedEx, fedEx), ("^A_LONG-NAME.OF=32_CHARACTERS:+X", single)]
  }()

  private static let later = QuoteColumns.sample(30, from: "2003-06-02", salt: 5)

  private static func record(
    _ rowCount: Int, _ generation: UInt64, of ticker: TickerSymbol = .fedEx
  ) -> ImportRecord {
    ImportRecord(
      ticker: ticker, firstDay: "2001-01-01", lastDay: "2002-02-22", rowCount: rowCount, source: "FDX.json",
      importedAt: CommitTime(secondsSince1970: 1_521_849_600), generation: generation)
  }

  private static func write(
    _ choice: EncodingChoice, to directory: String, in fileSystem: any FileSystem, hasRecords: Bool = true
  ) throws {
    let (first, second) = hasRecords ? ([record(300, 1)], [record(30, 2)]) : ([], [])
    try commit(Dictionary(uniqueKeysWithValues: rows), to: directory, in: fileSystem, choice, importRecords: first)
    try commit([.fedEx: later], to: directory, in: fileSystem, choice, importRecords: second)
  }

  private static let expected: [TickerSymbol: [[UInt64]]] = {
    var content = Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1.cellBits) })
    content[.fedEx]? += later.cellBits
    return content
  }()

  /// Writes a fixture, when that is asked for and it is not there.
  private func write(_ fixture: String, _ body: (any FileSystem) throws -> Void) throws {
    guard TestSettings.variable("QUOIN_WRITE_FIXTURES") != nil, unsafe access(fixture, F_OK) != 0 else { return }
    try body(SystemFiles())
    try SystemFiles().remove(fixture + "/LOCK")
  }

  @Test func a_store_of_version_2_is_read() throws {
    try write(Self.fixture) { try Self.write(EncodingChoice(), to: Self.fixture, in: $0) }
    let store = try QuoteStore(at: Self.fixture, mustExist: true)
    #expect(try content(of: store) == Self.expected)
    #expect(store.generation == 2)
    #expect(try store.importRecords() == [Self.record(300, 1), Self.record(30, 2)])
    #expect(try store.verify().damages.isEmpty)
    #expect(try store.quotes(for: .fedEx).where(.range(.high, 80...81)).count() == 40)
    #expect(store.summary.byteCount < 20_000)
  }

  /// Scaled blocks of every width, which are compressed where they can be; cells that come again and again; cells that
  /// are all missing.
  private static let wide = QuoteColumns(days: QuoteColumns.sample(128).days) { row, name in
    switch name {
    case .open: 86.9
    case .high: Double(8690 + row * 37 % 251) / 100
    case .low: Double(8690 + row * row * 31 % 60_000) / 100
    case .close: Double(8690 + row * row * 7919 % 16_000_000) / 100
    case .volume: Double(row * row * row * 104_729 % 4_000_000_000)
    case .adjustedOpen: Double(row / 32 * 7_000_003) / 100
    case .adjustedHigh: nil
    case .adjustedLow: row % 30 == 0 ? Double(row) + 1.0 / 3 : Double(8690 + row * 37 % 251) / 100
    default: Double(row % 4)
    }
  }

  /// Cells without an order, of which each takes some bits more than a byte.
  private static let noise = QuoteColumns(days: QuoteColumns.sample(200).days) { row, name in
    Double(8690 + (row + Int(name.rawValue)) * row * 7919 % 1009) / (name.isInteger ? 1 : 100)
  }

  @Test func a_store_of_version_2_that_packs_small_is_read() throws {
    try write(Self.smallFixture) { files in
      try Self.write(EncodingChoice(.small), to: Self.smallFixture, in: files)
      try commit(["NOISE": Self.noise, "WIDE": Self.wide], to: Self.smallFixture, in: files, EncodingChoice(.small))
      try QuoteStore(at: Self.smallFixture, in: files).setPacking(.small)
    }
    let store = try QuoteStore(at: Self.smallFixture, mustExist: true)
    let more = ["NOISE": Self.noise.cellBits, "WIDE": Self.wide.cellBits] as [TickerSymbol: [[UInt64]]]
    #expect(try content(of: store) == Self.expected.merging(more) { $1 })
    #expect(store.packing == .small && store.generation == 4)
    #expect(try store.quotes(for: .fedEx).where(.range(.high, 80...81)).count() == 40)
    #expect(try store.verify().damages.isEmpty)
  }

  @Test func a_store_of_version_2_with_a_history_is_read() throws {
    let (fedEx, other, large) = (QuoteColumns.sample(300), QuoteColumns.sample(200, salt: 1), QuoteColumns.sample(700))
    let (replacing, record) = (QuoteColumns.sample(20, from: "2001-03-05", salt: 8), Self.record(128, 7, of: "WIDE"))
    try write(Self.changedFixture) { files in
      try commit([.fedEx: fedEx, "AAPL": other, "GONE": .sample(50), "KO": large], to: Self.changedFixture, in: files)
      let store = try QuoteStore(at: Self.changedFixture, in: files)
      try store.delete("GONE")
      try store.keepSnapshot(named: "with-AAPL")
      try store.keepRecentGenerations(2)
      try store.delete("AAPL", dates: other.days[60]...other.days[79])
      try commit([.fedEx: replacing], to: Self.changedFixture, in: files)
      let choice = EncodingChoice(encodings: [.scaled, .plain], storages: [.raw, .lz4])
      try commit(["WIDE": Self.wide], to: Self.changedFixture, in: files, choice, importRecords: [record])
    }
    let store = try QuoteStore(at: Self.changedFixture, mustExist: true)
    let replaced = Set(replacing.days)
    var changed = fedEx.gathered(fedEx.days.indices.filter { !replaced.contains(fedEx.days[$0]) })
    changed.append(replacing)
    #expect(replacing.days.allSatisfy(Set(fedEx.days).contains))
    let expected: [TickerSymbol: [[UInt64]]] = [
      .fedEx: changed.sortedByDay.cellBits, "AAPL": Array(other.cellBits[..<60] + other.cellBits[80...]),
      "KO": large.cellBits, "WIDE": Self.wide.cellBits,
    ]
    #expect(try content(of: store) == expected)
    #expect(store.generation == 7 && store.summary.fileCount > 1)
    #expect(try store.importRecords() == [record])
    let kept = try #require(try store.snapshot(named: "with-AAPL"))
    #expect(try content(of: kept) == [.fedEx: fedEx.cellBits, "AAPL": other.cellBits, "KO": large.cellBits])
    #expect(store.snapshots.map { "\($0.generation) \($0.name ?? "-")" } == ["2 with-AAPL", "5 -", "6 -"])
    let isKept = try (2...8).map { try store.snapshot(ofGeneration: $0) != nil }
    #expect(isKept == [true, false, false, true, true, true, false])
    #expect(try store.verify().damages.isEmpty)
    let blockCount = try store.snapshot.soundFiles().reduce(0) { $0 + $1.blockCount }
    #expect(blockCount > store.summary.blockCount, "no block of replaced rows is left")
  }

  /// What the fixtures have to have in them for their reading to mean something.
  @Test func the_stores_of_version_2_have_every_form_of_block() throws {
    var forms: Set<String> = []
    var (widths, patches, stretches) = (Set<Int>(), 0, 0)
    var (present, missing): (Set<ColumnSection>, Set<ColumnSection>) = ([], [])
    for path in [Self.fixture, Self.changedFixture, Self.smallFixture] {
      for file in try QuoteStore(at: path, mustExist: true).snapshot.soundFiles() {
        for section in ColumnSection.all {
          let directory = try file.directory(section)
          for index in 0..<file.blockCount {
            let header = try file.block(index, section, directory).header
            forms.insert("\(header.encoding) \(header.storage)")
            if header.encoding == .scaled { widths.insert(header.width) }
            patches = max(patches, header.patchCount)
            stretches = max(stretches, header.encoding == .derived ? header.listCount : 0)
            if directory.missingCount(index) > 0 { missing.insert(section) }
            if directory.missingCount(index) < header.rowCount { present.insert(section) }
          }
        }
      }
    }
    #expect(
      forms == [
        "constant raw", "scaled raw", "scaled lz4", "scaled lz4Planes", "plain raw", "plain lz4", "plain lz4Planes",
        "daySet raw", "derived raw", "scaled bits", "scaled differenceBits",
      ], "\(forms)")
    #expect(widths.isSuperset(of: 1...4) && patches > 1 && stretches > 1, "\(widths) \(patches) \(stretches)")
    #expect(present == Set(ColumnSection.all) && missing == Set(ColumnSection.all.dropFirst()))
  }

  /// Version 1 was never released.
  @Test func a_store_of_version_1_is_refused() {
    let path = Self.fixtures + "store-1"
    #expect(throws: StoreError.unsupportedVersion(path: "\(path)/MANIFEST", found: 1, supported: 2)) {
      try QuoteStore(at: path, mustExist: true)
    }
  }

  /// Rows of which some volumes have fractions: a file of whole ones, then one of float64s.
  private static let fractions: QuoteColumns = {
    var rows = QuoteColumns.sample(60, from: "2003-06-02", salt: 3).withFractions(0..<60)
    let third = 1.0 / 3
    let volumes: [Double] = [0.25, .leastNonzeroMagnitude, 1e308, third, 98_811_715.138055, 7, .nan]
    for row in 0..<60 { rows[column: .volume].doubles[row] = volumes[row % 7] }
    return rows
  }()

  @Test func a_store_of_version_2_with_a_file_of_version_3_is_read() throws {
    let path = Self.fixtures + "store-2-fractions"
    try write(path) { files in
      try commit(["WIDE": Self.wide, .fedEx: .sample(300)], to: path, in: files)
      try commit(["BTC": Self.fractions], to: path, in: files)
    }
    let store = try QuoteStore(at: path, mustExist: true)
    #expect(store.hasFractionalVolumes && store.summary.fileCount == 2)
    #expect(try store.quotes(for: "BTC").fetchColumns().columns.cellBits == Self.fractions.cellBits)
    #expect(
      try store.quotes(for: .fedEx).fetchColumns().columns.cellBits
        == QuoteColumns.sample(300).withFractions(0..<300).cellBits)
    #expect(try store.verify().damages.isEmpty)
  }

  /// The records of three imports of which the first brought both tickers: of files in their own words, of one moment and another.
  private static let records = [
    ImportRecord(
      ticker: "AAPL", firstDay: "2001-01-01", lastDay: "2001-10-05", rowCount: 200, source: "prices.csv",
      importedAt: CommitTime(secondsSince1970: 1_700_000_000), generation: 1),
    ImportRecord(
      ticker: .fedEx, firstDay: "2001-01-01", lastDay: "2002-02-22", rowCount: 300, source: "prices.csv",
      importedAt: CommitTime(secondsSince1970: 1_700_000_000), generation: 1),
    ImportRecord(
      ticker: .fedEx, firstDay: "2002-02-25", lastDay: "2002-02-25", rowCount: 1, source: "späte.csv",
      importedAt: CommitTime(secondsSince1970: 1_700_086_400), generation: 1),
    ImportRecord(
      ticker: .fedEx, firstDay: "2003-06-02", lastDay: "2003-07-11", rowCount: 30, source: "prices.csv",
      importedAt: CommitTime(secondsSince1970: -86_400), generation: 2),
  ]

  /// Rows of an import, and of days since of which a feed brought five values each.
  private static let fed: QuoteColumns = {
    let rows = QuoteColumns.sample(300, salt: 2)
    return QuoteColumns(days: rows.days) { row, name in
      let isMissing = row >= 200 && ![.open, .high, .low, .close, .volume].contains(name)
      return isMissing
        ? nil : name.isInteger ? Double(rows[column: name].integers[row]) : rows[column: name].doubles[row]
    }
  }()

  @Test func a_store_of_version_2_with_files_of_version_4_is_read() throws {
    let path = Self.fixtures + "store-2-records"
    try write(path) { files in
      let rows: [TickerSymbol: QuoteColumns] = ["AAPL": .sample(200, salt: 1), .fedEx: .sample(300), "FEED": Self.fed]
      try commit(rows, to: path, in: files, importRecords: Array(Self.records[..<3]))
      try commit([.fedEx: Self.later], to: path, in: files, importRecords: [Self.records[3]])
    }
    let store = try QuoteStore(at: path, mustExist: true)
    #expect(try store.importRecords() == Self.records && store.summary.fileCount == 2)
    #expect(try store.quotes(for: "FEED").fetchColumns().columns.cellBits == Self.fed.cellBits)
    let forms = Set(try store.encodingSummaries().map { "\($0.column) \($0.encoding)" })
    #expect(forms.isSuperset(of: ["split_ratio runs", "adj_close derived"]), "\(forms)")
    #expect(
      try store.quotes(for: .fedEx).fetchColumns().columns.cellBits
        == QuoteColumns.sample(300).cellBits + Self.later.cellBits)
    #expect(try store.verify().damages.isEmpty)
  }

  @Test func a_store_with_the_extremes_of_ratios_is_read() throws {
    try write(Self.ratiosFixture) { try Self.write(EncodingChoice(), to: Self.ratiosFixture, in: $0) }
    let store = try QuoteStore(at: Self.ratiosFixture, mustExist: true)
    #expect(try content(of: store) == Self.expected)
    #expect(try store.verify().damages.isEmpty)
    let fedEx = store.quotes(for: .fedEx)
    let rows = try fedEx.fetchColumns().columns
    let ratios = zip(rows.doubles(.close), rows.doubles(.open)).map { $0 / $1 }.sorted()
    let middle = ratios[ratios.count / 2]
    for (number, count) in [(middle, ratios.count { $0 > middle }), (ratios[ratios.count - 1] * 1.1, 0)] {
      let report = try fedEx.where(Quoin.Predicate(parsing: "close / open > \(number)")).explain()
      #expect(report.rowCount == count && report.prunedBlockCount == (count == 0 ? report.blockCount : 0))
    }
  }

  @Test func a_store_without_the_extremes_of_ratios_gets_them_by_a_compaction() throws {
    let (files, disk) = (SystemFiles(), InMemoryFiles())
    disk.makeDirectory("store")
    for name in try files.names(in: Self.fixture) {
      disk.place(try files.map(Self.fixture + "/" + name), at: "store/" + name)
    }
    let store = try QuoteStore(at: "store", in: disk)
    let rows = try store.quotes(for: .fedEx).fetchColumns().columns
    let most = zip(rows.doubles(.close), rows.doubles(.open)).map { $0 / $1 }.max() ?? 0
    let none = try Quoin.Predicate(parsing: "close / open > \(most * 1.01)")
    #expect(try store.quotes(for: .fedEx).where(none).explain().prunedBlockCount == 0)
    try store.compact()
    let report = try store.quotes(for: .fedEx).where(none).explain()
    #expect(report.rowCount == 0 && report.prunedBlockCount == report.blockCount, "\(report)")
    #expect(try store.verify().damages.isEmpty)
  }

  /// Stores that a later version might write: one whose manifest is of another version, and one that has such a column file.
  /// The tests of the command line have every command that writes meet them.
  @Test func stores_of_later_versions_are_refused() throws {
    for (name, changed, version, newest) in [
      ("store-3-manifest", "MANIFEST", 3, 2), ("store-5-columns", "00000002.columns", 5, 4),
    ] as [(String, String, UInt8, UInt32)] {
      let path = Self.fixtures + name
      try write(path) { files in
        try Self.write(EncodingChoice(), to: path, in: files)
        let mapping = try files.map(path + "/" + changed)
        var bytes = mapping.view.array
        bytes.becomeVersion(version)
        try files.remove(path + "/" + changed)
        try files.writeFile(path + "/" + changed, [bytes])
      }
      #expect(
        throws: StoreError.unsupportedVersion(path: "\(path)/\(changed)", found: UInt32(version), supported: newest)
      ) {
        try QuoteStore(at: path)
      }
    }
  }

  /// Every byte of the format, but those of which an encoder, or a version of LZ4, may choose others some day.
  @Test func a_store_is_written_as_it_always_was() throws {
    let disk = InMemoryFiles()
    try Self.write(EncodingChoice(encodings: [.plain], storages: [.raw]), to: "store", in: disk, hasRecords: false)
    let checksums = disk.content.filter { !$0.key.hasSuffix("LOCK") }.mapValues {
      String(Checksum(of: $0).value, radix: 16)
    }
    #expect(
      checksums == [
        "store/MANIFEST": "513f354778a709cc", "store/1.manifest": "16f50b434eeebb90",
        "store/00000001.columns": "cd94195f5ad9a6bc", "store/00000002.columns": "51ac64d295860d93",
      ])
  }
}
