/// One section of a column file, for reading many of its blocks: what `ColumnFile` looks up for each, looked up once.
final class SectionReader {
  let file: ColumnFile
  let section: ColumnSection
  let directory: SectionDirectory
  /// Whether the values are int64.
  let holdsIntegers: Bool
  private let blocks: ByteView
  /// The section that derived blocks are computed from; this one again when there is none.
  private let sourceDirectory: SectionDirectory
  private let sourceBlocks: ByteView
  /// Where blocks are read from if the file is guarded.
  private let copies: BlockCopies?

  init(_ file: ColumnFile, _ section: ColumnSection) throws(StoreError) {
    self.file = file
    self.section = section
    let source = section.derivationSource ?? section
    directory = try file.directory(section)
    holdsIntegers = if case .attribute(let name) = section { !file.holdsDoubles(name) } else { true }
    sourceDirectory = try file.directory(source)
    blocks = file.sectionBytes(section)
    sourceBlocks = file.sectionBytes(source)
    copies = file.makeCopies()
  }

  /// Block `index`, which is checked when it is read for the first time; if the file is guarded, each time, and it can be used
  /// until the next one is asked for.
  @inline(__always)
  func block(_ index: Int) throws(StoreError) -> EncodedBlock { try block(index, in: copies) }

  /// The same in memory that is used only if the file is guarded, until another block is read into it.
  @inline(__always)
  func block(_ index: Int, in memory: @autoclosure () -> BlockCopies?) throws(StoreError) -> EncodedBlock {
    guard copies == nil, file.isChecked(index, section) else {
      return try file.block(index, section, directory, copies == nil ? nil : memory())
    }
    // The block was parsed before, and if it is derived, the one that it is computed from too.
    return EncodedBlock(
      trusting: blocks, at: directory.blockOffset(index), source: sourceBlocks, at: sourceDirectory.blockOffset(index))
  }

  /// Asks the processor to fetch the beginning of block `index`.
  @inline(__always)
  func prefetch(_ index: Int) { blocks.prefetch(at: directory.blockOffset(index)) }

  /// Asks the processor to fetch what gathering these rows of block `index` will read.
  @inline(__always)
  func prefetch(_ rows: RowList, ofBlock index: Int) {
    EncodedBlock.prefetch(rows, ofBlockAt: directory.blockOffset(index), in: blocks)
  }

  /// Stored bytes of block `index`.
  @inline(__always)
  func byteCount(_ index: Int) -> Int { directory.blockOffset(index + 1) - directory.blockOffset(index) }

  /// A damage of block `index` as an error of the store.
  func error(_ damage: Damage, inBlock index: Int) -> StoreError {
    StoreError(damage, file.path, at: file.offset(index, section, directory))
  }
}
