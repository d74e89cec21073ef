/// The selected rows of a block: all, or those of a mask.
struct BlockRows {
  let rowCount: Int
  /// Whether all rows are selected.
  let isWhole: Bool
  /// The selected rows; empty if all are selected, because most blocks don't need the mask.
  private let some: RowMask

  init(all rowCount: Int) { (self.rowCount, isWhole, some) = (rowCount, true, .none) }

  init(_ mask: RowMask, of rowCount: Int) {
    let isWhole = mask.count == rowCount
    (self.rowCount, self.isWhole, some) = (rowCount, isWhole, isWhole ? .none : mask)
  }

  var mask: RowMask { isWhole ? RowMask(first: rowCount) : some }

  /// The selected rows without the patches of a block.
  func payloadRows(_ block: EncodedBlock) -> RowMask {
    var rows = mask
    for index in 0..<block.header.patchCount { rows.remove(block.patch(index).row) }
    return rows
  }

  /// Calls `body` with the rows whose payload doesn't count: those that are not selected, and patches.
  @inline(__always)
  func forEachOtherRow(of block: EncodedBlock, _ body: (Int) -> Void) {
    if isWhole {
      for index in 0..<block.header.patchCount { body(block.patch(index).row) }
    } else {
      var others = RowMask(first: rowCount)
      others.subtract(payloadRows(block))
      others.forEachRow(body)
    }
  }
}
