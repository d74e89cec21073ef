/// A column file in the making, in memory: blocks are appended ticker by ticker, then the whole is written.
struct ColumnFileBuilder {
  private var sections = ColumnSection.all.map { SectionBuilder(hasSums: $0.hasSums) }
  private var rowCounts: [Int] = []
  private var runs: [FileRun] = []
  /// The records of imports that the file will keep.
  var importRecords: [StockQuotePeriod] = []
  private let encoder: RowEncoder
  private let crew: WorkCrew
  /// Rows that wait to be encoded together: to wake up another thread for a few of them would cost more than to encode
  /// them.
  private var batch: [(columns: QuoteColumns, rows: Range<Int>)] = []
  private var batchRowCount = 0
  private static let batchRowLimit = 512
  /// Batches of blocks that are being encoded, in their order.
  private var pending: [Work<[EncodedRows]>] = []

  init(_ choice: EncodingChoice, _ crew: WorkCrew = WorkCrew(threadCount: 1)) {
    encoder = RowEncoder(choice)
    self.crew = crew
  }

  var blockCount: Int { rowCounts.count }
  var isEmpty: Bool { rowCounts.isEmpty && importRecords.isEmpty }

  /// Whether the file has as many blocks as one may have.
  var isFull: Bool { blockCount >= Limits.blocksPerFile }

  /// Encodes the rows `range`, at most a block's, of a ticker's columns, now or while other rows come.
  mutating func append(_ columns: QuoteColumns, rows range: Range<Int>, of ticker: TickerSymbol) {
    batch.append((columns, range))
    batchRowCount += range.count
    finishBlock(rowCount: range.count, of: ticker)
    if batchRowCount >= Self.batchRowLimit { startBatch() }
  }

  private mutating func startBatch() {
    guard !batch.isEmpty else { return }
    let (batch, encoder) = (batch, encoder)
    pending.append(crew.start { batch.map { encoder.encode($0.columns, rows: $0.rows) } })
    (self.batch, batchRowCount) = ([], 0)
    // Some batches for each thread to do while this one is elsewhere; more would only take memory.
    let pendingLimit = crew.threadCount == 1 ? 0 : 8 * crew.threadCount
    if pending.count > pendingLimit { takePending(pending.count - pendingLimit / 2) }
  }

  /// Waits until all blocks are encoded.
  mutating func finishEncoding() {
    startBatch()
    takePending(pending.count)
  }

  /// Takes over block `index` of another file as it is, after checking it.
  mutating func append(block index: Int, of file: ColumnFile, ticker: TickerSymbol) throws(StoreError) {
    finishEncoding()
    for section in ColumnSection.all {
      let directory = try file.directory(section)
      _ = try file.block(index, section, directory)
      unsafe sections[section.index].append(
        file.blockBytes(index, section, directory), directory.entry(index))
    }
    finishBlock(rowCount: file.rowCount(index), of: ticker)
  }

  private mutating func takePending(_ count: Int) {
    for index in 0..<count {
      for rows in pending[index].result {
        for (section, block) in rows.sections.enumerated() {
          unsafe block.bytes.withUnsafeBytes { bytes in
            unsafe sections[section].append(bytes, block.entry)
          }
        }
      }
    }
    pending.removeFirst(count)
  }

  private mutating func finishBlock(rowCount: Int, of ticker: TickerSymbol) {
    let block = rowCounts.count
    rowCounts.append(rowCount)
    if let last = runs.last, last.ticker == ticker {
      runs[runs.count - 1] = FileRun(ticker: ticker, firstBlock: last.firstBlock, blockCount: last.blockCount + 1)
    } else {
      runs.append(FileRun(ticker: ticker, firstBlock: block, blockCount: 1))
    }
  }

  /// The file's bytes in order: header, block table, record table, directories, blocks.
  func parts(fileID: UInt64) -> [[UInt8]] {
    var finished = self
    finished.finishEncoding()
    let (sections, records) = (finished.sections, finished.importRecords)
    let directories = sections.map(\.directory)
    var parts = [blockTable, ImportRecordTable.encode(records)] + directories
    let metadataCount = parts.count
    parts += sections.map(\.blocks)
    var extents: [Extent] = []
    var offset = ColumnFileHeader.byteCount
    for index in parts.indices {
      // Blocks have their own checksums.
      let checksum = index < metadataCount ? Checksum(of: parts[index]).value : 0
      extents.append(Extent(offset: offset, byteCount: parts[index].count, checksum: checksum))
      parts[index].pad(to: 8)
      offset += parts[index].count
    }
    let header = ColumnFileHeader(
      fileID: fileID, blockCount: blockCount, runCount: runs.count, blockTable: extents[0], recordTable: extents[1],
      directories: Array(extents[2..<metadataCount]), blocks: Array(extents[metadataCount...]))
    return [header.bytes] + parts
  }

  private var blockTable: [UInt8] {
    var bytes: [UInt8] = []
    for count in rowCounts { bytes.append(littleEndian: UInt16(count)) }
    bytes.pad(to: 8)
    for run in runs { run.append(to: &bytes) }
    return bytes
  }
}

/// The blocks of one section and their directory.
private struct SectionBuilder {
  private(set) var blocks: [UInt8] = []
  private var directoryBuilder: SectionDirectoryBuilder

  init(hasSums: Bool) { directoryBuilder = SectionDirectoryBuilder(hasSums: hasSums) }

  var directory: [UInt8] { directoryBuilder.bytes(end: blocks.count) }

  /// Appends a block's bytes, a multiple of 8.
  mutating func append(_ bytes: UnsafeRawBufferPointer, _ entry: BlockEntry) {
    directoryBuilder.append(entry, offset: blocks.count)
    unsafe blocks.append(contentsOf: bytes)
  }
}
