// Measuring a block's stretches:
//
//   by the statistics   a whole block in one stretch
//   by the offsets      scaled and constant blocks: the smallest offset is the smallest value's, and sums are those of
//                       offsets (ScaledSum.swift); then each exception by its own value; first and last by gathering
//   by the values       all others, decoded

extension MeasureColumn {
  /// Takes what the statistics say of a whole block as the measures of one stretch; false when they don't say it.
  mutating func measure(_ directory: SectionDirectory, _ block: Int, rowCount: Int) -> Bool {
    guard measures.isDisjoint(with: [.first, .last]) else { return false }
    let entry = directory.entry(block)
    let count = rowCount - entry.missingCount
    if measures.contains(.sum) {
      guard let sum = Value.Total(entry.sum) else { return false }
      sums.append(sum)
    }
    if measures.contains(.count) { counts.append(Int64(count)) }
    if measures.contains(.minimum) { minima.append(count > 0 ? Value(bits: entry.minimum) : .missing) }
    if measures.contains(.maximum) { maxima.append(count > 0 ? Value(bits: entry.maximum) : .missing) }
    return true
  }

  /// Measures each stretch of a block's rows, those of `mask` only if there is one.
  mutating func measure(
    _ block: EncodedBlock, _ stretches: Stretches, _ mask: RowMask?, _ scratch: BlockScratch, _ room: MeasureRoom
  ) throws(Damage) {
    switch block.header.encoding {
    case .scaled, .constant:
      prepare(count: stretches.count)
      let rows = block.payloadRows(mask)
      guard unsafe measure(block, try block.payload(scratch), stretches, rows, room) else { break }
      includeExceptions(of: block, stretches, mask)
      try gatherEnds(of: block, stretches, mask, scratch)
      return
    case .plain, .daySet, .derived: break
    }
    try measureValues(block, stretches, mask, scratch)
  }

  /// Makes room for the measures of some stretches, which have no values yet.
  private mutating func prepare(count: Int) {
    removeAll()
    counts.append(contentsOf: repeatElement(0, count: count))
    if measures.contains(.minimum) { minima.append(contentsOf: repeatElement(.missing, count: count)) }
    if measures.contains(.maximum) { maxima.append(contentsOf: repeatElement(.missing, count: count)) }
    if measures.contains(.sum) { sums.append(contentsOf: repeatElement(Value.Total(), count: count)) }
  }
}

extension EncodedBlock {
  /// The rows of a mask, or all, whose values the payload has; nil when these are all rows.
  fileprivate func payloadRows(_ mask: RowMask?) -> RowMask? {
    if mask == nil, header.exceptionCount == 0 { return nil }
    var rows = mask ?? RowMask(first: rowCount)
    for index in 0..<header.exceptionCount { rows[exception(index).row] = false }
    return rows
  }
}

// By the offsets.
extension MeasureColumn {
  /// Measures what the payload says of `rows`, or of all rows; false when the values have to be looked at.
  private mutating func measure(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches, _ rows: RowMask?,
    _ room: MeasureRoom
  ) -> Bool {
    countRows(stretches, rows)
    let header = block.header
    if header.encoding == .constant { return measureConstant(Value(bits: header.base)) }
    if header.width == 0 { return measureConstant(.unscaled(Int64(bits: header.base), exponent: header.exponent)) }
    if measures.contains(.sum), unsafe !addUp(block, payload, stretches, rows, room) { return false }
    if header.width <= 2 {
      unsafe findExtremes(UInt16.self, block, payload, stretches, rows, room)
    } else {
      unsafe findExtremes(UInt32.self, block, payload, stretches, rows, room)
    }
    return true
  }

  /// Counts the rows of each stretch.
  private mutating func countRows(_ stretches: Stretches, _ rows: RowMask?) {
    guard let rows else {
      for index in 0..<stretches.count { counts[index] = Int64(stretches.rows(index).count) }
      return
    }
    let ranks = RowRanks(rows)
    for index in 0..<stretches.count {
      let stretch = stretches.rows(index)
      counts[index] = Int64(ranks.count(before: stretch.upperBound) - ranks.count(before: stretch.lowerBound))
    }
  }

  /// Measures stretches all of whose counted rows have one value.
  private mutating func measureConstant(_ value: Value) -> Bool {
    guard !value.isMissing else {
      for index in counts.indices { counts[index] = 0 }
      return true
    }
    for index in counts.indices where counts[index] > 0 {
      if measures.contains(.minimum) { minima[index] = value }
      if measures.contains(.maximum) { maxima[index] = value }
      if measures.contains(.sum) { sums[index].add(value, times: Int(counts[index])) }
    }
    return true
  }

  private mutating func addUp(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches, _ rows: RowMask?,
    _ room: MeasureRoom
  ) -> Bool {
    if stretches.count == 1 {
      let mask = rows ?? RowMask(rows: stretches.rows(0))
      guard let sum = unsafe Value.Total(block, payload, mask, count: Int(counts[0])) else { return false }
      sums[0] = sum
      return true
    }
    guard Value.self == Int64.self, block.header.width < 4 else { return false }
    let lanes: StretchLanes<UInt32> = unsafe room.lanes(block, payload, rows, neutral: 0)
    for index in 0..<stretches.count {
      let offsets = lanes.sum(stretches.rows(index))
      guard let sum = Value.Total(offsets: offsets, count: Int(counts[index]), block.header) else { return false }
      sums[index] = sum
    }
    return true
  }

  private mutating func findExtremes<Lane: FixedWidthInteger & UnsignedInteger & SIMDScalar>(
    _ type: Lane.Type, _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches,
    _ rows: RowMask?, _ room: MeasureRoom
  ) {
    let unscaler = Unscaler<Value>(block.header)
    if measures.contains(.minimum) {
      let lanes: StretchLanes<Lane> = unsafe room.lanes(block, payload, rows, neutral: .max)
      for index in 0..<stretches.count where counts[index] > 0 {
        minima[index] = unscaler(UInt32(lanes.minimum(stretches.rows(index))))
      }
    }
    if measures.contains(.maximum) {
      let lanes: StretchLanes<Lane> = unsafe room.lanes(block, payload, rows, neutral: 0)
      for index in 0..<stretches.count where counts[index] > 0 {
        maxima[index] = unscaler(UInt32(lanes.maximum(stretches.rows(index))))
      }
    }
  }

  /// Takes the values of exceptional rows in.
  private mutating func includeExceptions(of block: EncodedBlock, _ stretches: Stretches, _ mask: RowMask?) {
    var stretch = 0
    for index in 0..<block.header.exceptionCount {
      let (row, bits) = block.exception(index)
      let value = Value(bits: bits)
      guard !value.isMissing, mask?[row] ?? true else { continue }
      while stretches.rows(stretch).upperBound <= row { stretch += 1 }
      counts[stretch] += 1
      if measures.contains(.minimum) { minima[stretch].formMinimum(value) }
      if measures.contains(.maximum) { maxima[stretch].formMaximum(value) }
      if measures.contains(.sum) { sums[stretch].add(value) }
    }
  }

  /// Finds each stretch's first and last value.
  private mutating func gatherEnds(
    of block: EncodedBlock, _ stretches: Stretches, _ mask: RowMask?, _ scratch: BlockScratch
  ) throws(Damage) {
    if measures.contains(.first) {
      firsts = try gathered(block, (0..<stretches.count).map { stretches.firstRow($0, mask) }, scratch)
      for index in firsts.indices where firsts[index].isMissing && counts[index] > 0 {
        let rows = stretches.rows(index).filter { mask?[$0] ?? true }
        firsts[index] = try gathered(block, rows, scratch).first { !$0.isMissing } ?? .missing
      }
    }
    if measures.contains(.last) {
      lasts = try gathered(block, (0..<stretches.count).map { stretches.lastRow($0, mask) }, scratch)
      for index in lasts.indices where lasts[index].isMissing && counts[index] > 0 {
        let rows = stretches.rows(index).filter { mask?[$0] ?? true }
        lasts[index] = try gathered(block, rows, scratch).last { !$0.isMissing } ?? .missing
      }
    }
  }

  private func gathered(_ block: EncodedBlock, _ rows: [Int], _ scratch: BlockScratch) throws(Damage) -> [Value] {
    let indices = rows.map { UInt16($0) }
    let output = unsafe scratch.output(Value.self, count: rows.count)
    let result: Result<Void, Damage> = unsafe indices.withUnsafeBufferPointer { indices in
      Result { () throws(Damage) in unsafe try block.gather(indices, into: output, scratch) }
    }
    try result.get()
    return unsafe Array(output)
  }
}

// By the values.
extension MeasureColumn {
  private mutating func measureValues(
    _ block: EncodedBlock, _ stretches: Stretches, _ mask: RowMask?, _ scratch: BlockScratch
  ) throws(Damage) {
    removeAll()
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    if var others = mask.map({ _ in RowMask(first: block.rowCount) }), let mask {
      others.subtract(mask)
      others.forEachRow { unsafe values[$0] = .missing }
    }
    for index in 0..<stretches.count {
      unsafe measure(UnsafeBufferPointer(rebasing: values[stretches.rows(index)]))
    }
  }

  private mutating func measure(_ values: UnsafeBufferPointer<Value>) {
    let extremes = unsafe Value.extremes(values)
    let count = values.count - extremes.missingCount
    counts.append(Int64(count))
    if measures.contains(.minimum) { minima.append(count > 0 ? extremes.minimum : .missing) }
    if measures.contains(.maximum) { maxima.append(count > 0 ? extremes.maximum : .missing) }
    if measures.contains(.sum) {
      unsafe sums.append(Value.Total(values, within: (extremes.minimum, extremes.maximum)))
    }
    if measures.contains(.first) { unsafe firsts.append(values.first { !$0.isMissing } ?? .missing) }
    if measures.contains(.last) { unsafe lasts.append(values.last { !$0.isMissing } ?? .missing) }
  }
}
