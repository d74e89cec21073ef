// Measuring a scaled or constant block without decoding it: the smallest offset is that of the smallest value, and sums are
// those of offsets (ScaledSum.swift). What the payload can't say, the exceptions, comes last.

extension MeasurePart {
  /// Measures the stretches of a block's selected rows by its offsets; false when the values have to be looked at.
  func measureOffsets(
    _ block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    let rows = selection.payloadRows(block)
    countRows(stretches, rows)
    guard unsafe measurePayload(block, try block.payload(scratch), stretches, rows) else { return false }
    includeExceptions(of: block, stretches, selection)
    if measures.contains(.first) { try gatherFirsts(of: block, stretches, selection, scratch) }
    if measures.contains(.last) { try gatherLasts(of: block, stretches, selection, scratch) }
    return true
  }

  /// Counts the rows of each stretch.
  private func countRows(_ stretches: Stretches, _ rows: BlockSelection) {
    if rows.isWhole {
      for index in 0..<count { unsafe counts[index] = Int64(stretches.rows(index).count) }
    } else {
      let ranks = RowRanks(rows.mask)
      for index in 0..<count { unsafe counts[index] = Int64(ranks.count(in: stretches.rows(index))) }
    }
  }

  private func measurePayload(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches, _ rows: BlockSelection
  ) -> Bool {
    let header = block.header
    if header.encoding == .constant {
      measureConstant(Value(bits: header.base))
    } else if header.width == 0 {
      measureConstant(.unscaled(Int64(bits: header.base), exponent: header.exponent))
    } else {
      if measures.contains(.sum), unsafe !addUp(block, payload, stretches, rows) { return false }
      if header.width <= 2 {
        unsafe findExtremes(UInt16.self, block, payload, stretches, rows)
      } else {
        unsafe findExtremes(UInt32.self, block, payload, stretches, rows)
      }
    }
    return true
  }

  /// Measures stretches all of whose counted rows have one value.
  private func measureConstant(_ value: Value) {
    if value.isMissing { return unsafe counts.update(repeating: 0, count: count) }
    for index in 0..<count where unsafe counts[index] > 0 {
      if measures.contains(.minimum) { unsafe minima[index] = value }
      if measures.contains(.maximum) { unsafe maxima[index] = value }
      if measures.contains(.sum) { unsafe sums[index].add(value, times: Int(counts[index])) }
    }
  }

  private func addUp(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches, _ rows: BlockSelection
  ) -> Bool {
    if count == 1 {
      guard let sum = unsafe Value.Total(block, payload, rows.mask, count: Int(counts[0])) else { return false }
      unsafe sums[0] = sum
      return true
    }
    guard Value.Total.isOfOffsets else { return false }
    let lanes = unsafe copy(payload, of: block, rows)
    let (base, step) = (Int64(bits: block.header.base), block.header.step)
    lanes.forEachSum(stretches, count: count) { index, offsets in
      unsafe sums[index] = Value.Total(offsets: offsets, step: step, base: base, count: Int(counts[index]))
    }
    return true
  }

  /// The payload, or a copy of it in which the offsets of rows that are not selected are zero.
  private func copy(
    _ payload: UnsafeRawBufferPointer, of block: EncodedBlock, _ rows: BlockSelection
  ) -> OffsetSums {
    // Sound: a payload of offsets isn't empty, and has no more than 4 bytes a row.
    let width = block.header.width
    guard !rows.isWhole else {
      return unsafe OffsetSums(payload.baseAddress!, width: width, rowCount: block.rowCount)
    }
    unsafe laneMemory.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    var others = RowMask(first: block.rowCount)
    others.subtract(rows.mask)
    let (start, high) = unsafe (laneMemory, laneMemory + 2 * block.rowCount)
    others.forEachRow { row in
      switch width {
      case 1: unsafe start.storeBytes(of: 0, toByteOffset: row, as: UInt8.self)
      case 2: unsafe start.storeBytes(of: 0, toByteOffset: 2 * row, as: UInt16.self)
      case 3:
        unsafe start.storeBytes(of: 0, toByteOffset: 2 * row, as: UInt16.self)
        unsafe high.storeBytes(of: 0, toByteOffset: row, as: UInt8.self)
      default: unsafe start.storeBytes(of: 0, toByteOffset: 4 * row, as: UInt32.self)
      }
    }
    return unsafe OffsetSums(laneMemory, width: width, rowCount: block.rowCount)
  }

  private func findExtremes<Lane: LaneInteger>(
    _ type: Lane.Type, _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches,
    _ rows: BlockSelection
  ) {
    let unscaler = Unscaler<Value>(block.header)
    if measures.contains(.minimum) {
      let lanes: StretchLanes<Lane> = unsafe lanes(block, payload, rows, neutral: .max)
      for index in 0..<count where unsafe counts[index] > 0 {
        unsafe minima[index] = unscaler(UInt32(lanes.minimum(stretches.rows(index))))
      }
    }
    if measures.contains(.maximum) {
      let lanes: StretchLanes<Lane> = unsafe lanes(block, payload, rows, neutral: 0)
      for index in 0..<count where unsafe counts[index] > 0 {
        unsafe maxima[index] = unscaler(UInt32(lanes.maximum(stretches.rows(index))))
      }
    }
  }

  /// The offsets of 1 to 4 bytes, as lanes of 2 or 4 bytes; those of rows that are not selected replaced by `neutral`.
  private func lanes<Lane: LaneInteger>(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ rows: BlockSelection, neutral: Lane
  ) -> StretchLanes<Lane> {
    let isInPlace = block.header.width == MemoryLayout<Lane>.size
    // Sound: a payload of offsets isn't empty.
    if isInPlace, rows.isWhole { return unsafe StretchLanes(payload.baseAddress!) }
    // Sound: there is room for 4 bytes a row.
    let lanes = unsafe laneMemory.assumingMemoryBound(to: Lane.self)
    if isInPlace {
      unsafe laneMemory.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    } else {
      unsafe block.forEachOffset(payload) { row, offset in unsafe lanes[row] = Lane(truncatingIfNeeded: offset) }
    }
    if !rows.isWhole {
      var others = RowMask(first: block.rowCount)
      others.subtract(rows.mask)
      others.forEachRow { unsafe lanes[$0] = neutral }
    }
    return unsafe StretchLanes(laneMemory)
  }

  /// Takes the values of selected exceptional rows in.
  private func includeExceptions(of block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection) {
    var stretch = 0
    for index in 0..<block.header.exceptionCount {
      let (row, bits) = block.exception(index)
      let value = Value(bits: bits)
      guard !value.isMissing, selection.isWhole || selection.mask[row] else { continue }
      while stretches.rows(stretch).upperBound <= row { stretch += 1 }
      unsafe counts[stretch] += 1
      if measures.contains(.minimum) { unsafe minima[stretch].formMinimum(value) }
      if measures.contains(.maximum) { unsafe maxima[stretch].formMaximum(value) }
      if measures.contains(.sum) { unsafe sums[stretch].add(value) }
    }
  }
}

// First and last values: one row of each stretch is gathered. Where that is missing, the stretch's other rows are.
extension MeasurePart {
  private func gatherFirsts(
    of block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) {
    unsafe try gather(block, into: firsts, scratch) { index in
      let rows = stretches.rows(index)
      return selection.isWhole ? rows.lowerBound : selection.mask.firstRow(from: rows.lowerBound) ?? rows.lowerBound
    }
    for index in 0..<count where unsafe firsts[index].isMissing && counts[index] > 0 {
      let values = try values(of: block, stretches.rows(index), selection, scratch)
      unsafe firsts[index] = values.first { !$0.isMissing } ?? .missing
    }
  }

  private func gatherLasts(
    of block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) {
    unsafe try gather(block, into: lasts, scratch) { index in
      let end = stretches.rows(index).upperBound
      return selection.isWhole ? end - 1 : selection.mask.lastRow(before: end) ?? end - 1
    }
    for index in 0..<count where unsafe lasts[index].isMissing && counts[index] > 0 {
      let values = try values(of: block, stretches.rows(index), selection, scratch)
      unsafe lasts[index] = values.last { !$0.isMissing } ?? .missing
    }
  }

  /// Gathers one row of each stretch.
  private func gather(
    _ block: EncodedBlock, into output: UnsafeMutablePointer<Value>, _ scratch: BlockScratch, _ row: (Int) -> Int
  ) throws(Damage) {
    // Sound: there is room for 4 bytes a row of a block, and no more stretches than rows.
    let rows = unsafe laneMemory.assumingMemoryBound(to: UInt16.self)
    for index in 0..<count { unsafe rows[index] = UInt16(row(index)) }
    unsafe try block.gather(
      UnsafeBufferPointer(start: rows, count: count), into: UnsafeMutableBufferPointer(start: output, count: count),
      scratch)
  }

  /// The values of a stretch's selected rows.
  private func values(
    of block: EncodedBlock, _ rows: Range<Int>, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) -> [Value] {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    return rows.filter { selection.mask[$0] }.map { unsafe values[$0] }
  }
}
