import CKernels

/// Reads many blocks of one section of a column file. `ColumnFile` would look up the same things again for each block.
@safe
struct SectionReader {
  let file: ColumnFile
  let section: ColumnSection
  private let directory: SectionDirectory
  private let blocks: UnsafeRawPointer
  /// The section that derived blocks are computed from, or this section if it isn't derived.
  private let sourceDirectory: SectionDirectory
  private let sourceBlocks: UnsafeRawPointer

  init(_ file: ColumnFile, _ section: ColumnSection) throws(StoreError) {
    self.file = file
    self.section = section
    let source = section.derivationSource ?? section
    directory = try file.directory(section)
    sourceDirectory = try file.directory(source)
    // Sound: a file is not empty, so there are base addresses; `file` keeps the bytes.
    unsafe blocks = file.sectionBytes(section).baseAddress!
    unsafe sourceBlocks = file.sectionBytes(source).baseAddress!
  }

  /// Block `index`, which is checked when it is read for the first time.
  @inline(__always)
  func block(_ index: Int) throws(StoreError) -> EncodedBlock {
    guard file.isChecked(index, section) else { return try file.block(index, section, directory) }
    // Sound: the block was parsed before and, if it is derived, so was the block that it is computed from.
    return unsafe EncodedBlock(
      trusting: blocks + directory.blockOffset(index), source: sourceBlocks + sourceDirectory.blockOffset(index))
  }

  /// Asks the processor to fetch the beginning of block `index`.
  @inline(__always)
  func prefetch(_ index: Int) { unsafe quoin_prefetch(blocks + directory.blockOffset(index)) }

  /// Asks the processor to fetch what gathering these rows of block `index` will read.
  @inline(__always)
  func prefetch(_ rows: RowList, ofBlock index: Int) {
    // Sound even before the block is checked: its header is in the file, and nothing is read from the other addresses.
    unsafe EncodedBlock(trusting: blocks + directory.blockOffset(index)).prefetch(rows)
  }

  /// Stored bytes of block `index`.
  @inline(__always)
  func byteCount(_ index: Int) -> Int { directory.blockOffset(index + 1) - directory.blockOffset(index) }

  /// A damage of block `index` as an error of the store.
  func error(_ damage: Damage, inBlock index: Int) -> StoreError {
    let start = file.offset(index, section, directory)
    return .damaged(path: file.path, offset: start + damage.offset, reason: damage.reason)
  }
}
