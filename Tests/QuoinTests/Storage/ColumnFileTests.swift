import Testing

@testable import Quoin

@Suite struct ColumnFileTests {
  static let record = ImportRecord(
    ticker: "FDX", firstDay: "2001-01-01", lastDay: "2004-12-31", rowCount: 1043, source: "Ä file.csv",
    importedAt: CommitTime(secondsSince1970: 1_500_000_000), generation: 3)

  private static func builder(_ rows: [(TickerSymbol, QuoteColumns)]) -> ColumnFileBuilder {
    var builder = ColumnFileBuilder(EncodingChoice())
    for (ticker, rows) in rows {
      for start in stride(from: 0, to: rows.rowCount, by: Limits.rowsPerBlock) {
        try! builder.append(rows, rows: start..<min(start + Limits.rowsPerBlock, rows.rowCount), of: ticker)
      }
    }
    builder.importRecords = [record]
    builder.finishEncoding()
    return builder
  }

  private static func file(
    _ builder: borrowing ColumnFileBuilder, on disk: InMemoryFiles = InMemoryFiles()
  ) throws -> ColumnFile {
    disk["F"] = builder.parts(fileID: 5).flatMap { $0 }
    return try ColumnFile("F", in: disk)
  }

  @Test func rows_come_back() throws {
    let (first, second) = (QuoteColumns.sample(2500), QuoteColumns.sample(1, salt: 3))
    let file = try Self.file(Self.builder([("BRK_A", first), ("FDX", second)]))
    #expect(file.id == 5)
    #expect((0..<file.blockCount).map(file.rowCount) == [1024, 1024, 452, 1])
    var back = QuoteColumns()
    for block in 0..<3 { try file.appendRows(ofBlock: block, to: &back, BlockScratch()) }
    #expect(back.cellBits == first.cellBits)
    var some = QuoteColumns(attributes: [.volume, .adjustedLow])
    try file.appendRows(ofBlock: 3, to: &some, BlockScratch())
    #expect(some[.volume] == second[.volume] && some[.high].isEmpty)
    #expect(try file.days(ofBlock: 0) == first.days[0]...first.days[1023])
    #expect(try file.runs().map(\.ticker) == ["BRK_A", "FDX"])
    #expect(try file.runs().map(\.blockCount) == [3, 1])
    #expect(try file.importRecords() == [Self.record])
  }

  @Test func a_file_without_rows_keeps_the_records_of_imports() throws {
    let file = try Self.file(Self.builder([]))
    #expect(file.blockCount == 0)
    #expect(try file.importRecords() == [Self.record])
  }

  @Test func blocks_of_another_file_are_taken_over_as_they_are() throws {
    let disk = InMemoryFiles()
    let old = try Self.file(Self.builder([("FDX", .sample(1500))]), on: disk)
    var builder = ColumnFileBuilder(EncodingChoice())
    try builder.append(block: 1, of: old, ticker: "FDX")
    let new = try Self.file(builder, on: disk)
    var (a, b) = (QuoteColumns(), QuoteColumns())
    try old.appendRows(ofBlock: 1, to: &a, BlockScratch())
    try new.appendRows(ofBlock: 0, to: &b, BlockScratch())
    #expect(a.cellBits == b.cellBits)
  }

  @Test func all_parts_begin_at_multiples_of_8_bytes() throws {
    for count in [1, 3, 1024, 1025] {
      let file = try Self.file(Self.builder([("FDX", .sample(count))]))
      let columns = file.header.columns
      for extent in [file.header.blockTable, file.header.recordTable] + columns.map(\.directory) + columns.map(\.blocks)
      {
        #expect(extent.offset % 8 == 0)
      }
      #expect(file.byteCount % 8 == 0)
    }
  }

  /// Codecs read words at aligned addresses.
  @Test func a_header_with_a_part_between_multiples_of_8_bytes_is_refused() throws {
    let sound = Self.builder([("FDX", .sample(30))]).parts(fileID: 5).flatMap { $0 }
    for section in 0..<ColumnSection.count {
      for shift in [1, 2, 4] {
        var header = try Self.file(Self.builder([("FDX", .sample(30))])).header
        header.columns[section].blocks.offset -= shift
        let disk = InMemoryFiles()
        disk["F"] = header.bytes + sound.dropFirst(ColumnFileHeader.byteCount)
        #expect(throws: StoreError.self) { try ColumnFile("F", in: disk) }
      }
    }
  }

  // A file that a later version might write: with a column that this one doesn't know, without one that it knows, or with
  // further statistics.

  /// The file of `rows`, with its header changed.
  private static func changed(_ rows: QuoteColumns, on disk: InMemoryFiles, _ change: (inout ColumnFileHeader) -> Void)
    throws
  {
    let parts = Self.builder([("FDX", rows)]).parts(fileID: 5).flatMap { $0 }
    disk["F"] = parts
    let header = try ColumnFile("F", in: disk).header
    var changed = header
    change(&changed)
    let growth = changed.byteCount - header.byteCount
    changed.move(by: growth)
    disk["F"] = changed.bytes + parts.dropFirst(header.byteCount)
  }

  @Test func a_column_that_a_file_lacks_is_missing_in_its_rows() throws {
    let rows = QuoteColumns.sample(1500)
    for name in Attribute.allCases {
      let disk = InMemoryFiles()
      try Self.changed(rows, on: disk) { header in
        header.drop(.attribute(name))
        // Blocks that are computed from it can't be read without it, so they are not there either.
        for derived in Attribute.allCases where derived.derivationSource == name { header.drop(.attribute(derived)) }
      }
      let file = try ColumnFile("F", in: disk)
      file.verify(BlockScratch()) { Issue.record("\($0)") }
      #expect(!file.has(.attribute(name)))
      var back = QuoteColumns()
      for block in 0..<file.blockCount { try file.appendRows(ofBlock: block, to: &back, BlockScratch()) }
      let lacking = Attribute.allCases.filter { $0 == name || $0.derivationSource == name }
      var expected = rows
      for name in lacking { expected[column: name] = Column(missing: rows.rowCount, of: name) }
      #expect(back.cellBits == expected.cellBits, "without \(name)")
      #expect(try file.directory(.attribute(name)).missingCount(1) == 476)
    }
  }

  @Test func a_file_with_an_unknown_column_is_read_and_not_written() throws {
    let rows = QuoteColumns.sample(1500)
    let disk = InMemoryFiles()
    try Self.changed(rows, on: disk) { header in
      var column = header.columns[3]
      (column.name, column.kind, column.source) = ("vwap", 7, 99)
      header.columns.append(column)
      header.statistics.append(StoredStatistics("volume/shares", column.directory))
    }
    let file = try ColumnFile("F", in: disk)
    file.verify(BlockScratch()) { Issue.record("\($0)") }
    var back = QuoteColumns()
    for block in 0..<file.blockCount { try file.appendRows(ofBlock: block, to: &back, BlockScratch()) }
    #expect(back.cellBits == rows.cellBits)
    #expect(file.unknownColumnError == .unsupported(path: "F", feature: "the column vwap"))
    #expect(throws: StoreError.unsupported(path: "F", feature: "the column vwap")) {
      try Snapshot(files: [.success(file)]).soundFiles()
    }
  }

  @Test func an_unknown_column_is_verified_too() throws {
    let disk = InMemoryFiles()
    try Self.changed(.sample(1500), on: disk) { header in header.columns[6].name = "vwap" }
    let start = try ColumnFile("F", in: disk).header.columns[6].blocks.offset
    disk["F"]?[start + 10] ^= 1
    var found: [StoreError] = []
    try ColumnFile("F", in: disk).verify(BlockScratch()) { found.append($0) }
    #expect(found.contains { "\($0)".contains("block 0 (vwap)") }, "\(found)")
  }

  @Test func a_column_of_another_kind_or_source_or_twice_is_refused() throws {
    let changes: [(inout ColumnFileHeader) -> Void] = [
      { $0.columns[2].kind = 2 }, { $0.columns[9].source = 3 }, { $0.columns[9].source = 99 },
      { $0.columns.append($0.columns[4]) }, { $0.drop(.date) }, { $0.columns[1].directory.byteCount -= 8 },
    ]
    for change in changes {
      let disk = InMemoryFiles()
      try Self.changed(.sample(30), on: disk, change)
      #expect(throws: StoreError.self) { try ColumnFile("F", in: disk) }
    }
  }

  /// Only the block is refused, and as something unknown, not as damage.
  @Test func a_block_of_an_unknown_encoding_is_refused_alone() throws {
    let disk = InMemoryFiles()
    disk["F"] = Self.builder([("FDX", .sample(1500))]).parts(fileID: 5).flatMap { $0 }
    let section = ColumnSection.attribute(.low)
    let file = try ColumnFile("F", in: disk)
    let directory = try file.directory(section)
    let start = file.offset(1, section, directory)
    var block = file.blockBytes(1, section, directory).array
    block[0] = 77
    var entries = (0..<2).map(directory.entry)
    entries[1].checksum = Checksum(of: block)
    let changed = SectionDirectory.bytes(of: entries, hasSums: true)
    var header = file.header
    header.columns[section.index].directory.checksum = Checksum(of: changed).value
    disk["F"]?.overwrite(from: start, with: block)
    disk["F"]?.overwrite(from: header.columns[section.index].directory.offset, with: changed)
    disk["F"]?.overwrite(from: 0, with: header.bytes)
    let newer = try ColumnFile("F", in: disk)
    var rows = QuoteColumns()
    try newer.appendRows(ofBlock: 0, to: &rows, BlockScratch())
    #expect(rows.rowCount == 1024)
    let unknown = StoreError.unsupported(path: "F", feature: "the block encoding 77 at byte \(start)")
    #expect(throws: unknown) { try newer.appendRows(ofBlock: 1, to: &rows, BlockScratch()) }
    var found: [StoreError] = []
    newer.verify(BlockScratch()) { found.append($0) }
    #expect(Set(found) == [unknown])
  }

  @Test func a_sound_file_is_verified_without_a_word() throws {
    let file = try Self.file(Self.builder([("FDX", .sample(1500))]))
    file.verify(BlockScratch()) { Issue.record("\($0)") }
  }

  /// Forged counts and extents in a header whose checksum is right.
  @Test func no_count_is_believed() throws {
    let before = TestSettings.peakVirtualByteCount
    let sound = Self.builder([("FDX", .sample(30)), ("A", .sample(3))]).parts(fileID: 5).flatMap { $0 }
    var refused = 0
    for offset in stride(from: 24, to: ColumnFileHeader.byteCount - 8, by: 4) {
      for value in [0, 3, 2048, 2049, 1 << 20, .max / 2, .max] as [UInt32] {
        var forged = sound
        for (index, byte) in (0..<4).map({ (offset + $0, UInt8(truncatingIfNeeded: value >> UInt32(8 * $0))) }) {
          forged[index] = byte
        }
        var checksum: [UInt8] = []
        let end = ColumnFileHeader.byteCount - 8
        checksum.append(littleEndian: Checksum(of: Array(forged[..<end])).value)
        forged.replaceSubrange(end..<(end + 8), with: checksum)
        let disk = InMemoryFiles()
        disk["F"] = forged
        do throws(StoreError) {
          let file = try ColumnFile("F", in: disk)
          var isDamaged = false
          file.verify(BlockScratch()) { _ in isDamaged = true }
          if isDamaged { refused += 1 }
        } catch { refused += 1 }
      }
    }
    // The records of imports, of which one says that there are four billion.
    var forged = sound
    let table = try Self.file(Self.builder([("FDX", .sample(30)), ("A", .sample(3))])).header.recordTable
    forged.replaceSubrange(table.offset..<(table.offset + 4), with: [255, 255, 255, 255])
    #expect(throws: Damage.self) {
      unsafe try forged.withUnsafeBytes {
        unsafe try ImportRecordTable.forEach(inUnpacked: ByteView($0).slice(table.offset..<$0.count)) { _ in }
      }
    }
    #expect(refused > 500)
    #expect(TestSettings.peakVirtualByteCount - before < 2 * Limits.manifestByteCount)
  }

  @Test func a_long_source_is_cut() throws {
    var builder = Self.builder([])
    builder.importRecords = [
      ImportRecord(
        ticker: "FDX", firstDay: .earliest, lastDay: .latest, rowCount: 1 << 32,
        source: String(repeating: "é", count: 600),
        importedAt: CommitTime(secondsSince1970: -62_135_596_800), generation: .max)
    ]
    let record = try #require(try Self.file(builder).importRecords().first)
    #expect(record.source == String(repeating: "é", count: 512))
    #expect(record.rowCount == 1 << 32 && record.generation == .max && record.importedAt.day == .earliest)
  }

  /// 1,024 bytes may end inside a character.
  @Test func a_source_is_cut_between_characters() throws {
    var builder = Self.builder([])
    builder.importRecords = [
      ImportRecord(
        ticker: "FDX", firstDay: .earliest, lastDay: .latest, rowCount: 1,
        source: "x" + String(repeating: "é", count: 600), importedAt: CommitTime(secondsSince1970: 0),
        generation: 1)
    ]
    #expect(try Self.file(builder).importRecords().first?.source == "x" + String(repeating: "é", count: 511))
  }

  /// A negative row count ended the process of whoever wrote the record again.
  @Test func a_record_with_an_impossible_number_is_damaged() throws {
    let record = ImportRecord(
      ticker: "FDX", firstDay: "2001-01-02", lastDay: "2001-01-05", rowCount: 4, source: "here",
      importedAt: CommitTime(secondsSince1970: 1_500_000_000), generation: 3)
    let bytes = record.unpackedTable
    func decoded(_ offset: Int, _ value: some FixedWidthInteger & BitwiseCopyable) throws -> [ImportRecord] {
      var forged: [UInt8] = []
      forged.append(littleEndian: value)
      forged = bytes.replacing(offset, with: forged)
      var records: [ImportRecord] = []
      try forged.withView { try ImportRecordTable.forEach(inUnpacked: $0) { records.append($0) } }
      return records
    }
    #expect(try decoded(44, 4 as UInt64) == [record])
    for rowCount in [.max, 1 << 63, 1 << 40, 1 << 32 + 1] as [UInt64] {
      #expect(throws: Damage(offset: 36, "an impossible record of an import of FDX")) { try decoded(44, rowCount) }
    }
    // The first day after the last one.
    #expect(throws: Damage(offset: 36, "an impossible record of an import of FDX")) { try decoded(36, 20_000 as Int32) }
    for moment in [.max, .min, 1 << 50] as [Int64] {
      let damage = Damage(offset: 52, "\(moment) seconds since 1970 aren't in the calendar")
      #expect(throws: damage) { try decoded(52, moment) }
    }
  }
}

extension ImportRecord {
  /// The bytes of a table of this record alone in a file of version 2 or 3.
  fileprivate var unpackedTable: [UInt8] {
    var bytes: [UInt8] = [1, 0, 0, 0]
    ticker.append(to: &bytes)
    for day in [firstDay, lastDay] { bytes.append(littleEndian: day.daysSince1970) }
    bytes.append(littleEndian: UInt64(rowCount))
    bytes.append(littleEndian: importedAt.secondsSince1970)
    bytes.append(littleEndian: generation)
    bytes.append(littleEndian: UInt16(source.utf8.count))
    return bytes + Array(source.utf8)
  }
}

extension ColumnFileHeader {
  /// Leaves a column out.
  fileprivate mutating func drop(_ section: ColumnSection) {
    guard let place = columns.firstIndex(where: { $0.name == section.description }) else { return }
    columns.remove(at: place)
    let ratios = BlockRatio.all.filter { [$0.over, $0.under].map(ColumnSection.attribute).contains(section) }
    statistics.removeAll { statistics in ratios.contains { $0.name == statistics.name } }
    for index in columns.indices {
      if columns[index].source == place { columns[index].source = nil }
      if let source = columns[index].source, source > place, source < 20 { columns[index].source = source - 1 }
    }
  }

  /// Moves all parts.
  fileprivate mutating func move(by byteCount: Int) {
    blockTable.offset += byteCount
    recordTable.offset += byteCount
    for index in columns.indices {
      columns[index].directory.offset += byteCount
      columns[index].blocks.offset += byteCount
    }
    for index in statistics.indices { statistics[index].extent.offset += byteCount }
  }
}
