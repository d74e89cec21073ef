/// The rows that a predicate selected, block by block, in the order of results: what filtering hands to materializing.
struct Selection: Sendable {
  private(set) var blocks: [SelectedBlock] = []
  /// The selected rows of the blocks that are not whole, one block's after another's, each rising.
  private var rows: [UInt16] = []
  private(set) var rowCount = 0

  /// Stored bytes that were looked into to find them.
  var readByteCount = 0

  /// Adds the rows of `mask`, which is that of a block of `blockRowCount` rows.
  mutating func append(_ mask: RowMask, of candidate: Candidate, blockRowCount: Int) {
    let (count, first) = (mask.count, rows.count)
    guard count > 0 else { return }
    if count < blockRowCount { mask.forEachRow { rows.append(UInt16($0)) } }
    blocks.append(
      SelectedBlock(candidate: candidate, firstRow: first, rowCount: count, isWhole: count == blockRowCount))
    rowCount += count
  }

  /// Adds the rows of another selection.
  mutating func append(_ other: Selection) {
    let first = rows.count
    rows += other.rows
    for var block in other.blocks {
      block.firstRow += first
      blocks.append(block)
    }
    rowCount += other.rowCount
    readByteCount += other.readByteCount
  }

  /// Keeps `count` rows of block `index`, those that come first in the given order, and drops the others.
  mutating func keep(_ count: Int, ofBlockAt index: Int, _ order: DateOrder) {
    let dropped = blocks[index].rowCount - count
    rowCount -= dropped
    if blocks[index].isWhole {
      blocks[index].firstRow = rows.count
      rows += (0..<UInt16(blocks[index].rowCount))
    }
    if order == .descending { blocks[index].firstRow += dropped }
    blocks[index].rowCount = count
    blocks[index].isWhole = false
  }

  /// Calls `body` with the rows of the blocks that are not whole.
  func withRows<Value, Failure>(
    _ body: (SelectedRows) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result: Result<Value, Failure> = unsafe rows.withUnsafeBufferPointer { rows in
      Result { () throws(Failure) in unsafe try body(SelectedRows(rows)) }
    }
    return try result.get()
  }
}

/// The rows of a selection, in place.
@safe
struct SelectedRows {
  private let rows: UnsafeBufferPointer<UInt16>

  fileprivate init(_ rows: UnsafeBufferPointer<UInt16>) { unsafe self.rows = unsafe rows }

  /// The rows of a block that is not whole, rising.
  @inline(__always)
  func rows(of block: SelectedBlock) -> UnsafeBufferPointer<UInt16> {
    // Sound: `append` has put them there.
    unsafe UnsafeBufferPointer(rebasing: rows[block.firstRow..<(block.firstRow + block.rowCount)])
  }
}

/// A block that has selected rows.
struct SelectedBlock: Sendable, BitwiseCopyable {
  let candidate: Candidate
  /// Where its rows begin among the selection's, unless it is whole.
  fileprivate(set) var firstRow: Int
  fileprivate(set) var rowCount: Int
  /// Whether every row of the block is selected.
  fileprivate(set) var isWhole: Bool
}
