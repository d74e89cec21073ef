/// A column file in the making, in memory. Blocks are appended ticker by ticker, then the whole file is written.
struct ColumnFileBuilder: ~Copyable {
  private typealias Batch = [(columns: QuoteColumns, rows: Range<Int>)]

  private var sections = ColumnSection.all.map { SectionBuilder(hasSums: $0.hasSums) }
  /// The extremes of each ratio of `BlockRatio.all`, block by block.
  private var ratios: [[UInt8]] = BlockRatio.all.map { _ in [] }
  /// Those of the files of which blocks are copied, by the file's id.
  private var copied: [UInt64: [[RatioExtremes]]] = [:]
  private var rowCounts: [Int] = []
  private var runs: [FileRun] = []
  /// Whether volumes are float64, because some have a fraction.
  let hasFractions: Bool
  /// The records of imports that the file will keep.
  var importRecords: [ImportRecord] = []
  /// Rows that are encoded together, because waking another thread for a few of them would take longer than encoding them.
  private var batch: Batch = []
  private var batchRowCount = 0
  private static let batchRowLimit = 512
  /// What is encoded of small blocks should stay in the cache until it is copied.
  private static let batchBlockLimit = 128
  /// Batches that are being encoded. Their blocks have their places in the file already.
  private var encoding: OrderedMap<RowEncoder, Batch, EncodedRows, Never>

  init(_ choice: EncodingChoice, _ crew: Crew = .alone, hasFractions: Bool = false) {
    self.hasFractions = hasFractions
    encoding = OrderedMap(crew, worker: RowEncoder(choice)) { encoder, batch in
      var encoded = EncodedRows()
      for (columns, rows) in batch { encoder.encode(columns, rows: rows, to: &encoded) }
      return encoded
    }
  }

  var blockCount: Int { rowCounts.count }
  var isEmpty: Bool { rowCounts.isEmpty && importRecords.isEmpty }

  /// Whether the file has as many blocks as one may have.
  var isFull: Bool { blockCount >= Limits.blocksPerFile }

  /// Encodes the rows `range`, at most a block's, of a ticker's columns: now, or on another thread while more rows come.
  ///
  /// - Throws: `inexactVolume`.
  mutating func append(
    _ columns: QuoteColumns, rows range: Range<Int>, of ticker: TickerSymbol
  ) throws(StoreError) {
    precondition(hasFractions || !columns.hasFractions, "volumes of \(ticker) are float64")
    if hasFractions {
      let columns = columns.withFractions(range)
      if let row = columns.firstInfiniteVolume(0..<range.count) {
        throw .inexactVolume(ticker: ticker, day: columns.dayValues[row])
      }
      batch.append((columns, 0..<range.count))
    } else {
      batch.append((columns, range))
    }
    batchRowCount += range.count
    finishBlock(rowCount: range.count, of: ticker)
    if batchRowCount >= Self.batchRowLimit || batch.count >= Self.batchBlockLimit { startBatch() }
  }

  private mutating func startBatch() {
    guard !batch.isEmpty else { return }
    encoding.push(batch)
    (batch, batchRowCount) = ([], 0)
    if encoding.isFull, let blocks = encoding.next() { append(blocks) }
  }

  /// Waits until all blocks are encoded.
  mutating func finishEncoding() {
    startBatch()
    while let blocks = encoding.next() { append(blocks) }
  }

  /// Copies block `index` of another file with volumes of the same type, after checking it.
  mutating func append(block index: Int, of file: ColumnFile, ticker: TickerSymbol) throws(StoreError) {
    precondition(file.hasFractions == hasFractions, "a block of \(file.path) with other volumes")
    finishEncoding()
    let copies = file.makeCopies()
    for section in ColumnSection.all {
      let directory = try file.directory(section)
      let bytes = try file.storedBytes(ofBlock: index, section, directory, copies).array
      var block = EncodedBlocks()
      block.append(bytes, directory.entry(index))
      sections[section.index].append(block)
    }
    let extremes = try extremes(in: file)
    for (place, ratio) in BlockRatio.all.enumerated() { extremes[place][index].append(to: &ratios[place], of: ratio) }
    finishBlock(rowCount: file.rowCount(index), of: ticker)
  }

  /// The extremes of all ratios in each block of a file, of which blocks are copied.
  private mutating func extremes(in file: ColumnFile) throws(StoreError) -> [[RatioExtremes]] {
    if let extremes = copied[file.id] { return extremes }
    var extremes: [[RatioExtremes]] = []
    for ratio in BlockRatio.all { extremes.append(try file.extremes(of: ratio)) }
    copied[file.id] = extremes
    return extremes
  }

  private mutating func append(_ encoded: EncodedRows) {
    for section in sections.indices { sections[section].append(encoded.sections[section]) }
    for ratio in ratios.indices { ratios[ratio] += encoded.ratios[ratio] }
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

  /// The file's bytes in order: header, block table, record table, directories, extremes of ratios, blocks. Traps unless all blocks are encoded.
  func parts(fileID: UInt64) -> [[UInt8]] {
    precondition(batch.isEmpty && encoding.count == 0, "blocks of this file are still being encoded")
    let directories = sections.map(\.directory)
    var parts = [blockTable, ImportRecordTable.encode(importRecords)] + directories + ratios
    var extents: [Extent] = []
    var offset = ColumnFileHeader.byteCount
    for index in parts.indices {
      extents.append(Extent(offset: offset, byteCount: parts[index].count, checksum: Checksum(of: parts[index]).value))
      parts[index].pad(to: 8)
      offset += parts[index].count
    }
    var columns: [StoredColumn] = []
    for section in ColumnSection.all {
      let builder = sections[section.index]
      // Blocks have their own checksums.
      let blocks = Extent(offset: offset, byteCount: builder.byteCount, checksum: 0)
      columns.append(
        StoredColumn(section, hasFractions: hasFractions, directory: extents[2 + section.index], blocks: blocks))
      parts += builder.blocks
      offset += builder.byteCount
    }
    let header = ColumnFileHeader(
      fileID: fileID, blockCount: blockCount, runCount: runs.count, blockTable: extents[0], recordTable: extents[1],
      columns: columns,
      statistics: zip(BlockRatio.all, extents.suffix(ratios.count)).map { StoredStatistics($0.name, $1) })
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

/// The blocks of one section and what its directory says of them.
private struct SectionBuilder {
  let hasSums: Bool
  /// One after another, in parts.
  private(set) var blocks: [[UInt8]] = []
  private(set) var byteCount = 0
  private var entries: [BlockEntry] = []

  init(hasSums: Bool) { self.hasSums = hasSums }

  var directory: [UInt8] { SectionDirectory.bytes(of: entries, hasSums: hasSums) }

  mutating func append(_ encoded: EncodedBlocks) {
    blocks.append(encoded.bytes)
    byteCount += encoded.bytes.count
    entries += encoded.entries
  }
}
