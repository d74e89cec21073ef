/// A column file in the making, in memory. Blocks are appended ticker by ticker, then the whole file is written.
struct ColumnFileBuilder: ~Copyable {
  private typealias Batch = [(columns: QuoteColumns, rows: Range<Int>)]

  private var sections = ColumnSection.all.map { SectionBuilder(hasSums: $0.hasSums) }
  private var rowCounts: [Int] = []
  private var runs: [FileRun] = []
  /// The records of imports that the file will keep.
  var importRecords: [StockQuotePeriod] = []
  /// Rows that are encoded together, because waking another thread for a few of them would take longer than encoding them.
  private var batch: Batch = []
  private var batchRowCount = 0
  private static let batchRowLimit = 512
  /// Batches that are being encoded. Their blocks have their places in the file already.
  private var encoding: OrderedMap<RowEncoder, Batch, [EncodedRows], Never>

  init(_ choice: EncodingChoice, _ crew: Crew = .alone) {
    encoding = OrderedMap(crew, worker: RowEncoder(choice)) { encoder, batch in
      batch.map { encoder.encode($0.columns, rows: $0.rows) }
    }
  }

  var blockCount: Int { rowCounts.count }
  var isEmpty: Bool { rowCounts.isEmpty && importRecords.isEmpty }

  /// Whether the file has as many blocks as one may have.
  var isFull: Bool { blockCount >= Limits.blocksPerFile }

  /// Encodes the rows `range`, at most a block's, of a ticker's columns: now, or on another thread while more rows come.
  mutating func append(_ columns: QuoteColumns, rows range: Range<Int>, of ticker: TickerSymbol) {
    batch.append((columns, range))
    batchRowCount += range.count
    finishBlock(rowCount: range.count, of: ticker)
    if batchRowCount >= Self.batchRowLimit { startBatch() }
  }

  private mutating func startBatch() {
    guard !batch.isEmpty else { return }
    encoding.push(batch)
    (batch, batchRowCount) = ([], 0)
    if encoding.isFull, let rows = encoding.next() { append(rows) }
  }

  /// Waits until all blocks are encoded.
  mutating func finishEncoding() {
    startBatch()
    while let rows = encoding.next() { append(rows) }
  }

  /// Copies block `index` of another file, after checking it.
  mutating func append(block index: Int, of file: ColumnFile, ticker: TickerSymbol) throws(StoreError) {
    finishEncoding()
    for section in ColumnSection.all {
      let directory = try file.directory(section)
      _ = try file.block(index, section, directory)
      sections[section.index].append(file.blockBytes(index, section, directory).array, directory.entry(index))
    }
    finishBlock(rowCount: file.rowCount(index), of: ticker)
  }

  private mutating func append(_ encoded: [EncodedRows]) {
    for rows in encoded {
      for (section, block) in rows.sections.enumerated() {
        sections[section].append(block.bytes, block.entry)
      }
    }
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

  /// The file's bytes in order: header, block table, record table, directories, blocks. Traps unless all blocks are encoded.
  func parts(fileID: UInt64) -> [[UInt8]] {
    precondition(batch.isEmpty && encoding.count == 0, "blocks of this file are still being encoded")
    let directories = sections.map(\.directory)
    var parts = [blockTable, ImportRecordTable.encode(importRecords)] + directories
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
  mutating func append(_ bytes: [UInt8], _ entry: BlockEntry) {
    directoryBuilder.append(entry, offset: blocks.count)
    blocks += bytes
  }
}
