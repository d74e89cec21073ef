/// One value for the whole block, with exceptions: split ratios, dividends, delisted stocks.
enum ConstantCodec<Value: BlockValue> {
  /// The block as its most frequent value, if that is the value of most rows; exceptions are the other rows.
  static func analyze(_ values: UnsafeBufferPointer<Value>) -> BlockPlan<Value> {
    let candidate = unsafe majority(values)
    let exceptions = values.indices.filter { unsafe values[$0].bits != candidate }
    var header = BlockHeader(encoding: .constant, rowCount: values.count)
    header.base = candidate
    return BlockPlan(header: header, exceptionRows: exceptions)
  }

  /// The only value that can be in more than half of the rows (Boyer and Moore's majority vote, 1981).
  private static func majority(_ values: UnsafeBufferPointer<Value>) -> UInt64 {
    var candidate: UInt64 = 0
    var votes = 0
    for row in values.indices {
      let bits = unsafe values[row].bits
      if votes == 0 { candidate = bits }
      votes += bits == candidate ? 1 : -1
    }
    return candidate
  }
}
