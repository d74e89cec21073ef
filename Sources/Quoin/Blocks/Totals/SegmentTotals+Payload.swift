// Measuring a block by its payload, for the codecs that can. Rows that don't count are left out, and patches, which the
// payload can't express, are added last.
//
// Sound throughout: there are `count` segments, no more than there is room for, and their rows are the block's.
extension SegmentTotals {
  /// Measures a block without decoding it; false if it has to be decoded.
  ///
  /// - Parameters:
  ///   - payload: measures the payload of the rows that `counts` has counted; false if it can't.
  ///   - ends: writes the payload's values of these rows, one for each segment, and returns whether any of them is missing.
  @inline(__always)
  func measure(
    _ block: EncodedBlock, _ rows: BlockRows,
    payload: () throws(Damage) -> Bool,
    ends: (UnsafeMutableBufferPointer<Value>, UnsafePointer<UInt64>) -> Bool
  ) throws(Damage) -> Bool {
    if !measures.isSubset(of: .ends) {
      countPayloadRows(of: block, rows)
      guard try payload() else { return false }
      includePatches(of: block, rows)
    }
    guard !measures.isDisjoint(with: .ends) else { return true }
    // One row of each segment is read. If its value is missing, the block is decoded.
    var isMissing = false
    if measures.contains(.first) {
      for index in 0..<count {
        let first = segments.rows(index).lowerBound
        unsafe found[index] = UInt64(rows.isWhole ? first : rows.mask.firstRow(from: first) ?? first)
      }
      isMissing = unsafe lookUp(block, into: firsts, ends)
    }
    if measures.contains(.last) {
      for index in 0..<count {
        let end = segments.rows(index).upperBound
        unsafe found[index] = UInt64(rows.isWhole ? end - 1 : rows.mask.lastRow(before: end) ?? end - 1)
      }
      let isLastMissing = unsafe lookUp(block, into: lasts, ends)
      isMissing = isMissing || isLastMissing
    }
    if isMissing {
      let values = unsafe try values(of: block, rows)
      for index in 0..<count { unsafe findEnds(UnsafeBufferPointer(rebasing: values[segments.rows(index)]), at: index) }
    }
    return true
  }

  /// Measures segments whose counted rows all have the same value.
  func measure(everyValueIs value: Value) {
    let (measures, count) = (measures, count)
    if value.isMissing { return unsafe counts.update(repeating: 0, count: count) }
    for index in 0..<count where unsafe counts[index] > 0 {
      if measures.contains(.minimum) { unsafe minima[index] = value }
      if measures.contains(.maximum) { unsafe maxima[index] = value }
      if measures.contains(.sum) { unsafe sums[index].add(value, times: Int(counts[index])) }
    }
  }

  /// Counts the selected rows of each segment that are no patches.
  private func countPayloadRows(of block: EncodedBlock, _ rows: BlockRows) {
    if rows.isWhole {
      for index in 0..<count { unsafe counts[index] = Int64(segments.rows(index).count) }
      for index in 0..<block.header.patchCount {
        unsafe counts[segments.index(ofRow: block.patch(index).row)] &-= 1
      }
    } else {
      let ranks = RowRanks(rows.payloadRows(block))
      for index in 0..<count { unsafe counts[index] = Int64(ranks.count(in: segments.rows(index))) }
    }
  }

  /// Takes in the values of selected patches.
  private func includePatches(of block: EncodedBlock, _ rows: BlockRows) {
    let measures = measures
    for index in 0..<block.header.patchCount {
      let (row, bits) = block.patch(index)
      let (segment, value) = (segments.index(ofRow: row), Value(bits: bits))
      guard !value.isMissing, rows.isWhole || rows.mask[row] else { continue }
      unsafe counts[segment] += 1
      if measures.contains(.minimum) { unsafe minima[segment].formMinimum(value) }
      if measures.contains(.maximum) { unsafe maxima[segment].formMaximum(value) }
      if measures.contains(.sum) { unsafe sums[segment].add(value) }
    }
  }

  /// Writes the values of the rows in `found`, one for each segment. Returns whether any of them is missing.
  @inline(__always)
  private func lookUp(
    _ block: EncodedBlock, into output: UnsafeMutablePointer<Value>,
    _ values: (UnsafeMutableBufferPointer<Value>, UnsafePointer<UInt64>) -> Bool
  ) -> Bool {
    var isMissing = unsafe values(UnsafeMutableBufferPointer(start: output, count: count), found)
    for index in 0..<block.header.patchCount {
      let (row, bits) = block.patch(index)
      let segment = segments.index(ofRow: row)
      guard unsafe Int(found[segment]) == row else { continue }
      unsafe output[segment] = Value(bits: bits)
      isMissing = isMissing || Value(bits: bits).isMissing
    }
    return isMissing
  }
}

extension BlockValue {
  /// Takes the smaller of two values; a missing one doesn't count.
  @inline(__always)
  mutating func formMinimum(_ other: Self) { if isMissing || (!other.isMissing && other < self) { self = other } }

  /// Takes the larger of two values; a missing one doesn't count.
  @inline(__always)
  mutating func formMaximum(_ other: Self) { if isMissing || (!other.isMissing && other > self) { self = other } }
}
