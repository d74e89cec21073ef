import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Damage is an error that names the file and the offset, never a wrong row.
@Suite struct DamagedStoreTests {
  private static let manifest = "store/MANIFEST"
  private static let first = "store/00000001.columns"
  private static let second = "store/00000002.columns"

  /// A store of two files.
  private static func disk() throws -> InMemoryFiles {
    let disk = InMemoryFiles()
    let record = ColumnFileTests.record
    try commit(
      ["FDX": .sample(40), "A": .sample(5, salt: 1)], to: "store", in: disk, importRecords: [record], keepingRecent: 0)
    try commit(["FDX": .sample(3, from: "2011-01-03")], to: "store", in: disk, keepingRecent: 0)
    #expect(Set(disk.content.keys) == [manifest, first, second, "store/LOCK"])
    return disk
  }

  /// What whoever wants all rows is told.
  private func refusal(_ disk: InMemoryFiles) -> StoreError? {
    do {
      _ = try QuoteStore(at: "store", in: disk).allQuotes.count()
      return nil
    } catch {
      return error
    }
  }

  /// The same after `change` was done to a file's bytes.
  private func refusal(_ path: String, _ change: (inout [UInt8]) -> Void) throws -> StoreError? {
    let disk = try Self.disk()
    var bytes = try #require(disk[path])
    change(&bytes)
    disk[path] = bytes
    return refusal(disk)
  }

  @Test func a_sound_store_opens() throws { #expect(try refusal(Self.disk()) == nil) }

  @Test func a_manifest_that_is_none() throws {
    #expect(
      try refusal(Self.manifest) { $0 = [] }
        == .damaged(path: Self.manifest, offset: 0, reason: "8 bytes wanted, 0 left"))
    #expect(
      try refusal(Self.manifest) { $0 = Array("hello, world".utf8) }
        == .damaged(path: Self.manifest, offset: 0, reason: "it doesn't begin with QUOINMAN"))
    #expect(
      try refusal(Self.manifest) { $0.removeLast() }
        == .damaged(path: Self.manifest, offset: 0, reason: "the manifest's checksum differs"))
    #expect(
      try refusal(Self.manifest) { $0 = Array($0.prefix(12)) }
        == .damaged(path: Self.manifest, offset: 0, reason: "the manifest's checksum differs"))
    #expect(
      try refusal(Self.manifest) { $0[60] ^= 4 }
        == .damaged(path: Self.manifest, offset: 0, reason: "the manifest's checksum differs"))
  }

  @Test func a_manifest_of_another_store() throws {
    let (disk, other) = (try Self.disk(), InMemoryFiles())
    try commit(["FDX": .sample(40, salt: 9)], to: "store", in: other)
    disk[Self.manifest] = other[Self.manifest]
    #expect(
      refusal(disk) == .damaged(path: Self.first, offset: 0, reason: "this is not the file that the manifest names"))
  }

  /// A file of the same number and size, whose own checksums are right.
  @Test func a_column_file_of_another_store() throws {
    let disk = try Self.disk()
    let record = ImportRecord(
      ticker: "FDX", firstDay: "2001-01-01", lastDay: "2004-12-31", rowCount: 1043, source: "Ö file.csv",
      importedAt: CommitTime(secondsSince1970: 1_500_000_000), generation: 3)
    let other = InMemoryFiles()
    try commit(["FDX": .sample(40), "A": .sample(5, salt: 1)], to: "store", in: other, importRecords: [record])
    #expect(other[Self.first]?.count == disk[Self.first]?.count)
    disk[Self.first] = other[Self.first]
    #expect(
      refusal(disk) == .damaged(path: Self.first, offset: 0, reason: "this is not the file that the manifest names"))
  }

  @Test func an_unknown_version_is_refused_in_plain_words() throws {
    for (path, newest) in [(Self.manifest, 2), (Self.first, 4)] as [(String, UInt32)] {
      let disk = try Self.disk().changing(path) { $0.becomeVersion(5) }
      let expected = StoreError.unsupportedVersion(path: path, found: 5, supported: newest)
      #expect(refusal(disk) == expected)
      #expect(throws: expected) { try QuoteStore.verify("store", in: disk) }
      #expect(throws: expected) { try QuoteStore.repair("store", into: "new", in: disk) }
      #expect(
        expected.description
          == "'\(path)' has format version 5, and this version of Quoin reads \(newest); use a newer one")
    }
  }

  /// Neither by a store that is opened then, which is refused, nor by one that was opened before a newer program wrote.
  @Test func an_unknown_version_is_never_written_to() throws {
    for isManifest in [true, false] {
      let disk = try Self.disk()
      let store = try QuoteStore(at: "store", in: disk)
      try QuoteStore(at: "store", in: disk).upsert(["NEW": .sample(1)])
      let newest = try #require(disk.content.keys.filter { $0.hasSuffix(".columns") }.max())
      #expect(store.snapshot.manifest.files.allSatisfy { !newest.hasSuffix($0.name) })
      let path = isManifest ? Self.manifest : newest
      disk[path]?.becomeVersion(9)
      let before = disk.content.filter { !$0.key.hasSuffix("LOCK") }
      let expected = StoreError.unsupportedVersion(path: path, found: 9, supported: isManifest ? 2 : 4)
      #expect(throws: expected) { try store.upsert(["FDX": .sample(1)]) }
      #expect(throws: expected) { try store.deleteAll() }
      #expect(throws: expected) { try store.delete(where: .isMissing(.open)) }
      #expect(throws: expected) { try store.compact() }
      #expect(throws: expected) { try store.refresh() }
      #expect(disk.content.filter { !$0.key.hasSuffix("LOCK") } == before)
    }
  }

  /// The checksum says which version wrote the rest.
  @Test func a_damaged_version_is_damage_and_no_other_version() throws {
    for (path, version) in [(Self.manifest, 2), (Self.first, 4)] as [(String, UInt8)] {
      for changed in [0, 3, 8] as [UInt8] {
        #expect(
          try refusal(path) { $0[8] = changed }
            == .damaged(path: path, offset: 8, reason: "the format version is \(changed) in place of \(version)"))
      }
    }
  }

  @Test func a_column_file_that_is_none() throws {
    #expect(
      try refusal(Self.first) { $0 = [] } == .damaged(path: Self.first, offset: 0, reason: "8 bytes wanted, 0 left"))
    #expect(
      try refusal(Self.first) { $0[0] = 0 }
        == .damaged(path: Self.first, offset: 0, reason: "it doesn't begin with QUOINCOL"))
    #expect(
      try refusal(Self.first) { $0 = Array($0.prefix(ColumnFileHeader.byteCount - 1)) }
        == .damaged(
          path: Self.first, offset: 12,
          reason: "a header of \(ColumnFileHeader.byteCount) bytes"))
    #expect(
      try refusal(Self.first) { $0[100] ^= 1 }
        == .damaged(path: Self.first, offset: 0, reason: "the header's checksum differs"))
  }

  @Test func a_column_file_cut_short() throws {
    let error = try #require(try refusal(Self.first) { $0.removeLast(8) })
    guard case .damaged(Self.first, _, "a part reaches past the end of the file") = error else {
      Issue.record("\(error)")
      return
    }
    #expect(
      try refusal(Self.first) { $0.append(0) }
        == .damaged(path: Self.first, offset: 0, reason: "this is not the file that the manifest names"))
  }

  @Test func a_missing_column_file() throws {
    let disk = try Self.disk()
    disk[Self.second] = nil
    let damage = StoreError.damaged(path: Self.second, offset: 0, reason: "it is missing, and the manifest names it")
    #expect(refusal(disk) == damage)
    #expect(try QuoteStore.verify("store", in: disk).damages == [damage])
  }

  @Test func files_that_were_swapped() throws {
    let disk = try Self.disk()
    (disk[Self.first], disk[Self.second]) = (disk[Self.second], disk[Self.first])
    #expect(
      refusal(disk) == .damaged(path: Self.first, offset: 0, reason: "this is not the file that the manifest names"))
  }

  @Test func a_flipped_bit_in_each_part() throws {
    let disk = try Self.disk()
    let header = try ColumnFile(Self.first, in: disk).header
    #expect(
      try refusal(Self.first) { $0[header.blockTable.offset] ^= 1 }
        == .damaged(
          path: Self.first, offset: header.blockTable.offset,
          reason: "the checksum of the block table differs"))

    // What is read later is found later, and by verify.
    let low = ColumnSection.attribute(.low)
    let (directory, blocks) = (header.columns[low.index].directory, header.columns[low.index].blocks)
    let damages: [(offset: Int, error: StoreError)] = [
      (
        header.recordTable.offset + 6,
        .damaged(
          path: Self.first, offset: header.recordTable.offset,
          reason: "the checksum of the records of imports differs")
      ),
      (
        directory.offset + 3,
        .damaged(
          path: Self.first, offset: directory.offset,
          reason: "the checksum of the directory of low differs")
      ),
      (
        blocks.offset + 30,
        .damaged(
          path: Self.first, offset: blocks.offset,
          reason: "the checksum of block 0 (low of A) differs")
      ),
    ]
    for (offset, error) in damages {
      let damaged = InMemoryFiles(copying: disk)
      damaged[Self.first]?[offset] ^= 0x10
      let store = try QuoteStore(at: "store", in: damaged)
      #expect(try store.verify().damages == [error])
      switch offset {
      case header.recordTable.offset + 6: #expect(throws: error) { try store.importRecords() }
      default:
        #expect(throws: error) { try store.allQuotes.where(.range(.low, 80...90)).fetch() }
        // Only the rows of that column, and in a block only that block's, are lost.
        #expect(try store.allQuotes.selecting([]).fetchColumns().rowCount == 48)
        if offset > directory.offset + directory.byteCount {
          #expect(try store.quotes(for: "FDX").where(.range(.low, 80...90)).count() > 0)
        }
      }
    }
  }

  /// Whatever is wrong with a file as a whole: rows in the others can be read, and nothing can be written.
  @Test func a_file_that_can_not_be_opened_costs_only_its_own_tickers() throws {
    let sound = try Self.disk()
    try commit(["NEW": .sample(1)], to: "store", in: sound)
    let names = try QuoteStore(at: "store", in: sound).snapshot.manifest.files.map(\.name)
    #expect(names.count == 3)
    let third = "store/" + names[2]
    let changes: [(inout [UInt8]?) -> Void] = [
      { $0 = nil }, { $0 = [] }, { $0?[0] = 0 }, { $0?[8] = 7 }, { $0?[40] ^= 1 }, { $0?[720] ^= 1 },
      { $0?.removeLast(800) },
    ]
    for change in changes {
      let disk = InMemoryFiles(copying: sound)
      change(&disk[third])
      let before = disk.content
      let store = try QuoteStore(at: "store", in: disk)
      #expect(try store.quotes(for: "A").fetchColumns().columns.cellBits == QuoteColumns.sample(5, salt: 1).cellBits)
      let damages = try store.verify().damages
      let damage = try #require(damages.first)
      #expect(damages.count == 1 && damage.path == third)
      #expect(try store.quotes(for: "FDX").count() == 43)
      for tickers in [["NEW"], ["A", "NEW"]] as [[TickerSymbol]] {
        #expect(throws: damage) { try store.quotes(for: tickers).count() }
      }
      #expect(throws: damage) { try store.allQuotes.aggregate(.high) }
      #expect(throws: damage) { try store.upsert(["B": .sample(1)]) }
      #expect(throws: damage) { try store.compact() }
      #expect(store.summary.rowCount == 49 && store.tickers == ["A", "FDX", "NEW"])
      #expect(disk.content.filter { !$0.key.hasSuffix("LOCK") } == before.filter { !$0.key.hasSuffix("LOCK") })
    }
  }

  /// The first is not hidden by the second, which is read before it.
  @Test func a_damaged_block_is_named_beside_the_one_that_it_is_computed_from() throws {
    let disk = try Self.disk()
    let parts = try StoreParts(disk).parts.filter { part in
      [.block(1, .attribute(.high), "FDX"), .block(1, .attribute(.adjustedHigh), "FDX")].contains(part.kind)
        && part.path == Self.first
    }
    #expect(parts.count == 2)
    for part in parts { disk[part.path]?[part.range.lowerBound + 8] ^= 1 }
    #expect(try Set(QuoteStore.verify("store", in: disk).damages) == Set(parts.map { $0.damage(at: 0, []) }))
  }

  @Test func files_that_no_manifest_names_are_told_and_are_no_damage() throws {
    let disk = try Self.disk()
    disk["store/00000077.columns"] = [1, 2, 3]
    let report = try QuoteStore.verify("store", in: disk)
    #expect(report.damages.isEmpty && report.strayFiles == ["00000077.columns"])
  }

  @Test func a_store_without_a_manifest_is_verified_file_by_file() throws {
    let disk = try Self.disk()
    let block = try ColumnFile(Self.first, in: disk).header.columns[3].blocks.offset
    disk[Self.manifest] = nil
    disk[Self.first]?[block] ^= 1
    let damages = try QuoteStore.verify("store", in: disk).damages
    #expect(damages.count == 2)
    #expect(
      damages.first
        == .damaged(
          path: Self.manifest, offset: 0, reason: "it is missing, and there are column files that it has to name"))
    #expect(damages.last?.path == Self.first)
    #expect(throws: StoreError.noStore(path: "elsewhere")) { try QuoteStore.verify("elsewhere", in: disk) }
  }
}

extension [UInt8] {
  /// Makes a manifest or a column file one of another version, whose checksum is right.
  mutating func becomeVersion(_ version: UInt8) {
    self[8] = version
    let end = (starts(with: ColumnFileHeader.magic) ? ColumnFileHeader.byteCount : count) - 8
    var checksum: [UInt8] = []
    checksum.append(littleEndian: Checksum(of: Array(self[..<end])).value)
    replaceSubrange(end..<(end + 8), with: checksum)
  }
}
