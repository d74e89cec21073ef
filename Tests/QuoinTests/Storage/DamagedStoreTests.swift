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
    let period = ColumnFileTests.period
    try commit(["FDX": .sample(40), "A": .sample(5, salt: 1)], to: "store", in: disk, periods: [period])
    try commit(["FDX": .sample(3, from: "2011-01-03")], to: "store", in: disk)
    #expect(Set(disk.content.keys) == [manifest, first, second, "store/LOCK"])
    return disk
  }

  private func refusal(_ disk: InMemoryFiles) -> StoreError? {
    do {
      _ = try QuoteStore(at: "store", in: disk)
      return nil
    } catch {
      return error
    }
  }

  /// What opening says after `change` was done to a file's bytes.
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
    let period = StockQuotePeriod(
      ticker: "FDX", firstDay: "2001-01-01", lastDay: "2004-12-31", rowCount: 1043, source: "Ö file.csv",
      importedAt: Timestamp(secondsSince1970: 1_500_000_000), generation: 3)
    let other = InMemoryFiles()
    try commit(["FDX": .sample(40), "A": .sample(5, salt: 1)], to: "store", in: other, periods: [period])
    #expect(other[Self.first]?.count == disk[Self.first]?.count)
    disk[Self.first] = other[Self.first]
    #expect(
      refusal(disk) == .damaged(path: Self.first, offset: 0, reason: "this is not the file that the manifest names"))
  }

  @Test func an_unknown_version_is_refused_in_plain_words() throws {
    for path in [Self.manifest, Self.first] {
      let error = try #require(try refusal(path) { $0[8] = 2 })
      #expect(error == .unsupportedVersion(path: path, found: 2, supported: 1))
      #expect(
        error.description
          == "'\(path)' has format version 2 and this program reads version 1; use the version of Quoin that wrote it, "
          + "or a newer one")
    }
  }

  @Test func an_unknown_version_is_never_written_to() throws {
    for path in [Self.manifest, Self.first] {
      let disk = try Self.disk()
      let store = try QuoteStore(at: "store", in: disk)
      disk[path]?[8] = 9
      let before = disk.content.filter { !$0.key.hasSuffix("LOCK") }
      #expect(throws: StoreError.unsupportedVersion(path: path, found: 9, supported: 1)) {
        try store.upsert(["FDX": .sample(1)])
      }
      #expect(disk.content.filter { !$0.key.hasSuffix("LOCK") } == before)
    }
  }

  @Test func a_column_file_that_is_none() throws {
    #expect(
      try refusal(Self.first) { $0 = [] } == .damaged(path: Self.first, offset: 0, reason: "8 bytes wanted, 0 left"))
    #expect(
      try refusal(Self.first) { $0[0] = 0 }
        == .damaged(path: Self.first, offset: 0, reason: "it doesn't begin with QUOINCOL"))
    #expect(
      try refusal(Self.first) { $0 = Array($0.prefix(711)) }
        == .damaged(path: Self.first, offset: 0, reason: "712 bytes wanted, 711 left"))
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
    guard case .inputOutput(let error)? = refusal(disk) else {
      Issue.record("it opened")
      return
    }
    #expect(error.path == Self.second && error.isNoSuchFile)
    #expect(error.description == "cannot open '\(Self.second)': No such file or directory")
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
          reason: "the checksum of \(header.blockTable.byteCount) bytes differs"))

    // What is read later is found later, and by verify.
    let low = ColumnSection.attribute(.low)
    let (directory, blocks) = (header.directories[low.index], header.blocks[low.index])
    let damages: [(offset: Int, error: StoreError)] = [
      (
        header.periodTable.offset + 6,
        .damaged(
          path: Self.first, offset: header.periodTable.offset,
          reason: "the checksum of \(header.periodTable.byteCount) bytes differs")
      ),
      (
        directory.offset + 3,
        .damaged(
          path: Self.first, offset: directory.offset,
          reason: "the checksum of \(directory.byteCount) bytes differs")
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
      case header.periodTable.offset + 6: #expect(throws: error) { try store.periods() }
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

  /// In a build without the language's checks, every bit; else one of each byte.
  @Test func every_flipped_bit_of_a_small_store_is_damage_or_changes_nothing() throws {
    let disk = InMemoryFiles()
    try commit(["FDX": .sample(9)], to: "store", in: disk, periods: [ColumnFileTests.period])
    let sound = try Reading(disk)
    #expect(sound.damageCount == 0)
    var (harmless, flips) = (0, 0)
    for (path, bytes) in disk.content where !path.hasSuffix("LOCK") {
      for offset in bytes.indices {
        for bit in TestSettings.isDebug ? (offset % 8)..<(offset % 8 + 1) : 0..<8 {
          let damaged = InMemoryFiles(copying: disk)
          var bytes = bytes
          bytes[offset] ^= 1 << UInt8(bit)
          damaged[path] = bytes
          flips += 1
          guard let reading = try? Reading(damaged) else { continue }
          if reading.damageCount > 0 { continue }
          harmless += 1
          #expect(reading == sound, "bit \(bit) of byte \(offset) of \(path)")
        }
      }
    }
    // Padding between parts.
    print("flipped \(flips) bits: \(harmless) of them harmless")
    #expect(harmless * 50 < flips)
  }

  @Test func every_truncation_of_a_small_store_is_noticed() throws {
    let disk = InMemoryFiles()
    try commit(["FDX": .sample(9)], to: "store", in: disk)
    for (path, bytes) in disk.content where !path.hasSuffix("LOCK") {
      for count in stride(from: 0, to: bytes.count, by: TestSettings.isDebug ? 5 : 1) {
        let damaged = InMemoryFiles(copying: disk)
        damaged[path] = Array(bytes.prefix(count))
        #expect(refusal(damaged) != nil, "\(count) bytes of \(path)")
      }
    }
  }

  /// All that can be read from a store.
  private struct Reading: Equatable {
    var damageCount = 0
    var rows: [TickerSymbol: [[UInt64]]] = [:]
    var periods: [StockQuotePeriod] = []
    var matchCount = 0

    init(_ disk: InMemoryFiles) throws {
      let store = try QuoteStore(at: "store", in: disk)
      damageCount = try store.verify().damages.count
      do {
        rows = try content(of: store)
        periods = try store.periods()
        matchCount = try store.allQuotes.where(.range(.high, 80.05...80.4)).count()
      } catch { damageCount += 1 }
    }
  }
}
