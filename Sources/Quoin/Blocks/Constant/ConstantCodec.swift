/// One value for the whole block: split ratios, dividends, delisted stocks. Rows of other values are patches.
///
/// The value's bits are the header's base; there is no payload.
enum ConstantCodec: BlockCodec {
  static func payloadByteCount(_ header: BlockHeader) -> Int { 0 }
  static func isConsistent(_ header: BlockHeader) -> Bool { header.hasNoScale }

  /// The whole block of one value. It needs no plan, for nothing is shorter than a header.
  static func block<Value: BlockValue>(of value: Value) -> BlockHeader {
    var header = BlockHeader(encoding: .constant, rowCount: 1)
    header.base = value.bits
    return header
  }

  /// How many rows of a block are looked at to find out which value, if any, is in most of them.
  private static let sampleCount = 32

  /// The block as its most frequent value, if that is the value of most rows. Nil when a sample of the rows has no such
  /// value.
  static func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    let stride = max(1, input.count / sampleCount)
    let candidate = majority(input, stride: stride)
    // A value of half the rows is in a quarter of the sample but for bad luck, which then costs some bytes.
    if stride > 1, count(candidate, input, stride: stride) * 4 < sampleCount { return nil }
    var header = BlockHeader(encoding: .constant, rowCount: input.count)
    header.base = candidate
    header.patchCount = input.count - count(candidate, input)
    return BlockPlan(header)
  }

  /// The only value that can be in more than half of the rows (Boyer and Moore's majority vote, 1981).
  private static func majority<Value>(_ input: BlockInput<Value>, stride: Int) -> UInt64 {
    var candidate: UInt64 = 0
    var votes = 0
    var row = 0
    while row < input.count {
      // Sound: the loop ends at the last row.
      let bits = unsafe input.values[row].bits
      if votes == 0 { candidate = bits }
      votes += bits == candidate ? 1 : -1
      row += stride
    }
    return candidate
  }

  private static func count<Value>(_ candidate: UInt64, _ input: BlockInput<Value>, stride: Int) -> Int {
    var (count, row) = (0, 0)
    while row < input.count {
      unsafe count += input.values[row].bits == candidate ? 1 : 0
      row += stride
    }
    return count
  }

  private static func count<Value>(_ candidate: UInt64, _ input: BlockInput<Value>) -> Int {
    var count = 0
    for row in unsafe input.values.indices { unsafe count &+= input.values[row].bits == candidate ? 1 : 0 }
    return count
  }

  static func patchRows<Value>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> [UInt16] {
    if plan.header.patchCount == 0 { return [] }
    return (0..<input.count).compactMap { row in
      unsafe input.values[row].bits == plan.header.base ? nil : UInt16(truncatingIfNeeded: row)
    }
  }

  static func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {}

  static func decode<Value: BlockValue>(
    _ block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    unsafe output.update(repeating: Value(bits: block.header.base))
  }

  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    unsafe output.update(repeating: Value(bits: block.header.base))
  }

  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    range.contains(Value(bits: block.header.base)) ? RowMask(first: block.rowCount) : .none
  }

  static func writeIntegers<Value: BlockValue>(
    _ block: EncodedBlock, of type: Value.Type, from first: Int, to output: UnsafeMutablePointer<Float>,
    _ scratch: BlockScratch
  ) throws(Damage) -> NarrowIntegers? {
    guard let (integer, exponent) = Value(bits: block.header.base).scaledExactly,
      let integers = NarrowIntegers(base: integer, span: 0, exponent: exponent)
    else { return nil }
    // Sound: there is room for the rows.
    unsafe output.update(repeating: Float(integer), count: block.rowCount - first)
    return integers
  }

  static let comparesDerivedValues = true

  static func insertRows(
    _ rows: Range<Int>, of block: EncodedBlock, _ payload: UnsafeRawBufferPointer, by factor: DerivedFactor,
    in range: ValueRange<Double>, into mask: inout RowMask
  ) {
    if range.contains(factor.value(from: factor.source(bits: block.header.base))) {
      mask.formUnion(RowMask(rows: rows))
    }
  }

  static func measure<Value>(
    _ block: EncodedBlock, _ rows: BlockRows, into totals: SegmentTotals<Value>
  ) throws(Damage) -> Bool {
    let value = Value(bits: block.header.base)
    return unsafe try totals.measure(
      block, rows,
      payload: {
        totals.measure(everyValueIs: value)
        return true
      },
      ends: { output, _ in
        unsafe output.update(repeating: value)
        return value.isMissing
      })
  }
}
