/// A mapped column file: the blocks of many tickers, and what is known of each block without reading it.
///
/// Directories and blocks are checked against their checksums when they are first used, and not again.
final class ColumnFile: Sendable {
  let path: String
  let header: ColumnFileHeader
  let file: MappedFile
  /// By `ColumnSection.index`.
  private let sections: [FileSection]
  /// Rows of each block.
  let rowCounts: [Int]
  /// One bit for each directory, then one for each block of each section.
  private let checked: AtomicBitmap

  /// Maps the file and checks its header and block table.
  convenience init(_ path: String, in fileSystem: some FileSystem) throws(StoreError) {
    let file: MappedFile
    do { file = try fileSystem.map(path) } catch { throw StoreError(reading: error) }
    try self.init(path, file)
  }

  /// Checks the header and block table of a file that was mapped from `path`.
  init(_ path: String, _ file: MappedFile) throws(StoreError) {
    let header = try ColumnFileHeader(file.view, path: path)
    file.announce(header.blockTable.range)
    let rowCounts = try Self.rowCounts(header, file, path)
    (self.path, self.file, self.header, self.rowCounts) = (path, file, header, rowCounts)
    checked = AtomicBitmap(bitCount: ColumnSection.count * (1 + header.blockCount))
    sections = ColumnSection.all.map { section in
      guard let column = header.column(section) else { return FileSection(missing: rowCounts, section) }
      return FileSection(column, isCopied: file.isGuarded)
    }
  }

  var id: UInt64 { header.fileID }
  var blockCount: Int { header.blockCount }
  var byteCount: Int { file.view.count }

  /// Whether volumes are float64 in this file, because some have a fraction.
  var hasFractions: Bool { header.hasFractions }

  /// Whether the values of an attribute are float64 in this file.
  func holdsDoubles(_ name: Attribute) -> Bool {
    switch name.key {
    case .double: true
    case .integer: hasFractions
    }
  }

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
    return rowCounts[index]
  }

  /// The directory of a section.
  func directory(_ section: ColumnSection) throws(StoreError) -> SectionDirectory {
    let part = sections[section.index]
    if let copy = part.copy?.bytes.load() { return SectionDirectory(copy.view, blockCount: blockCount, section) }
    let mapped = bytes(section).slice(part.directory.range)
    guard let copy = part.copy else { return try checked(mapped, section) }
    let bytes = OwnedBytes(mapped)
    _ = try checked(bytes.view, section)
    // Another thread may have been faster.
    return SectionDirectory(copy.bytes.storeIfNil(bytes).view, blockCount: blockCount, section)
  }

  /// The directory in these bytes, which are checked the first time.
  private func checked(_ bytes: ByteView, _ section: ColumnSection) throws(StoreError) -> SectionDirectory {
    let part = sections[section.index]
    let directory = SectionDirectory(bytes, blockCount: blockCount, section)
    if part.copy == nil, checked.contains(section.index) { return directory }
    guard Checksum(of: bytes).value == part.directory.checksum else {
      throw damage(at: part.directory.offset, "the directory of \(section)")
    }
    try StoreFormat.reading(path, at: part.directory.offset) { () throws(Damage) in
      try directory.check(sectionByteCount: part.blocks.byteCount)
      for (index, rowCount) in rowCounts.enumerated() where directory.missingCount(index) > rowCount {
        throw Damage(offset: 0, "block \(index) misses more than its \(rowCount) values")
      }
    }
    checked.insert(section.index)
    return directory
  }

  /// Block `index` of a section. `directory` is that section's.
  ///
  /// - Parameter copies: what `makeCopies` has made. The block of a guarded file lies in it until it is used again.
  func block(
    _ index: Int, _ section: ColumnSection, _ directory: SectionDirectory, _ copies: BlockCopies? = nil
  ) throws(StoreError) -> EncodedBlock {
    precondition(file.isGuarded == (copies != nil), "copies of \(path), which is guarded: \(file.isGuarded)")
    let bytes = try checkedBytes(index, section, directory, copies?.block)
    let start = offset(index, section, directory)
    let isTrusted = copies == nil && isChecked(index, section)
    let source = try sourceBytes(index, section, bytes, copies)
    // Parsed before, and its source before that.
    if isTrusted { return EncodedBlock(trusting: bytes, at: 0, source: source, at: 0) }
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
    _ index: Int, _ section: ColumnSection, _ bytes: ByteView, _ copies: BlockCopies?
  ) throws(StoreError) -> ByteView {
    guard let first = bytes.first, BlockEncoding.needsSource(first), sections[section.index].isDerived,
      let source = section.derivationSource
    else { return .empty }
    let directory = try directory(source)
    if copies == nil, !isChecked(index, source) { _ = try block(index, source, directory) }
    return try checkedBytes(index, source, directory, copies?.source)
  }

  /// The stored bytes of block `index` of a section, compared with their checksum: the first time, or, if they are a copy, each
  /// time.
  private func checkedBytes(
    _ index: Int, _ section: ColumnSection, _ directory: SectionDirectory, _ copy: CopiedBytes?
  ) throws(StoreError) -> ByteView {
    let mapped = blockBytes(index, section, directory)
    if copy == nil, isChecked(index, section) { return mapped }
    let bytes = copy?.copy(mapped) ?? mapped
    guard Checksum(of: bytes) == directory.checksum(index) else {
      throw damage(at: offset(index, section, directory), name(ofBlock: index, section))
    }
    return bytes
  }

  /// The stored bytes of block `index` of a section, checked.
  func storedBytes(
    ofBlock index: Int, _ section: ColumnSection, _ directory: SectionDirectory, _ copies: BlockCopies?
  ) throws(StoreError) -> ByteView {
    _ = try block(index, section, directory, copies)
    return try checkedBytes(index, section, directory, copies?.block)
  }

  /// Memory to read blocks into, on one thread; nil if they can be read where they are mapped.
  func makeCopies() -> BlockCopies? { file.isGuarded ? BlockCopies() : nil }

  /// That the checksum of a part is wrong, or why it can't be right.
  private func damage(at offset: Int, _ name: @autoclosure () -> String) -> StoreError {
    Self.damage(of: file, path, at: offset, name())
  }

  private static func damage(
    of file: MappedFile, _ path: String, at offset: Int, _ name: @autoclosure () -> String
  ) -> StoreError {
    .damaged(
      path: path, offset: offset,
      reason: file.isLost
        ? "the file became shorter while it was read; put the whole file back"
        : "the checksum of \(name()) differs")
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
    var records: [ImportRecord] = []
    try forEachImport { records.append($0) }
    return records
  }

  /// Calls `body` with the record of each import that this file keeps.
  func forEachImport(_ body: (ImportRecord) -> Void) throws(StoreError) {
    file.announce(header.recordTable.range)
    try withPart(header.recordTable, "the records of imports") { bytes throws(Damage) in
      header.version < StoreFormat.columnFileVersion
        ? try ImportRecordTable.forEach(inUnpacked: bytes, body) : try ImportRecordTable.forEach(in: bytes, body)
    }
  }

  /// Calls `body` with the bytes of a part, compared with their checksum.
  func withPart<Result>(
    _ extent: Extent, _ name: @autoclosure () -> String, _ body: (ByteView) throws(Damage) -> Result
  ) throws(StoreError) -> Result {
    try Self.withPart(extent, of: file, path, name(), body)
  }

  private static func withPart<Result>(
    _ extent: Extent, of file: MappedFile, _ path: String, _ name: @autoclosure () -> String,
    _ body: (ByteView) throws(Damage) -> Result
  ) throws(StoreError) -> Result {
    guard extent.byteCount <= Limits.partByteCount else {
      throw .damaged(path: path, offset: extent.offset, reason: "\(name()) would have \(extent.byteCount) bytes")
    }
    return try file.withStableBytes(extent.range) { bytes throws(StoreError) in
      guard Checksum(of: bytes).value == extent.checksum else {
        throw damage(of: file, path, at: extent.offset, name())
      }
      return try StoreFormat.reading(path, at: extent.offset) { () throws(Damage) in try body(bytes) }
    }
  }

  /// The rows of each block, checked.
  private static func rowCounts(
    _ header: ColumnFileHeader, _ file: MappedFile, _ path: String
  ) throws(StoreError) -> [Int] {
    let counts = try withPart(header.blockTable, of: file, path, "the block table") { table throws(Damage) in
      (0..<header.blockCount).map { Int(table.integer(at: $0 * 2, as: UInt16.self)) }
    }
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
    try withPart(header.blockTable, "the block table") { table throws(Damage) in
      var reader = ByteReader(table, at: (blockCount * 2 + 7) / 8 * 8)
      var runs: [FileRun] = []
      for _ in 0..<header.runCount {
        let start = reader.offset
        let run = try FileRun(&reader, blockCount: blockCount)
        // A reader of all runs goes over each block once.
        guard runs.last.map({ $0.firstBlock + $0.blockCount <= run.firstBlock }) ?? true else {
          throw Damage(offset: start, "a run of blocks begins before the end of the one before")
        }
        runs.append(run)
      }
      return runs
    }
  }
}

extension Extent {
  var range: Range<Int> { offset..<(offset + byteCount) }
}
