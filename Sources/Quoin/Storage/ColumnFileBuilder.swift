/// A column file in the making, in memory: blocks are appended ticker by ticker, then the whole is written.
struct ColumnFileBuilder {
  private var sections = ColumnSection.all.map { SectionBuilder(hasSums: $0.hasSums) }
  private var rowCounts: [Int] = []
  private var runs: [FileRun] = []
  /// The records of imports that the file will keep.
  var periods: [StockQuotePeriod] = []
  private let encoder: BlockEncoder

  init(_ choice: EncodingChoice) { encoder = BlockEncoder(choice: choice) }

  var blockCount: Int { rowCounts.count }
  var isEmpty: Bool { rowCounts.isEmpty && periods.isEmpty }

  /// Whether the file has as many blocks as one may have.
  var isFull: Bool { blockCount >= Limits.blocksPerFile }

  /// Encodes the rows `range`, at most a block's, of a ticker's columns.
  mutating func append(_ columns: QuoteColumns, rows range: Range<Int>, of ticker: TickerSymbol) {
    append(range.map { Int64(columns.days[$0].daysSince1970) }, .date)
    var doubles: [AttributeName: BlockSource<Double>] = [:]
    var integers: [AttributeName: BlockSource<Int64>] = [:]
    // A derived attribute comes after the one that it is derived from.
    for name in AttributeName.allCases {
      let source = name.derivationSource
      if name.isInteger {
        let values = Array(columns.integers[name.slot][range])
        integers[name] = append(values, .attribute(name), source: source.flatMap { integers[$0] })
      } else {
        let values = columns.doubles[name.slot][range].map(\.canonical)
        doubles[name] = append(values, .attribute(name), source: source.flatMap { doubles[$0] })
      }
    }
    finishBlock(rowCount: range.count, of: ticker)
  }

  /// Takes over block `index` of another file as it is, after checking it.
  mutating func append(block index: Int, of file: ColumnFile, ticker: TickerSymbol) throws(StoreError) {
    for section in ColumnSection.all {
      let directory = try file.directory(section)
      _ = try file.block(index, section, directory)
      unsafe sections[section.index].append(
        file.blockBytes(index, section, directory), directory.entry(index))
    }
    finishBlock(rowCount: file.rowCount(index), of: ticker)
  }

  @discardableResult
  private mutating func append<Value: BlockValue>(
    _ values: [Value], _ section: ColumnSection, source: BlockSource<Value>? = nil
  ) -> BlockSource<Value> {
    let image = unsafe values.withUnsafeBufferPointer {
      unsafe encoder.encode($0, areDays: section == .date, source: source)
    }
    unsafe image.bytes.withUnsafeBytes { bytes in
      unsafe sections[section.index].append(
        bytes, BlockEntry(image))
    }
    return BlockSource(values: values, bytes: image.bytes)
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

  /// The file's bytes in order: header, block table, period table, directories, blocks.
  func parts(fileID: UInt64) -> [[UInt8]] {
    let directories = sections.map(\.directory)
    var parts = [blockTable, PeriodTable.encode(periods)] + directories
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
      fileID: fileID, blockCount: blockCount, runCount: runs.count, blockTable: extents[0], periodTable: extents[1],
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
