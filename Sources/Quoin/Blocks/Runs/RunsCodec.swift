// One value for each stretch of rows, which the list has with its first row. There is no payload.
//
// It is for columns that a feed doesn't bring: split ratios and dividends of an import, and the days since, which have none. Blocks
// without missing cells are encoded otherwise, so that questions of sums find what they can compare without decoding.

enum RunsCodec: BlockCodec {
  static var hasList: Bool { true }
  static func payloadByteCount(_ header: BlockHeader) -> Int { 0 }

  static func isConsistent(_ header: BlockHeader) -> Bool {
    header.base == 0 && header.width == 0 && header.exponent == 0 && (1...header.rowCount).contains(Int(header.step))
  }

  /// Each run of equal values as a stretch, or as patches of the stretch before it where these take fewer bytes. Nil if no stretch is
  /// missing.
  static func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    // Most blocks miss nothing, and looking for runs in those took half of the time of an import.
    if input.areDays || input.missingCount == 0 { return nil }
    var (list, patches): ([BlockListEntry], [UInt16]) = ([], [])
    var row = 0
    while row < input.count {
      let (bits, end) = (unsafe input.values[row].bits, endOfRun(from: row, input))
      // A stretch takes the bytes of a patch, and so does the stretch behind it.
      if list.isEmpty || bits != list[list.count - 1].bits && end - row > (end < input.count ? 2 : 1) {
        list.append(BlockListEntry(bits: bits, row: UInt16(row)))
      } else if bits != list[list.count - 1].bits {
        for row in row..<end { patches.append(UInt16(row)) }
      }
      if (list.count + patches.count) * 10 >= knownByteCount { return nil }
      row = end
    }
    guard list.contains(where: { Value(bits: $0.bits).isMissing }) else { return nil }
    var header = BlockHeader(encoding: .runs, rowCount: input.count)
    header.step = UInt32(list.count)
    header.patchCount = patches.count
    var plan = BlockPlan<Value>(header)
    (plan.list, plan.patchRows) = (list, patches)
    return plan
  }

  private static func endOfRun<Value>(from first: Int, _ input: BlockInput<Value>) -> Int {
    var end = first + 1
    // Sound: the loop ends behind the last row.
    while end < input.count, unsafe input.values[end].bits == input.values[first].bits { end += 1 }
    return end
  }

  static func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {}

  /// The rows of stretch `index`, and their value's bits.
  private static func stretch(_ index: Int, of block: EncodedBlock) -> (rows: Range<Int>, bits: UInt64) {
    let count = block.header.listCount
    let (first, bits) = block.listEntry(index, of: count)
    return (first..<(index + 1 < count ? block.listEntry(index + 1, of: count).row : block.rowCount), bits)
  }

  static func decode<Value: BlockValue>(
    _ block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    for index in 0..<block.header.listCount {
      let (rows, bits) = stretch(index, of: block)
      // Sound: stretches lie inside the block.
      unsafe output[rows].update(repeating: Value(bits: bits))
    }
  }

  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    var (index, current) = (0, stretch(0, of: block))
    for place in 0..<rows.count {
      // The last stretch ends where the block does.
      while rows[place] >= current.rows.upperBound {
        index += 1
        current = stretch(index, of: block)
      }
      unsafe output[place] = Value(bits: current.bits)
    }
  }

  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    var mask = RowMask.none
    for index in 0..<block.header.listCount {
      let (rows, bits) = stretch(index, of: block)
      if range.contains(Value(bits: bits)) { mask.formUnion(RowMask(rows: rows)) }
    }
    return mask
  }
}
