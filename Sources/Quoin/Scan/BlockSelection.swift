/// The selected rows of a block: all, or those of a mask.
struct BlockSelection {
  let rowCount: Int
  /// Whether all rows are selected.
  let isWhole: Bool
  let mask: RowMask

  init(all rowCount: Int) { (self.rowCount, isWhole, mask) = (rowCount, true, RowMask(first: rowCount)) }

  init(_ mask: RowMask, of rowCount: Int) {
    (self.rowCount, isWhole, self.mask) = (rowCount, mask.count == rowCount, mask)
  }

  /// The selected rows whose values the payload of a block has: those that are no exceptions.
  func payloadRows(_ block: EncodedBlock) -> BlockSelection {
    guard block.header.exceptionCount > 0 else { return self }
    var rows = mask
    for index in 0..<block.header.exceptionCount { rows[block.exception(index).row] = false }
    return BlockSelection(rows, of: rowCount)
  }
}
