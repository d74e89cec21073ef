// Measuring a scaled or constant block without decoding it: the smallest offset is that of the smallest value, and sums
// are those of offsets (ScaledSum.swift). Offsets of rows that don't count are replaced by ones that change nothing.
// What the payload can't say, the exceptions, comes last. The loops over offsets are in C (CKernels/stretches.c).

import CKernels

extension MeasurePart {
  /// Measures the stretches of a block's selected rows by its offsets; false when the values have to be looked at.
  func measureOffsets(
    _ block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    if !measures.isSubset(of: [.first, .last]) {
      countPayloadRows(of: block, stretches, selection)
      guard unsafe measurePayload(block, try block.payload(scratch), stretches, selection) else { return false }
      includeExceptions(of: block, stretches, selection)
    }
    try findEnds(of: block, stretches, selection, scratch)
    return true
  }

  /// Counts the selected rows of each stretch that are no exceptions.
  private func countPayloadRows(of block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection) {
    if selection.isWhole {
      unsafe stretches.copyRowCounts(to: counts)
      for index in 0..<block.header.exceptionCount {
        unsafe counts[stretches.index(ofRow: block.exception(index).row)] &-= 1
      }
    } else {
      let ranks = RowRanks(selection.payloadRows(block))
      for index in 0..<count { unsafe counts[index] = Int64(ranks.count(in: stretches.rows(index))) }
    }
  }

  /// Takes the values of selected exceptional rows in.
  private func includeExceptions(of block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection) {
    for index in 0..<block.header.exceptionCount {
      let (row, bits) = block.exception(index)
      let (stretch, value) = (stretches.index(ofRow: row), Value(bits: bits))
      guard !value.isMissing, selection.isWhole || selection.mask[row] else { continue }
      unsafe counts[stretch] += 1
      if measures.contains(.minimum) { unsafe minima[stretch].formMinimum(value) }
      if measures.contains(.maximum) { unsafe maxima[stretch].formMaximum(value) }
      if measures.contains(.sum) { unsafe sums[stretch].add(value) }
    }
  }

  private func measurePayload(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches, _ selection: BlockSelection
  ) -> Bool {
    let header = block.header
    if header.encoding == .constant {
      measureConstant(Value(bits: header.base))
    } else if header.width == 0 {
      measureConstant(.unscaled(Int64(bits: header.base), exponent: header.exponent))
    } else {
      if measures.contains(.sum), unsafe !addUp(block, payload, stretches, selection) { return false }
      unsafe findExtremes(block, payload, stretches, selection)
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
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches, _ selection: BlockSelection
  ) -> Bool {
    if count == 1 {
      let rows = selection.payloadRows(block)
      guard let sum = unsafe Value.Total(block, payload, rows, count: Int(counts[0])) else { return false }
      unsafe sums[0] = sum
      return true
    }
    guard Value.Total.isOfOffsets else { return false }
    let offsets = unsafe offsets(payload, of: block, selection)
    // Sound: the stretches' rows are the block's, and `found` has room for a word a stretch.
    let (bounds, rowCount) = (unsafe stretches.start, Int32(block.rowCount))
    switch block.header.width {
    case 1: unsafe quoin_sums_1(offsets, rowCount, bounds, count, found)
    case 2: unsafe quoin_sums_2(offsets, rowCount, bounds, count, found)
    case 3: unsafe quoin_sums_3(offsets, rowCount, bounds, count, found)
    default: unsafe quoin_sums_4(offsets, rowCount, bounds, count, found)
    }
    let (base, step) = (Int64(bits: block.header.base), block.header.step)
    for index in 0..<count {
      unsafe sums[index] = Value.Total(offsets: found[index], step: step, base: base, count: Int(counts[index]))
    }
    return true
  }

  /// The payload, or a copy of it in which the offsets of rows that don't count are zero.
  private func offsets(
    _ payload: UnsafeRawBufferPointer, of block: EncodedBlock, _ selection: BlockSelection
  ) -> UnsafePointer<UInt8> {
    // Sound: a payload of offsets isn't empty, and has no more than 4 bytes a row.
    let (width, rowCount) = (block.header.width, block.rowCount)
    if selection.isWhole, block.header.exceptionCount == 0 {
      return unsafe payload.baseAddress!.assumingMemoryBound(to: UInt8.self)
    }
    unsafe laneMemory.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    let (start, high) = unsafe (laneMemory, laneMemory + 2 * rowCount)
    forEachOtherRow(of: block, selection) { row in
      switch width {
      case 1: unsafe start.storeBytes(of: 0, toByteOffset: row, as: UInt8.self)
      case 2: unsafe start.storeBytes(of: 0, toByteOffset: 2 * row, as: UInt16.self)
      case 3:
        unsafe start.storeBytes(of: 0, toByteOffset: 2 * row, as: UInt16.self)
        unsafe high.storeBytes(of: 0, toByteOffset: row, as: UInt8.self)
      default: unsafe start.storeBytes(of: 0, toByteOffset: 4 * row, as: UInt32.self)
      }
    }
    return unsafe UnsafePointer(laneMemory.assumingMemoryBound(to: UInt8.self))
  }

  /// Calls `body` with the rows whose offsets don't count: those that are not selected, and exceptions.
  @inline(__always)
  private func forEachOtherRow(of block: EncodedBlock, _ selection: BlockSelection, _ body: (Int) -> Void) {
    if selection.isWhole {
      for index in 0..<block.header.exceptionCount { body(block.exception(index).row) }
    } else {
      var others = RowMask(first: block.rowCount)
      others.subtract(selection.payloadRows(block))
      others.forEachRow(body)
    }
  }

  private func findExtremes(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches, _ selection: BlockSelection
  ) {
    // Sound: the stretches' rows are the block's, and `found` has room for a word a stretch.
    let isNarrow = block.header.width <= 2
    let bounds = unsafe stretches.start
    let offsets = unsafe UnsafeMutableRawPointer(found).assumingMemoryBound(to: UInt32.self)
    if measures.contains(.minimum) {
      if isNarrow {
        unsafe quoin_minima_16(lanes(block, payload, selection, neutral: .max), bounds, count, offsets)
      } else {
        unsafe quoin_minima_32(lanes(block, payload, selection, neutral: .max), bounds, count, offsets)
      }
      unsafe Value.unscale(block.header, count: count, into: minima) { unsafe offsets[$0] }
      for index in 0..<count where unsafe counts[index] == 0 { unsafe minima[index] = .missing }
    }
    if measures.contains(.maximum) {
      if isNarrow {
        unsafe quoin_maxima_16(lanes(block, payload, selection, neutral: 0), bounds, count, offsets)
      } else {
        unsafe quoin_maxima_32(lanes(block, payload, selection, neutral: 0), bounds, count, offsets)
      }
      unsafe Value.unscale(block.header, count: count, into: maxima) { unsafe offsets[$0] }
      for index in 0..<count where unsafe counts[index] == 0 { unsafe maxima[index] = .missing }
    }
  }

  /// The offsets of 1 to 4 bytes, as lanes of 2 or 4 bytes; those of rows that don't count replaced by `neutral`.
  private func lanes<Lane: FixedWidthInteger & UnsignedInteger>(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ selection: BlockSelection, neutral: Lane
  ) -> UnsafePointer<Lane> {
    let isInPlace = block.header.width == MemoryLayout<Lane>.size
    if isInPlace, selection.isWhole, block.header.exceptionCount == 0 {
      // Sound: a payload of offsets isn't empty.
      return unsafe payload.baseAddress!.assumingMemoryBound(to: Lane.self)
    }
    // Sound: there is room for 4 bytes a row.
    let lanes = unsafe laneMemory.assumingMemoryBound(to: Lane.self)
    if isInPlace {
      unsafe laneMemory.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    } else {
      unsafe block.forEachOffset(payload) { row, offset in unsafe lanes[row] = Lane(truncatingIfNeeded: offset) }
    }
    forEachOtherRow(of: block, selection) { unsafe lanes[$0] = neutral }
    return unsafe UnsafePointer(lanes)
  }
}

// First and last values: one row of each stretch is looked at. Where one is missing, the block is decoded.
extension MeasurePart {
  private func findEnds(
    of block: EncodedBlock, _ stretches: Stretches, _ selection: BlockSelection, _ scratch: BlockScratch
  ) throws(Damage) {
    guard !measures.isDisjoint(with: [.first, .last]) else { return }
    let payload = unsafe try block.payload(scratch)
    var isMissing = false
    if measures.contains(.first) {
      isMissing = unsafe look(at: block, payload, stretches, into: firsts) { index in
        let first = stretches.rows(index).lowerBound
        return selection.isWhole ? first : selection.mask.firstRow(from: first) ?? first
      }
    }
    if measures.contains(.last) {
      let isLastMissing = unsafe look(at: block, payload, stretches, into: lasts) { index in
        let end = stretches.rows(index).upperBound
        return selection.isWhole ? end - 1 : selection.mask.lastRow(before: end) ?? end - 1
      }
      isMissing = isMissing || isLastMissing
    }
    guard isMissing else { return }
    let values = unsafe try values(of: block, selection, scratch)
    for index in 0..<count { unsafe findEnds(UnsafeBufferPointer(rebasing: values[stretches.rows(index)]), at: index) }
  }

  /// Writes the value of one row of each stretch. Returns whether any of them is missing.
  @inline(__always)
  private func look(
    at block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ stretches: Stretches,
    into output: UnsafeMutablePointer<Value>, _ row: (Int) -> Int
  ) -> Bool {
    var isMissing = false
    if block.header.encoding == .constant {
      let value = Value(bits: block.header.base)
      unsafe output.update(repeating: value, count: count)
      isMissing = value.isMissing
    } else {
      unsafe block.unscale(count, payload, into: UnsafeMutableBufferPointer(start: output, count: count), row: row)
    }
    for index in 0..<block.header.exceptionCount {
      let (exceptionRow, bits) = block.exception(index)
      let stretch = stretches.index(ofRow: exceptionRow)
      guard row(stretch) == exceptionRow else { continue }
      unsafe output[stretch] = Value(bits: bits)
      isMissing = isMissing || Value(bits: bits).isMissing
    }
    return isMissing
  }
}
