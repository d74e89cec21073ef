// The bytes of a manifest, little-endian:
//
//   offset size
//        0    8  "QUOINMAN"
//        8    4  format version
//       12    4  zero
//       16    8  generation
//       24    8  next file id
//       32    8  when it was committed: seconds since 1970 (i64)
//       40    4  file count
//       44    4  ticker count
//       48    4  run count
//       52    4  count of kept manifests
//       56    4  how many of the newest earlier generations are kept
//       60    4  byte count of the log
//       64    4  count of settings
//       68    4  zero
//       72       files:   id (u64), byte count (u64), block count (u32), zero (u32), header checksum (u64)
//                tickers: symbol (32 bytes, zero-padded), first run (u32), run count (u32), created generation (u64)
//                runs:    file index (u32), first block (u32), block count (u32), row count (u32), first and last day
//                         (2 i32)
//                kept:    generation (u64), committed at (i64), byte count of the name (u32), file count (u32), the name,
//                         the files' ids (u64)
//                log:     CommitLog.swift
//                settings, ascending by name: byte counts of name and value (2 u32), name, value
//        end  8  checksum of all before
//
// A kept manifest is the manifest of its generation, byte for byte, in the file GENERATION.manifest.

extension Manifest {
  static let magic = Array("QUOINMAN".utf8)
  static let generationOffset = 16
  private static let countsOffset = 40
  private static let firstPart = 72
  private static let tickerByteCount = Limits.tickerByteCount + 16

  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.reserveCapacity(
      64 + files.count * 32 + tickers.count * Self.tickerByteCount + runs.count * 24 + log.bytes.count)
    bytes.append(littleEndian: StoreFormat.version)
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: generation)
    bytes.append(littleEndian: nextFileID)
    bytes.append(littleEndian: committedAt.secondsSince1970)
    let counts = [
      files.count, tickers.count, runs.count, kept.count, recentCount, log.bytes.count, settings.count, 0,
    ]
    for count in counts { bytes.append(littleEndian: UInt32(count)) }
    for file in files { file.append(to: &bytes) }
    for ticker in tickers { ticker.append(to: &bytes) }
    for run in runs { run.append(to: &bytes) }
    for manifest in kept { manifest.append(to: &bytes) }
    bytes += log.bytes
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      for count in [name.utf8.count, value.count] { bytes.append(littleEndian: UInt32(count)) }
      bytes += Array(name.utf8) + value
    }
    bytes.append(littleEndian: Checksum(of: bytes).value)
    return bytes
  }

  /// Reads a manifest from a copy of its bytes, as below.
  init(copying bytes: [UInt8], path: String) throws(StoreError) {
    let file = MappedFile(copying: bytes)
    defer { withExtendedLifetime(file) {} }
    try self.init(file.view, path: path)
  }

  /// Reads and checks the manifest in these bytes: after that, every index in it is good.
  init(_ bytes: ByteView, path: String) throws(StoreError) {
    guard bytes.count <= Limits.manifestByteCount else {
      throw .damaged(path: path, offset: Limits.manifestByteCount, reason: "a manifest ends before this byte")
    }
    try StoreFormat.check(bytes, checkedByteCount: bytes.count, magic: Self.magic, path: path)
    self = try StoreFormat.reading(path) { () throws(Damage) in try Self(checked: bytes) }
  }

  private init(checked bytes: ByteView) throws(Damage) {
    let end = bytes.count - 8
    var tail = ByteReader(bytes, at: end)
    guard end >= Self.firstPart, Checksum(of: bytes.prefix(end)).value == (try tail.read()) else {
      throw Damage(offset: 0, "the manifest's checksum differs")
    }
    var reader = ByteReader(bytes, at: Self.generationOffset)
    generation = try reader.read()
    nextFileID = try reader.read()
    // Both are counted up by every commit; no store has so many, and the sum of those of all shards fits.
    guard generation < 1 << 40, nextFileID < 1 << 40 else { throw Damage(offset: 16, "impossible generation") }
    committedAt = try CommitTime(&reader)
    var counts: [Int] = []
    for _ in 0..<8 { counts.append(Int(try reader.read(UInt32.self))) }
    let (tickerByteCount, partByteCount) = (Self.tickerByteCount, Self.firstPart + counts[5])
    let leastByteCount =
      partByteCount + counts[0] * 32 + counts[1] * tickerByteCount + counts[2] * 24 + counts[3] * 24 + counts[6] * 8
    guard leastByteCount <= end else {
      throw Damage(offset: Self.countsOffset, "the counts don't fit the manifest's size")
    }
    for _ in 0..<counts[0] { files.append(try FileRecord(&reader, below: nextFileID)) }
    tickers.reserveCapacity(counts[1])
    for _ in 0..<counts[1] { tickers.append(try TickerRecord(&reader)) }
    runs.reserveCapacity(counts[2])
    for _ in 0..<counts[2] { runs.append(try Run(&reader, files)) }
    for _ in 0..<counts[3] { kept.append(try KeptManifest(&reader, before: generation)) }
    recentCount = counts[4]
    log = CommitLog(bytes: try reader.view(counts[5]).array)
    for _ in 0..<counts[6] {
      let byteCounts = (Int(try reader.read(UInt32.self)), Int(try reader.read(UInt32.self)))
      let name = String(decoding: try reader.view(byteCounts.0).array, as: UTF8.self)
      settings[name] = try reader.view(byteCounts.1).array
    }
    guard reader.offset == end else {
      throw Damage(offset: Self.countsOffset, "the counts don't fit the manifest's size")
    }
    try checkTickers()
  }

  /// Checks that tickers rise, that each run belongs to one of them, and that the runs of each rise by day.
  private func checkTickers() throws(Damage) {
    var nextRun = 0
    for (index, ticker) in tickers.enumerated() {
      guard ticker.firstRun == nextRun, ticker.runCount > 0, nextRun + ticker.runCount <= runs.count,
        index == 0 || tickers[index - 1].symbol < ticker.symbol
      else { throw Damage(offset: Self.firstPart, "ticker \(index) is out of place") }
      nextRun += ticker.runCount
      for run in ticker.firstRun..<nextRun where run > ticker.firstRun && runs[run - 1].lastDay >= runs[run].firstDay {
        throw Damage(offset: Self.firstPart, "the runs of \(ticker.symbol) overlap")
      }
    }
    guard nextRun == runs.count else { throw Damage(offset: Self.firstPart, "runs without a ticker") }
    // No block is two tickers'. Otherwise a small manifest could make a reader go over the same blocks for ever.
    guard runs.reduce(0, { $0 + $1.blockCount }) <= files.reduce(0, { $0 + $1.blockCount }) else {
      throw Damage(offset: Self.firstPart, "there are more blocks of tickers than blocks in files")
    }
  }
}

extension FileRecord {
  fileprivate init(_ reader: inout ByteReader, below nextFileID: UInt64) throws(Damage) {
    let start = reader.offset
    id = try reader.read()
    guard id < nextFileID else { throw Damage(offset: start, "file \(id) is not from before file \(nextFileID)") }
    guard let byteCount = Int(exactly: try reader.read(UInt64.self)), byteCount < 1 << 40 else {
      throw Damage(offset: start, "impossible file size")
    }
    self.byteCount = byteCount
    blockCount = Int(try reader.read(UInt32.self))
    _ = try reader.read(UInt32.self)
    headerChecksum = try reader.read()
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: id)
    bytes.append(littleEndian: UInt64(byteCount))
    bytes.append(littleEndian: UInt32(blockCount))
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: headerChecksum)
  }
}

extension TickerRecord {
  fileprivate init(_ reader: inout ByteReader) throws(Damage) {
    symbol = try TickerSymbol(&reader)
    firstRun = Int(try reader.read(UInt32.self))
    runCount = Int(try reader.read(UInt32.self))
    createdGeneration = try reader.read()
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    symbol.append(to: &bytes)
    bytes.append(littleEndian: UInt32(firstRun))
    bytes.append(littleEndian: UInt32(runCount))
    bytes.append(littleEndian: createdGeneration)
  }
}

extension Run {
  fileprivate init(_ reader: inout ByteReader, _ files: [FileRecord]) throws(Damage) {
    let start = reader.offset
    fileIndex = Int(try reader.read(UInt32.self))
    firstBlock = Int(try reader.read(UInt32.self))
    blockCount = Int(try reader.read(UInt32.self))
    rowCount = Int(try reader.read(UInt32.self))
    firstDay = try TradingDay(&reader)
    lastDay = try TradingDay(&reader)
    guard files.indices.contains(fileIndex), blockCount > 0, firstBlock + blockCount <= files[fileIndex].blockCount,
      (blockCount...(blockCount * Limits.rowsPerBlock)).contains(rowCount), firstDay <= lastDay
    else { throw Damage(offset: start, "an impossible run of blocks") }
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    for number in [fileIndex, firstBlock, blockCount, rowCount] { bytes.append(littleEndian: UInt32(number)) }
    bytes.append(littleEndian: firstDay.daysSince1970)
    bytes.append(littleEndian: lastDay.daysSince1970)
  }
}

extension KeptManifest {
  fileprivate init(_ reader: inout ByteReader, before newest: UInt64) throws(Damage) {
    let start = reader.offset
    generation = try reader.read()
    committedAt = try CommitTime(&reader)
    let (nameByteCount, fileCount) = (Int(try reader.read(UInt32.self)), Int(try reader.read(UInt32.self)))
    let name = String(validating: try reader.view(nameByteCount).array, as: UTF8.self)
    guard let name, name.isEmpty || Self.isName(name), generation > 0, generation < newest else {
      throw Damage(offset: start, "an impossible kept manifest")
    }
    self.name = name.isEmpty ? nil : name
    var ids: [UInt64] = []
    for _ in 0..<fileCount { ids.append(try reader.read()) }
    fileIDs = ids
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    let name = Array((name ?? "").utf8)
    bytes.append(littleEndian: generation)
    bytes.append(littleEndian: committedAt.secondsSince1970)
    for count in [name.count, fileIDs.count] { bytes.append(littleEndian: UInt32(count)) }
    bytes += name
    for id in fileIDs { bytes.append(littleEndian: id) }
  }
}
