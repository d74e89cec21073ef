extension EncodedBlock {
  /// Writes the last `count` values as float64s to the first rows of a column.
  ///
  /// - Returns: false if one is a whole number that may be no float64.
  func writeLast(
    _ count: Int, to column: ColumnMemory<Double>, areIntegers: Bool, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    let first = rowCount - count
    let mask = RowMask(rows: first..<rowCount)
    var rows = ColumnBuffer<UInt16>()
    rows.append(rowsOf: mask, count: count)
    return try RowLists.with(rows, ColumnBuffer([mask])) { lists throws(Damage) in
      let list = lists.list(0..<count, mask: 0)
      guard areIntegers else {
        try write(list, to: column, rows: 0..<count, scratch, source: nil)
        return true
      }
      let numbers = ColumnMemory<Int64>(capacity: count, count: count)
      try write(list, to: numbers, rows: 0..<count, scratch, source: nil)
      for row in 0..<count {
        let number = numbers[row]
        guard number.isMissing || number.magnitude < 1 << 53 else { return false }
        column[row] = number.isMissing ? .missing : Double(number)
      }
      return true
    }
  }
}
