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
    guard block.header.exceptionCount > 0 else { return mask }
    var rows = mask
    unsafe withUnsafeMutableBytes(of: &rows.words) { bytes in
      for index in 0..<block.header.exceptionCount {
        // Sound: parsing has checked that the row is one of the block's, which the mask has a bit for.
        let row = block.exception(index).row
        unsafe bytes[row >> 3] &= ~(1 << UInt8(row & 7))
      }
    }
    return rows
  }
}
