/// Working memory to measure blocks in: one for each thread that aggregates.
@safe
final class MeasureRoom {
  private let memory: UnsafeMutableRawPointer

  init() { unsafe memory = .allocate(byteCount: Limits.rowsPerBlock * 4, alignment: 64) }

  deinit { unsafe memory.deallocate() }

  /// The offsets of a scaled block of 1 to 4 bytes, as lanes of 2 or 4 bytes; those of the rows that are not among `rows`
  /// replaced by `neutral`. Valid until the room is used again.
  func lanes<Lane: FixedWidthInteger & UnsignedInteger & SIMDScalar>(
    _ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ rows: RowMask?, neutral: Lane
  ) -> StretchLanes<Lane> {
    let isInPlace = block.header.width == MemoryLayout<Lane>.size
    if isInPlace, rows == nil { return unsafe StretchLanes(payload.baseAddress!) }
    // Sound: there is room for 4 bytes a row.
    let lanes = unsafe memory.assumingMemoryBound(to: Lane.self)
    if isInPlace {
      unsafe memory.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    } else {
      unsafe block.forEachOffset(payload) { row, offset in unsafe lanes[row] = Lane(truncatingIfNeeded: offset) }
    }
    if let rows {
      var others = RowMask(first: block.rowCount)
      others.subtract(rows)
      others.forEachRow { unsafe lanes[$0] = neutral }
    }
    return unsafe StretchLanes(memory)
  }
}
