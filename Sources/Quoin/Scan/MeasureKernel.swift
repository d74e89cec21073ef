// Measuring a block's stretches:
//
//   by the statistics   a whole block in one stretch (MeasureColumn.swift)
//   by the offsets      scaled and constant blocks (MeasurePart+Offsets.swift)
//   by the values       all others, decoded

// Sound, here and in the other extensions: stretches are `count`, no more than there is room for; their rows are the
// block's.
extension MeasurePart {
  /// Measures each stretch of a block's selected rows.
  mutating func measure(
    _ measures: Measures, _ block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection,
    _ scratch: BlockScratch
  ) throws(Damage) {
    prepare(measures, count: stretches.count)
    switch block.header.encoding {
    case .scaled, .constant:
      if try !measureOffsets(block, stretches, selection, scratch) {
        try measureValues(block, stretches, selection, scratch)
      }
    case .plain, .daySet, .derived: try measureValues(block, stretches, selection, scratch)
    }
    if measures.contains(.sum) {
      for index in 0..<count where unsafe counts[index] == 0 { unsafe sums[index] = .none }
    }
  }

  private func measureValues(
    _ block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) {
    let values = unsafe try values(of: block, selection, scratch)
    for index in 0..<count {
      unsafe measure(UnsafeBufferPointer(rebasing: values[stretches.rows(index)]), at: index)
    }
  }

  /// A block's values, decoded; those of rows that are not selected are missing.
  func values(
    of block: EncodedBlock, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) -> UnsafeMutableBufferPointer<Value> {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    if !selection.isWhole {
      var others = RowMask(first: block.rowCount)
      others.subtract(selection.mask)
      others.forEachRow { unsafe values[$0] = .missing }
    }
    return unsafe values
  }

  private func measure(_ values: UnsafeBufferPointer<Value>, at index: Int) {
    let extremes = unsafe Value.extremes(values)
    unsafe counts[index] = Int64(values.count - extremes.missingCount)
    if measures.contains(.sum) {
      unsafe sums[index] = Value.Total(values, within: (extremes.minimum, extremes.maximum))
    }
    guard unsafe counts[index] > 0 else { return }
    if measures.contains(.minimum) { unsafe minima[index] = extremes.minimum }
    if measures.contains(.maximum) { unsafe maxima[index] = extremes.maximum }
    unsafe findEnds(values, at: index)
  }

  /// Finds the first and the last value of a stretch, if they are wanted.
  func findEnds(_ values: UnsafeBufferPointer<Value>, at index: Int) {
    if measures.contains(.first) { unsafe firsts[index] = values.first { !$0.isMissing } ?? .missing }
    if measures.contains(.last) { unsafe lasts[index] = values.last { !$0.isMissing } ?? .missing }
  }
}
