/// The rows that a predicate selects, block by block, in the order of results. Filtering makes it for materializing.
struct Selection: Sendable {
  private(set) var blocks: [SelectedBlock] = []
  /// The selected rows of the blocks that are not whole, block after block, rising within each.
  private var rows = ColumnBuffer<UInt16>()
  /// The same rows as bits, one mask for each of these blocks.
  private var masks = ColumnBuffer<RowMask>()

  /// Stored bytes of the blocks that were read to find them.
  var readByteCount = 0

  /// Adds the rows of `mask`, the mask of a block of `blockRowCount` rows.
  mutating func append(_ mask: RowMask, of candidate: Candidate, blockRowCount: Int) {
    let (count, first) = (mask.count, rows.count)
    guard count > 0 else { return }
    blocks.append(
      SelectedBlock(
        candidate: candidate, firstRow: first, mask: masks.count, rowCount: count, isWhole: count == blockRowCount))
    if count < blockRowCount {
      rows.append(rowsOf: mask, count: count)
      masks.append(mask)
    }
  }

  /// Adds the rows of another selection.
  mutating func append(_ other: Selection) {
    let (first, mask) = (rows.count, masks.count)
    rows.append(contentsOf: other.rows)
    masks.append(contentsOf: other.masks)
    for var block in other.blocks {
      block.firstRow += first
      block.mask += mask
      blocks.append(block)
    }
    readByteCount += other.readByteCount
  }

  /// Keeps the selected rows of block `index` that are at these places in the given order, and drops the others.
  mutating func keep(_ places: Range<Int>, ofBlockAt index: Int, _ order: DateOrder) {
    var block = blocks[index]
    let selected = block.isWhole ? Array(0..<UInt16(block.rowCount)) : rows.array(block.rows)
    let kept = Array(selected[order.rising(places, of: selected.count)])
    (block.firstRow, block.mask, block.rowCount, block.isWhole) = (rows.count, masks.count, kept.count, false)
    rows.append(contentsOf: ColumnBuffer(kept))
    masks.append(kept.reduce(into: .none) { $0[Int($1)] = true })
    blocks[index] = block
  }

  /// Calls `body` with the rows of the blocks that are not whole.
  func withRows<Value, Failure>(
    _ body: (RowLists) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try RowLists.with(rows, masks, body)
  }
}

extension DateOrder {
  /// Where the rows are, counted in rising order of days, that are at these places of `count` rows in this order.
  func rising(_ places: Range<Int>, of count: Int) -> Range<Int> {
    self == .ascending ? places : (count - places.upperBound)..<(count - places.lowerBound)
  }
}

/// A block that has selected rows.
struct SelectedBlock: Sendable, BitwiseCopyable {
  let candidate: Candidate
  /// Where its rows begin among the selection's, and where its mask is, unless it is whole.
  fileprivate var firstRow: Int
  fileprivate var mask: Int
  fileprivate(set) var rowCount: Int
  /// Whether every row of the block is selected.
  fileprivate(set) var isWhole: Bool

  fileprivate var rows: Range<Int> { firstRow..<(firstRow + rowCount) }
}

extension RowLists {
  /// The selected rows of a block; nil for a whole one.
  @inline(__always)
  func rows(of block: SelectedBlock) -> RowList? {
    block.isWhole ? nil : list(block.rows, mask: block.mask)
  }
}
