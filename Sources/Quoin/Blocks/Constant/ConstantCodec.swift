/// One value for the whole block, with exceptions: split ratios, dividends, delisted stocks.
enum ConstantCodec<Value: BlockValue> {
  /// How many rows of a block are looked at to find out which value, if any, is in most of them.
  private static var sampleCount: Int { 32 }

  /// The block as its most frequent value, if that is the value of most rows; exceptions are the other rows. Nil when
  /// a sample of the rows has no such value.
  static func analyze(_ values: UnsafeBufferPointer<Value>) -> BlockPlan<Value>? {
    let stride = max(1, values.count / sampleCount)
    let candidate = unsafe majority(values, stride: stride)
    // A value of half the rows is in a quarter of the sample but for bad luck, and then costs some bytes.
    if stride > 1, unsafe count(candidate, values, stride: stride) * 4 < sampleCount { return nil }
    var header = BlockHeader(encoding: .constant, rowCount: values.count)
    header.base = candidate
    header.exceptionCount = unsafe values.count - count(candidate, values, stride: 1)
    return BlockPlan(header: header)
  }

  /// The only value that can be in more than half of the rows (Boyer and Moore's majority vote, 1981).
  private static func majority(_ values: UnsafeBufferPointer<Value>, stride: Int) -> UInt64 {
    var candidate: UInt64 = 0
    var votes = 0
    var row = 0
    while row < values.count {
      // Sound: the loop ends at the last row.
      let bits = unsafe values[row].bits
      if votes == 0 { candidate = bits }
      votes += bits == candidate ? 1 : -1
      row += stride
    }
    return candidate
  }

  private static func count(_ candidate: UInt64, _ values: UnsafeBufferPointer<Value>, stride: Int) -> Int {
    var (count, row) = (0, 0)
    if stride == 1 {
      for row in values.indices { unsafe count &+= values[row].bits == candidate ? 1 : 0 }
      return count
    }
    while row < values.count {
      unsafe count += values[row].bits == candidate ? 1 : 0
      row += stride
    }
    return count
  }
}
