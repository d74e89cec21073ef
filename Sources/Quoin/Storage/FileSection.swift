import Synchronization

/// Where the bytes of a section are: in the file, or made up for a column that the file lacks.
struct FileSection: Sendable {
  /// In the file, or in `made`.
  let directory: Extent
  let blocks: Extent
  /// Whether blocks may be computed from those of another column.
  let isDerived: Bool
  /// The directory and the blocks of a column that the file lacks.
  let made: OwnedBytes?
  /// The place of a copy of the directory, once it was read, if the file is guarded.
  let copy: DirectoryCopy?

  init(_ column: StoredColumn, isCopied: Bool) {
    (directory, blocks, isDerived, made) = (column.directory, column.blocks, column.source != nil, nil)
    copy = isCopied ? DirectoryCopy() : nil
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
    (isDerived, made, copy) = (false, OwnedBytes(bytes + encoded.bytes), nil)
  }
}

/// A copy of a directory, made when it is first asked for.
final class DirectoryCopy: Sendable {
  let bytes = AtomicLazyReference<OwnedBytes>()
}
