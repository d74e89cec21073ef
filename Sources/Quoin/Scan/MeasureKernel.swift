extension MeasureColumn {
  /// Measures each stretch of a block's rows, those of `mask` only if there is one.
  mutating func measure(
    _ block: EncodedBlock, _ stretches: Stretches, _ mask: RowMask?, _ scratch: BlockScratch
  ) throws(Damage) {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    if let mask {
      for row in 0..<block.rowCount where !mask[row] { unsafe values[row] = .missing }
    }
    for index in 0..<stretches.count {
      unsafe measure(UnsafeBufferPointer(rebasing: values[stretches.rows(index)]))
    }
  }

  private mutating func measure(_ values: UnsafeBufferPointer<Value>) {
    let extremes = unsafe Value.extremes(values)
    let count = values.count - extremes.missingCount
    if measures.contains(.count) { counts.append(Int64(count)) }
    if measures.contains(.minimum) { minima.append(count > 0 ? extremes.minimum : .missing) }
    if measures.contains(.maximum) { maxima.append(count > 0 ? extremes.maximum : .missing) }
    if measures.contains(.sum) {
      unsafe sums.append(Value.Total(values, within: (extremes.minimum, extremes.maximum)))
    }
    if measures.contains(.first) { unsafe firsts.append(values.first { !$0.isMissing } ?? .missing) }
    if measures.contains(.last) { unsafe lasts.append(values.last { !$0.isMissing } ?? .missing) }
  }

  /// Takes what the statistics say of a whole block as the measures of one stretch; false when they don't say it.
  mutating func measure(_ directory: SectionDirectory, _ block: Int, rowCount: Int) -> Bool {
    let entry = directory.entry(block)
    let count = rowCount - entry.missingCount
    guard measures.isDisjoint(with: [.first, .last]) else { return false }
    if measures.contains(.sum) {
      guard let sum = Value.Total(entry.sum) else { return false }
      sums.append(sum)
    }
    if measures.contains(.count) { counts.append(Int64(count)) }
    if measures.contains(.minimum) { minima.append(count > 0 ? Value(bits: entry.minimum) : .missing) }
    if measures.contains(.maximum) { maxima.append(count > 0 ? Value(bits: entry.maximum) : .missing) }
    return true
  }
}
