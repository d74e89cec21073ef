/// A mapped column file: the blocks of many tickers, and what is known of each block without reading it.
///
/// Directories and blocks are checked against their checksums when they are first used, and not again.
final class ColumnFile: Sendable {
  let path: String
  let header: ColumnFileHeader
  private let file: MappedFile
  /// One bit for each directory, then one for each block of each section.
  private let checked: AtomicBitmap

  /// Maps the file and checks its header and block table.
  init(_ path: String, in fileSystem: some FileSystem) throws(StoreError) {
    do { file = try fileSystem.map(path) } catch { throw .inputOutput(error) }
    self.path = path
    header = try ColumnFileHeader(file.view, path: path)
    checked = AtomicBitmap(bitCount: ColumnSection.count * (1 + header.blockCount))
    try checkRowCounts()
  }

  var id: UInt64 { header.fileID }
  var blockCount: Int { header.blockCount }
  var byteCount: Int { file.view.count }

  /// Rows of block `index`.
  func rowCount(_ index: Int) -> Int {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return Int(file.view.integer(at: header.blockTable.offset + index * 2, as: UInt16.self))
  }

  /// The directory of a section.
  func directory(_ section: ColumnSection) throws(StoreError) -> SectionDirectory {
    let extent = header.directories[section.index]
    let bytes = file.view.slice(extent.range)
    let directory = SectionDirectory(bytes, blockCount: blockCount, hasSums: section.hasSums)
    if !checked.contains(section.index) {
      _ = try part(extent, "the directory of \(section)")
      try StoreFormat.reading(path, at: extent.offset) { () throws(Damage) in
        try directory.check(sectionByteCount: header.blocks[section.index].byteCount)
      }
      checked.insert(section.index)
    }
    return directory
  }

  /// Block `index` of a section. `directory` is that section's.
  func block(_ index: Int, _ section: ColumnSection, _ directory: SectionDirectory) throws(StoreError) -> EncodedBlock {
    let bytes = blockBytes(index, section, directory)
    let start = offset(index, section, directory)
    let isChecked = isChecked(index, section)
    if !isChecked, Checksum(of: bytes) != directory.checksum(index) {
      throw .damaged(
        path: path, offset: start, reason: "the checksum of \(name(ofBlock: index, section)) differs")
    }
    let source = try sourceBytes(index, section, bytes)
    // Parsed before, and its source before that.
    if isChecked { return EncodedBlock(trusting: bytes, at: 0, source: source, at: 0) }
    let block = try StoreFormat.reading(path, at: start) { () throws(Damage) in
      let block = try EncodedBlock(bytes, source: source)
      guard block.rowCount == rowCount(index) else { throw Damage(offset: 2, "block \(index) has a wrong row count") }
      return block
    }
    checked.insert(bit(index, section))
    return block
  }

  /// Where in the file block `index` of a section begins.
  func offset(_ index: Int, _ section: ColumnSection, _ directory: SectionDirectory) -> Int {
    header.blocks[section.index].offset + directory.blockOffset(index)
  }

  /// Whether block `index` of a section was read before and found sound, and also the block that it is computed from.
  func isChecked(_ index: Int, _ section: ColumnSection) -> Bool { checked.contains(bit(index, section)) }

  private func bit(_ index: Int, _ section: ColumnSection) -> Int {
    ColumnSection.count + section.index * blockCount + index
  }

  /// The checked bytes of the block that a derived block is computed from; no bytes for other blocks.
  private func sourceBytes(
    _ index: Int, _ section: ColumnSection, _ bytes: ByteView
  ) throws(StoreError) -> ByteView {
    guard let first = bytes.first, BlockEncoding.needsSource(first), let source = section.derivationSource else {
      return .empty
    }
    let directory = try directory(source)
    if !isChecked(index, source) { _ = try block(index, source, directory) }
    return blockBytes(index, source, directory)
  }

  /// The stored bytes of a section's blocks.
  func sectionBytes(_ section: ColumnSection) -> ByteView {
    let extent = header.blocks[section.index]
    return file.view.slice(extent.range)
  }

  /// The stored bytes of block `index` of a section, as they are.
  func blockBytes(_ index: Int, _ section: ColumnSection, _ directory: SectionDirectory) -> ByteView {
    let start = header.blocks[section.index].offset
    let range = (start + directory.blockOffset(index))..<(start + directory.blockOffset(index + 1))
    return file.view.slice(range)
  }

  /// The imports whose records this file keeps.
  func importRecords() throws(StoreError) -> [ImportRecord] {
    let bytes = try part(header.recordTable, "the records of imports")
    return try StoreFormat.reading(path, at: header.recordTable.offset) { () throws(Damage) in
      try ImportRecordTable.decode(bytes)
    }
  }

  /// Calls `body` with the ticker and the moment of each of these imports.
  func forEachImport(_ body: (TickerSymbol, ImportRecord.Timestamp) -> Void) throws(StoreError) {
    let bytes = try part(header.recordTable, "the records of imports")
    try StoreFormat.reading(path, at: header.recordTable.offset) { () throws(Damage) in
      try ImportRecordTable.forEachImport(in: bytes, body)
    }
  }

  /// The bytes of a part, compared with their checksum.
  private func part(_ extent: Extent, _ name: @autoclosure () -> String) throws(StoreError) -> ByteView {
    let bytes = file.view.slice(extent.range)
    guard Checksum(of: bytes).value == extent.checksum else {
      throw .damaged(path: path, offset: extent.offset, reason: "the checksum of \(name()) differs")
    }
    return bytes
  }

  private func checkRowCounts() throws(StoreError) {
    _ = try part(header.blockTable, "the block table")
    for index in 0..<blockCount where !(1...Limits.rowsPerBlock).contains(rowCount(index)) {
      throw .damaged(
        path: path, offset: header.blockTable.offset + index * 2,
        reason: "block \(index) has \(rowCount(index)) rows")
    }
  }

  /// What a block holds, for people: `block 3 (high of FDX)`.
  func name(ofBlock index: Int, _ section: ColumnSection) -> String {
    let run = (try? runs())?.first { ($0.firstBlock..<($0.firstBlock + $0.blockCount)).contains(index) }
    return "block \(index) (\(section)\(run.map { " of \($0.ticker)" } ?? ""))"
  }

  /// Which blocks belong to which ticker, for messages and for a repair without the manifest.
  func runs() throws(StoreError) -> [FileRun] {
    let table = try part(header.blockTable, "the block table")
    return try StoreFormat.reading(path, at: header.blockTable.offset) { () throws(Damage) in
      var reader = ByteReader(table, at: (blockCount * 2 + 7) / 8 * 8)
      var runs: [FileRun] = []
      for _ in 0..<header.runCount { runs.append(try FileRun(&reader, blockCount: blockCount)) }
      return runs
    }
  }
}

extension Extent {
  fileprivate var range: Range<Int> { offset..<(offset + byteCount) }
}

/// Neighboring blocks of one ticker in a column file, in order of days. Only messages and repair use it; a store reads the
/// manifest.
struct FileRun: Equatable, Sendable {
  static let byteCount = 24

  let ticker: TickerSymbol
  let firstBlock: Int
  let blockCount: Int

  init(ticker: TickerSymbol, firstBlock: Int, blockCount: Int) {
    self.ticker = ticker
    self.firstBlock = firstBlock
    self.blockCount = blockCount
  }

  init(_ reader: inout ByteReader, blockCount fileBlockCount: Int) throws(Damage) {
    let start = reader.offset
    ticker = try TickerSymbol(&reader)
    firstBlock = Int(try reader.read(UInt32.self))
    blockCount = Int(try reader.read(UInt32.self))
    guard blockCount > 0, firstBlock + blockCount <= fileBlockCount else {
      throw Damage(offset: start, "a run of blocks reaches past the last block")
    }
  }

  func append(to bytes: inout [UInt8]) {
    ticker.append(to: &bytes)
    bytes.append(littleEndian: UInt32(firstBlock))
    bytes.append(littleEndian: UInt32(blockCount))
  }
}

extension TickerSymbol {
  init(_ reader: inout ByteReader) throws(Damage) {
    let start = reader.offset
    guard let ticker = TickerSymbol(high: try reader.read(), low: try reader.read()) else {
      throw Damage(offset: start, "no ticker symbol")
    }
    self = ticker
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: high)
    bytes.append(littleEndian: low)
  }
}
