@testable import Quoin

/// A column file: a store whose manifest names it is read in every way, compacted, and read again.
///
/// An input is a file; what says that it is one, and all its checksums, are put right, as far as its parts can be found.
enum ColumnFileTarget {
  private static let path = "store/00000001.columns"

  static func read(_ input: UnsafeRawBufferPointer) throws {
    var bytes = unsafe Array(input)
    // Pages are aligned, and words of an array in them.
    bytes.pad(to: 8)
    guard bytes.count >= ColumnFileHeader.possibleByteCounts.lowerBound else { return }
    correctChecksums(&bytes)
    let disk = InMemoryFiles()
    disk.makeDirectory("store")
    let guarded = GuardedBytes(bytes)
    defer { withExtendedLifetime(guarded) {} }
    disk.place(unsafe MappedFile(ByteView(guarded.bytes)) {}, at: path)
    do {
      let file = try ColumnFile(path, in: disk)
      disk["store/MANIFEST"] = try manifest(of: file).bytes
      let store = try QuoteStore(at: "store", in: disk)
      readAll(store)
      try store.compact()
      readAll(store)
    } catch is StoreError {}
  }

  /// Every question that reads; each may find damage.
  static func readAll(_ store: QuoteStore) {
    let market = store.allQuotes.threads(1)
    let questions: [() throws -> Void] = [
      { _ = try store.verify() },
      { _ = try store.importRecords() },
      { _ = try store.tickerSummaries() },
      { _ = try store.encodingSummaries() },
      { _ = try market.fetch() },
      { _ = try market.ordered(.descending).where(.high, above: 80, below: 81).fetch() },
      { _ = try market.where(.not(.range(.adjustedLow, 70.0...75))).where(.volume, above: 1000).count() },
      { _ = try market.where(.isMissing(.adjustedVolume)).dates(from: "2001-02-03", to: "2020-12-31").count() },
      { _ = try market.aggregate([.count, .sum(.volume), .mean(.adjustedClose), .first(.open)], by: .month) },
      { _ = try market.where(.low, above: 1).aggregate([.max(.adjustedVolume), .last(.close)]) },
      { _ = try market.where(.range(.adjustedHigh, 75.0...85)).explain() },
    ]
    for question in questions { try? question() }
  }

  /// A manifest by the file's own table of runs, as far as a manifest can say it.
  private static func manifest(of file: ColumnFile) throws -> Manifest {
    var manifest = Manifest(generation: 1, nextFileID: 2)
    manifest.files = [
      FileRecord(id: 1, byteCount: file.byteCount, blockCount: file.blockCount, headerChecksum: file.header.checksum)
    ]
    for run in try file.runs().sorted(by: { $0.ticker < $1.ticker }) where run.ticker != manifest.tickers.last?.symbol {
      let blocks = run.firstBlock..<(run.firstBlock + run.blockCount)
      let days =
        try file.days(ofBlock: blocks.lowerBound).lowerBound...file.days(ofBlock: blocks.upperBound - 1).upperBound
      manifest.tickers.append(
        TickerRecord(symbol: run.ticker, firstRun: manifest.runs.count, runCount: 1, createdGeneration: 1))
      manifest.runs.append(
        Run(
          fileIndex: 0, firstBlock: run.firstBlock, blockCount: run.blockCount,
          rowCount: blocks.reduce(0) { $0 + file.rowCount($1) }, firstDay: days.lowerBound, lastDay: days.upperBound))
    }
    return manifest
  }
}

extension ColumnFileTarget {
  /// Puts the beginning, the file's id and every checksum right: of the blocks, then of the parts, then of the header. A header
  /// may have up to 20 columns and 7 statistics.
  static func correctChecksums(_ bytes: inout [UInt8], fileID: UInt64 = 1) {
    let columnCount = bytes[32] <= 20 ? Int(bytes[32]) : ColumnSection.count
    let statisticsCount = Int(bytes[36] & 7)
    let columnsEnd = 88 + columnCount * StoredColumn.byteCount
    let end = columnsEnd + statisticsCount * StoredStatistics.byteCount
    guard end + 8 <= bytes.count else { return }
    var head = ColumnFileHeader.magic
    let versions = UInt8(StoreFormat.version)...UInt8(StoreFormat.columnFileVersion)
    head.append(littleEndian: UInt32(versions.contains(bytes[8]) ? bytes[8] : versions.upperBound))
    head.append(littleEndian: UInt32(end + 8))
    head.append(littleEndian: fileID)
    bytes.overwrite(from: 0, with: head)
    bytes.overwrite(from: 32, with: [UInt8(columnCount), 0, 0, 0, UInt8(statisticsCount), 0, 0, 0])
    let blockCount = integer(bytes, 24, byteCount: 4)
    for column in stride(from: 88, to: columnsEnd, by: StoredColumn.byteCount) {
      let name = String(decoding: bytes[column..<(column + 32)].prefix { $0 != 0 }, as: UTF8.self)
      let directory = column + 40
      correctBlocks(
        hasSums: ColumnSection.all.contains { $0.hasSums && $0.description == name }, blockCount,
        at: integer(bytes, directory, byteCount: 8), blocks: integer(bytes, directory + 24, byteCount: 8), &bytes)
      correctPart(directory, &bytes)
    }
    for statistics in stride(from: columnsEnd, to: end, by: StoredStatistics.byteCount) {
      correctPart(statistics + 32, &bytes)
    }
    correctPart(40, &bytes)
    correctPart(64, &bytes)
    put(Checksum(of: Array(bytes[..<end])), at: end, &bytes)
  }

  /// The checksum of the part that the extent at `offset` tells of.
  private static func correctPart(_ offset: Int, _ bytes: inout [UInt8]) {
    let (start, count) = (integer(bytes, offset, byteCount: 8), integer(bytes, offset + 8, byteCount: 8))
    guard let part = part(of: bytes, start, count) else { return }
    put(Checksum(of: part), at: offset + 16, &bytes)
  }

  /// The checksums of a section's blocks, which are in its directory at `directory`.
  private static func correctBlocks(
    hasSums: Bool, _ blockCount: Int, at directory: Int, blocks: Int, _ bytes: inout [UInt8]
  ) {
    guard blockCount <= Limits.blocksPerFile,
      part(of: bytes, directory, SectionDirectory.byteCount(blockCount: blockCount, hasSums: hasSums)) != nil
    else { return }
    let offsets = directory + blockCount * (hasSums ? 40 : 24)
    for index in 0..<blockCount {
      let (start, end) = (
        integer(bytes, offsets + 4 * index, byteCount: 4) * 8, integer(bytes, offsets + 4 * index + 4, byteCount: 4) * 8
      )
      guard blocks < bytes.count, start <= end, let part = part(of: bytes, blocks + start, end - start) else {
        continue
      }
      put(Checksum(of: part), at: directory + 8 * index, &bytes)
    }
  }

  private static func part(of bytes: [UInt8], _ start: Int, _ count: Int) -> [UInt8]? {
    guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else { return nil }
    return Array(bytes[start..<(start + count)])
  }

  private static func integer(_ bytes: [UInt8], _ offset: Int, byteCount: Int) -> Int {
    bytes[offset..<(offset + byteCount)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func put(_ checksum: Checksum, at offset: Int, _ bytes: inout [UInt8]) {
    for byte in 0..<8 { bytes[offset + byte] = UInt8(truncatingIfNeeded: checksum.value >> UInt64(8 * byte)) }
  }
}
