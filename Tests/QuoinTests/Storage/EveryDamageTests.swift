import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Every damage of a kind to a small store: it is reported with file and offset, or changes nothing, and no reader is
/// told anything wrong meanwhile.
@Suite struct EveryDamageTests {
  /// Tickers of blocks of several forms, in two files; `QUOIN_DAMAGE_ROWS` makes them longer.
  private static func disk(_ tickers: [TickerSymbol]) throws -> InMemoryFiles {
    let disk = InMemoryFiles()
    let rowCount = TestSettings.size("QUOIN_DAMAGE_ROWS", debug: 9, release: 9)
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for (index, ticker) in tickers.enumerated() { rows[ticker] = .sample(rowCount - index % 3, salt: index / 2) }
    try commit(rows, to: "store", in: disk, importRecords: [ColumnFileTests.record], keepingRecent: 0)
    try commit(["FDX": .sample(2, from: "2031-01-03")], to: "store", in: disk, keepingRecent: 0)
    #expect(disk.content.count == 4)
    return disk
  }

  /// Judges damages of one kind and counts them.
  private struct Judge {
    let disk: InMemoryFiles
    let parts: StoreParts
    private let sound: Answers
    private(set) var count = 0
    private(set) var reported = 0
    private(set) var wrongRows = 0

    init(_ disk: InMemoryFiles) throws {
      self.disk = disk
      parts = try StoreParts(disk)
      sound = try Answers(disk)
      #expect(sound.compared(with: sound).errors.isEmpty)
    }

    var harmless: Int { count - reported }

    /// - Parameter expected: what verify has to say; nil when that is not known to the last word.
    mutating func judge(_ damaged: InMemoryFiles, expecting expected: Set<StoreError>? = nil, _ comment: String) throws
    {
      count += 1
      let damages = try QuoteStore.verify("store", in: damaged).damages
      if !damages.isEmpty { reported += 1 }
      if let expected { #expect(Set(damages) == expected && damages.count == expected.count, "\(comment)") }
      #expect(damages.allSatisfy { damage in if case .damaged = damage { true } else { false } }, "\(comment)")
      do throws(StoreError) {
        let (errors, wrongCount) = try Answers(damaged).compared(with: sound)
        wrongRows += wrongCount
        #expect(wrongCount == 0, "\(comment)")
        #expect(Set(errors).isSubset(of: damages), "\(comment): \(errors), \(damages)")
      } catch { #expect(damages.contains(error), "\(comment): \(error)") }
    }

    func printFigures(_ kind: String) {
      print("promise 4: \(count) \(kind), \(reported) reported, \(harmless) harmless, \(wrongRows) wrong rows")
    }
  }

  /// In a build without the language's checks, every bit; else one of each byte.
  @Test func every_flipped_bit() throws {
    var judge = try Judge(Self.disk(["FDX", "A"]))
    for (path, bytes) in judge.disk.content where !path.hasSuffix("LOCK") {
      for offset in bytes.indices {
        for bit in TestSettings.isDebug ? (offset % 8)..<(offset % 8 + 1) : 0..<8 {
          let damaged = judge.disk.changing(path) { $0[offset] ^= 1 << UInt8(bit) }
          let expected = judge.parts.damages(from: judge.disk, to: damaged)
          try judge.judge(damaged, expecting: expected, "bit \(bit) of byte \(offset) of \(path)")
        }
      }
    }
    judge.printFigures("flips")
    // Only the zeros between parts mean nothing.
    #expect(judge.harmless * 50 < judge.count)
  }

  @Test func every_truncation() throws {
    var judge = try Judge(Self.disk(["FDX", "A"]))
    for (path, bytes) in judge.disk.content where !path.hasSuffix("LOCK") {
      for count in stride(from: 0, to: bytes.count, by: TestSettings.isDebug ? 5 : 1) {
        let damaged = judge.disk.changing(path) { $0.removeLast($0.count - count) }
        try judge.judge(damaged, "\(count) bytes of \(path)")
        let damages = try QuoteStore.verify("store", in: damaged).damages
        #expect(damages.count == 1 && damages[0].path == path, "\(count) bytes of \(path): \(damages)")
      }
    }
    judge.printFigures("truncations")
    #expect(judge.harmless == 0)
  }

  /// Sectors and pages that come back as zeros, as ones, or as what lies there in another file.
  @Test func every_lost_page() throws {
    var judge = try Judge(Self.disk(["FDX", "A", "B", "C"]))
    for path in judge.parts.columnPaths {
      let other = try #require(judge.disk[judge.parts.columnPaths.first { $0 != path } ?? ""])
      for size in TestSettings.isDebug ? [64, 512] : [16, 64, 512, 4096] {
        for start in stride(from: 0, to: judge.disk[path]?.count ?? 0, by: size) {
          for content in 0..<3 {
            let damaged = judge.disk.changing(path) { bytes in
              for offset in start..<min(start + size, bytes.count) {
                bytes[offset] = content == 0 ? 0 : content == 1 ? 0xFF : other[offset % other.count]
              }
            }
            // Another file's whole header says nothing of damage but that it is not the one that is wanted.
            let isOtherHeader = start == 0 && size > ColumnFileHeader.byteCount && content == 2
            let expected = isOtherHeader ? nil : judge.parts.damages(from: judge.disk, to: damaged)
            try judge.judge(damaged, expecting: expected, "\(size) bytes from \(start) of \(path)")
          }
        }
      }
    }
    judge.printFigures("lost pages")
    #expect(judge.harmless < judge.count)
  }

  /// Two blocks of a section in each other's place: alone, with their directory entries, and with more and more of the
  /// checksums made right, up to the header's, which the manifest knows.
  @Test(arguments: SwapDepth.allCases)
  func every_two_blocks_that_were_swapped(_ depth: SwapDepth) throws {
    var judge = try Judge(Self.disk(["FDX", "A", "B", "C", "D", "E"]))
    let path = judge.parts.columnPaths[0]
    let file = try ColumnFile(path, in: judge.disk)
    for section in ColumnSection.all {
      for first in 0..<file.blockCount {
        for second in (first + 1)..<max(first + 1, file.blockCount) {
          let damaged = InMemoryFiles(copying: judge.disk)
          damaged[path] = try swapped(first, second, section, of: file, judge.disk[path] ?? [], depth)
          try judge.judge(damaged, "blocks \(first) and \(second) of \(section)")
        }
      }
    }
    judge.printFigures("swaps of blocks \(depth.rawValue)")
    // Blocks that are equal may be swapped, and so may ones whose entries are equal too.
    #expect(judge.reported * 2 > judge.count)
  }

  enum SwapDepth: String, CaseIterable {
    case alone
    case withEntries = "with their directory entries"
    case withDirectoryChecksum = "with the directory's checksum"
    case withHeaderChecksum = "with the header's checksum"
  }

  private func swapped(
    _ first: Int, _ second: Int, _ section: ColumnSection, of file: ColumnFile, _ sound: [UInt8], _ depth: SwapDepth
  ) throws -> [UInt8] {
    let directory = try file.directory(section)
    var (blocks, entries): ([UInt8], [BlockEntry]) = ([], [])
    for place in 0..<file.blockCount {
      let index = place == first ? second : place == second ? first : place
      entries.append(directory.entry(index))
      blocks += file.blockBytes(index, section, directory).array
    }
    var bytes = sound
    bytes.overwrite(from: file.header.columns[section.index].blocks.offset, with: blocks)
    if depth == .alone { return bytes }
    let changed = SectionDirectory.bytes(of: entries, hasSums: section.hasSums)
    bytes.overwrite(from: file.header.columns[section.index].directory.offset, with: changed)
    if depth == .withEntries { return bytes }
    var header = file.header
    header.columns[section.index].directory.checksum = Checksum(of: changed).value
    let kept = depth == .withDirectoryChecksum ? 8 : 0
    bytes.overwrite(from: 0, with: header.bytes.dropLast(kept))
    return bytes
  }

  /// Blocks of other columns and rows that have as many bytes.
  @Test func every_two_blocks_of_the_same_size_that_were_swapped() throws {
    var judge = try Judge(Self.disk(["FDX", "A", "B", "C"]))
    let blocks = judge.parts.parts.filter { part in if case .block = part.kind { true } else { false } }
    for (index, first) in blocks.enumerated() {
      for second in blocks[(index + 1)...] where first.path == second.path && first.range.count == second.range.count {
        let damaged = judge.disk.changing(first.path) { bytes in
          let content = Array(bytes[first.range])
          bytes.replaceSubrange(first.range, with: bytes[second.range])
          bytes.replaceSubrange(second.range, with: content)
        }
        let expected = judge.parts.damages(from: judge.disk, to: damaged)
        try judge.judge(damaged, expecting: expected, "\(first) and \(second)")
      }
    }
    judge.printFigures("swaps of blocks of the same size")
    #expect(judge.reported * 2 > judge.count)
  }

  /// Files in each other's place, and in place of each the one of the same name in another store.
  @Test func every_two_files_that_were_swapped() throws {
    var judge = try Judge(Self.disk(["FDX", "A"]))
    let other = try Self.disk(["FDX", "B"])
    let paths = [StoreParts.manifestPath] + judge.parts.columnPaths
    for path in paths {
      for otherPath in paths where path < otherPath {
        let damaged = InMemoryFiles(copying: judge.disk)
        (damaged[path], damaged[otherPath]) = (damaged[otherPath], damaged[path])
        try judge.judge(damaged, "\(path) and \(otherPath)")
      }
      let damaged = InMemoryFiles(copying: judge.disk)
      damaged[path] = other[path]
      // The second file of both stores has the same rows of the same ticker: it is the same file.
      if damaged[path] != judge.disk[path] { try judge.judge(damaged, "\(path) of another store") }
    }
    judge.printFigures("swaps of files")
    #expect(judge.harmless == 0 && judge.count >= 5)
  }
}

extension StoreError {
  /// The file that is damaged.
  var path: String? {
    if case .damaged(let path, _, _) = self { path } else { nil }
  }
}
