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

  /// The selected rows but those that are exceptions of a block.
  func payloadRows(_ block: EncodedBlock) -> RowMask {
    var rows = mask
    for index in 0..<block.header.exceptionCount { rows[block.exception(index).row] = false }
    return rows
  }
}
