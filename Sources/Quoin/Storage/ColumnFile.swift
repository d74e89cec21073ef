/// A mapped column file: the blocks of many tickers, and what is known of each block without reading it.
///
/// Directories and blocks are checked against their checksums when they are first used, and not again.
final class ColumnFile: Sendable {
  let path: String
  let header: ColumnFileHeader
  let file: MappedFile
  /// By `ColumnSection.index`.
  private let sections: [FileSection]
  /// One bit for each directory, then one for each block of each section.
  private let checked: AtomicBitmap

  /// Maps the file and checks its header and block table.
  convenience init(_ path: String, in fileSystem: some FileSystem) throws(StoreError) {
    let file: MappedFile
    do { file = try fileSystem.map(path) } catch { throw .inputOutput(error) }
    try self.init(path, file)
  }

  /// Checks the header and block table of a file that was mapped from `path`.
  init(_ path: String, _ file: MappedFile) throws(StoreError) {
    let header = try ColumnFileHeader(file.view, path: path)
    file.announce(header.blockTable.range)
    let rowCounts = try Self.rowCounts(header, file.view, path)
    (self.path, self.file, self.header) = (path, file, header)
    checked = AtomicBitmap(bitCount: ColumnSection.count * (1 + header.blockCount))
    sections = ColumnSection.all.map { section in
      header.column(section).map { FileSection($0) } ?? FileSection(missing: rowCounts, section)
    }
  }

  var id: UInt64 { header.fileID }
  var blockCount: Int { header.blockCount }
  var byteCount: Int { file.view.count }

  /// Whether the file has the column. In every row of a file without it the value is missing.
  func has(_ section: ColumnSection) -> Bool { header.places[section.index] != nil }

  /// That the file has columns which this version doesn't know; nil if it hasn't.
  var unknownColumnError: StoreError? {
    let names = header.unknownColumns.map(\.name)
    guard !names.isEmpty else { return nil }
    return .unsupported(path: path, feature: "the column \(names.joined(separator: ", "))")
  }

  /// Rows of block `index`.
  func rowCount(_ index: Int) -> Int {
    precondition(index >= 0 && index < blockCount, "block \(index) of \(blockCount)")
    return Int(file.view.integer(at: header.blockTable.offset + index * 2, as: UInt16.self))
  }

  /// The directory of a section.
  func directory(_ section: ColumnSection) throws(StoreError) -> SectionDirectory {
    let part = sections[section.index]
    let bytes = bytes(section).slice(part.directory.range)
    let directory = SectionDirectory(bytes, blockCount: blockCount, hasSums: section.hasSums)
    if !checked.contains(section.index) {
      guard Checksum(of: bytes).value == part.directory.checksum else {
        throw .damaged(
          path: path, offset: part.directory.offset, reason: "the checksum of the directory of \(section) differs")
      }
      try StoreFormat.reading(path, at: part.directory.offset) { () throws(Damage) in
        try directory.check(sectionByteCount: part.blocks.byteCount)
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
    sections[section.index].blocks.offset + directory.blockOffset(index)
  }

  /// Whether the directory of a section was read before and found sound.
  func isDirectoryChecked(_ section: ColumnSection) -> Bool { checked.contains(section.index) }

  /// Whether block `index` of a section was read before and found sound, and also the block that it is computed from.
  func isChecked(_ index: Int, _ section: ColumnSection) -> Bool { checked.contains(bit(index, section)) }

  private func bit(_ index: Int, _ section: ColumnSection) -> Int {
    ColumnSection.count + section.index * blockCount + index
  }

  /// The checked bytes of the block that a derived block is computed from; no bytes for other blocks.
  private func sourceBytes(
    _ index: Int, _ section: ColumnSection, _ bytes: ByteView
  ) throws(StoreError) -> ByteView {
    guard let first = bytes.first, BlockEncoding.needsSource(first), sections[section.index].isDerived,
      let source = section.derivationSource
    else { return .empty }
    let directory = try directory(source)
    if !isChecked(index, source) { _ = try block(index, source, directory) }
    return blockBytes(index, source, directory)
  }

  /// The bytes that a section lies in.
  private func bytes(_ section: ColumnSection) -> ByteView { sections[section.index].made?.view ?? file.view }

  /// The stored bytes of a section's blocks.
  func sectionBytes(_ section: ColumnSection) -> ByteView { bytes(section).slice(sections[section.index].blocks.range) }

  /// The stored bytes of block `index` of a section, as they are.
  func blockBytes(_ index: Int, _ section: ColumnSection, _ directory: SectionDirectory) -> ByteView {
    let start = sections[section.index].blocks.offset
    return bytes(section).slice((start + directory.blockOffset(index))..<(start + directory.blockOffset(index + 1)))
  }

  /// The imports whose records this file keeps.
  func importRecords() throws(StoreError) -> [ImportRecord] {
    file.announce(header.recordTable.range)
    let bytes = try part(header.recordTable, "the records of imports")
    return try StoreFormat.reading(path, at: header.recordTable.offset) { () throws(Damage) in
      try ImportRecordTable.decode(bytes)
    }
  }

  /// Calls `body` with the ticker and the moment of each of these imports.
  func forEachImport(_ body: (TickerSymbol, CommitTime) -> Void) throws(StoreError) {
    file.announce(header.recordTable.range)
    let bytes = try part(header.recordTable, "the records of imports")
    try StoreFormat.reading(path, at: header.recordTable.offset) { () throws(Damage) in
      try ImportRecordTable.forEachImport(in: bytes, body)
    }
  }

  /// The bytes of a part, compared with their checksum.
  func part(_ extent: Extent, _ name: @autoclosure () -> String) throws(StoreError) -> ByteView {
    try Self.part(extent, name(), file.view, path)
  }

  private static func part(
    _ extent: Extent, _ name: @autoclosure () -> String, _ file: ByteView, _ path: String
  ) throws(StoreError) -> ByteView {
    let bytes = file.slice(extent.range)
    guard Checksum(of: bytes).value == extent.checksum else {
      throw .damaged(path: path, offset: extent.offset, reason: "the checksum of \(name()) differs")
    }
    return bytes
  }

  /// The rows of each block, checked.
  private static func rowCounts(
    _ header: ColumnFileHeader, _ file: ByteView, _ path: String
  ) throws(StoreError) -> [Int] {
    let table = try part(header.blockTable, "the block table", file, path)
    let counts = (0..<header.blockCount).map { Int(table.integer(at: $0 * 2, as: UInt16.self)) }
    for (index, count) in counts.enumerated() where !(1...Limits.rowsPerBlock).contains(count) {
      throw .damaged(
        path: path, offset: header.blockTable.offset + index * 2, reason: "block \(index) has \(count) rows")
    }
    return counts
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

/// Where the bytes of a section are: in the file, or made up for a column that the file lacks.
private struct FileSection: Sendable {
  /// In the file, or in `made`.
  let directory: Extent
  let blocks: Extent
  /// Whether blocks may be computed from those of another column.
  let isDerived: Bool
  /// The directory and the blocks of a column that the file lacks.
  let made: OwnedBytes?

  init(_ column: StoredColumn) {
    (directory, blocks, isDerived, made) = (column.directory, column.blocks, column.source != nil, nil)
  }

  /// A section without values, in blocks of so many rows.
  init(missing rowCounts: [Int], _ section: ColumnSection) {
    var encoded = EncodedBlocks()
    let encoder = BlockEncoder()
    for count in rowCounts {
      if section.kind == 1 {
        encoded.append(encoder.encode(ColumnBuffer(repeating: Double.missing, count: count), rows: 0..<count))
      } else {
        encoded.append(encoder.encode(ColumnBuffer(repeating: Int64.missing, count: count), rows: 0..<count))
      }
    }
    let bytes = SectionDirectory.bytes(of: encoded.entries, hasSums: section.hasSums)
    directory = Extent(offset: 0, byteCount: bytes.count, checksum: Checksum(of: bytes).value)
    blocks = Extent(offset: bytes.count, byteCount: encoded.bytes.count, checksum: 0)
    (isDerived, made) = (false, OwnedBytes(bytes + encoded.bytes))
  }
}

extension Extent {
  var range: Range<Int> { offset..<(offset + byteCount) }
}

/// Neighboring blocks of one ticker in a column file, in order of days. Only messages and repair use it; a store reads the
/// manifest.
struct FileRun: Equatable, Sendable {
  static let byteCount = Limits.tickerByteCount + 8

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
    // Text, not numbers: the first byte is the highest of its word.
    func word() throws(Damage) -> UInt64 { try reader.read(UInt64.self).byteSwapped }
    guard let ticker = TickerSymbol(stored: (try word(), try word(), try word(), try word())) else {
      throw Damage(offset: start, "no ticker symbol")
    }
    self = ticker
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: words.0.byteSwapped)
    bytes.append(littleEndian: words.1.byteSwapped)
    bytes.append(littleEndian: words.2.byteSwapped)
    bytes.append(littleEndian: words.3.byteSwapped)
  }
}
