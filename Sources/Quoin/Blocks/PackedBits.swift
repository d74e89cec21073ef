import CKernels

// Offsets of a scaled block in as few bits as each stretch of rows needs: the storages `bits` and `differenceBits`.
//
//   payload      head, head ...; words, words ...      for each frame of 128 rows; the last has the rest
//   head         bits of a packed value (1 byte)
//                base: as wide as the block's offsets
//                least: the same; only with differences
//   words        the packed values' low 16 bits; then, if they have more, the others
//
//   bits             offset = base + packed value
//   differenceBits   offset = the row's before, at first `base`, + least + packed value
//
// The sums wrap around at the offsets' width. Row r of a frame is in lane r % 8 of eight lanes of 16 bits, and a word is 16
// bytes, two of each lane. Lane by lane the values follow each other without a gap, from the lowest bit on. So a processor
// shifts eight values at a time. The last word is filled up with zeros.
//
// Ideas: SIMD-BP128 (Lemire and Boytsov, "Decoding billions of integers per second through vectorization", 2015), and the frames of
// reference of Goldstein, Ramakrishnan and Shaft (1998).

enum PackedBits {
  static let rowsPerFrame = 128

  /// Packs a scaled payload into the beginning of `destination`: the offsets or their differences, whichever takes less.
  ///
  /// - Parameters:
  ///   - storages: which of the two are permitted.
  ///   - freeRows: rows whose offset doesn't matter, ascending.
  /// - Returns: the storage and the number of bytes; nil if `destination` is too small.
  static func pack(
    _ payload: UnsafeRawBufferPointer, _ header: BlockHeader, as storages: Set<PayloadStorage>, freeRows: [UInt16],
    into destination: UnsafeMutableRawBufferPointer
  ) -> (storage: PayloadStorage, byteCount: Int)? {
    guard header.encoding.codec.hasOffsets, header.width > 0 else { return nil }
    let offsets = unsafe offsets(payload, header, freeRows)
    let ways = [PayloadStorage.bits, .differenceBits].compactMap { storage -> (PayloadStorage, [BitFrame], Int)? in
      guard storages.contains(storage) else { return nil }
      let frames = stride(from: 0, to: offsets.count, by: rowsPerFrame).map { first in
        let rows = first..<min(first + rowsPerFrame, offsets.count)
        return BitFrame(offsets, rows, width: header.width, hasDifferences: storage == .differenceBits)
      }
      guard frames.allSatisfy({ $0.bits <= 8 * header.width }) else { return nil }
      return (storage, frames, frames.reduce(0) { $0 + $1.byteCount })
    }
    guard let (storage, frames, byteCount) = ways.min(by: { $0.2 < $1.2 }), byteCount <= destination.count else {
      return nil
    }
    // Sound: the frames' byte counts add up to the number of bytes, which the destination has.
    var (head, words) = (0, frames.reduce(0) { $0 + $1.headByteCount })
    for frame in frames {
      unsafe frame.writeHead(
        to: UnsafeMutableRawBufferPointer(rebasing: destination[head...].prefix(frame.headByteCount)))
      unsafe frame.write(
        offsets, to: UnsafeMutableRawBufferPointer(rebasing: destination[words...].prefix(frame.wordByteCount)))
      head += frame.headByteCount
      words += frame.wordByteCount
    }
    return (storage, byteCount)
  }

  /// Unpacks a payload that `pack` has packed: the frames that have some of `rows`, or all when it is nil.
  static func unpack(
    _ packed: UnsafeRawBufferPointer, _ header: BlockHeader, for rows: RowMask?,
    into payload: UnsafeMutableRawBufferPointer
  ) throws(Damage) {
    precondition(payload.count == header.rowCount * header.width)
    // Sound: the payload has room by the precondition, and nothing is read beyond the packed bytes.
    let isWhole = unsafe quoin_unpack_bits(
      packed.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(packed.count), Int32(header.rowCount),
      Int32(header.width), header.storage == .differenceBits ? 1 : 0, rows.map(frames) ?? ~0,
      payload.baseAddress?.assumingMemoryBound(to: UInt8.self))
    if isWhole == 0 { throw Damage(offset: 0, "the packed bits are not those of \(header.rowCount) rows") }
  }

  /// Asks the processor to fetch the words of the frames that have some of `rows`, which lie about where they would if all frames
  /// were of the same size.
  static func prefetch(_ rows: RowList, of block: EncodedBlock) {
    let (payload, frameCount) = (block.stored, (block.rowCount + rowsPerFrame - 1) / rowsPerFrame)
    let wanted = frames(of: rows.mask)
    for frame in 0..<frameCount where wanted & 1 << UInt32(frame) != 0 {
      let (first, end) = (payload.count * frame / frameCount, payload.count * (frame + 1) / frameCount)
      for offset in stride(from: first, to: end + 64, by: 64) { payload.prefetch(at: offset) }
    }
  }

  /// Bit i: whether frame i has any of these rows.
  private static func frames(of rows: RowMask) -> UInt32 {
    let words = rows.words.evenHalf | rows.words.oddHalf
    return words.indices.reduce(0) { words[$1] == 0 ? $0 : $0 | 1 << UInt32($1) }
  }

  /// The offsets. A row whose offset doesn't matter gets that of a neighbor.
  private static func offsets(
    _ payload: UnsafeRawBufferPointer, _ header: BlockHeader, _ freeRows: [UInt16]
  ) -> [UInt32] {
    var offsets = [UInt32](repeating: 0, count: header.rowCount)
    unsafe ScaledCodec.forEachOffset(header, payload) { offsets[$0] = $1 }
    let leadingCount = zip(freeRows, 0...).prefix { $0 == $1 }.count
    if leadingCount > 0, leadingCount < offsets.count { offsets[0] = offsets[leadingCount] }
    for row in freeRows where row > 0 { offsets[Int(row)] = offsets[Int(row) - 1] }
    return offsets
  }
}

/// How some rows' offsets are packed.
private struct BitFrame {
  private let rows: Range<Int>
  private let width: Int
  /// Of a packed value.
  let bits: Int
  private let base: Int64
  /// The least difference; nil if offsets are packed.
  private let least: Int64?

  init(_ offsets: [UInt32], _ rows: Range<Int>, width: Int, hasDifferences: Bool) {
    (self.rows, self.width) = (rows, width)
    var (smallest, largest) = (Int64.max, Int64.min)
    for row in hasDifferences ? rows.dropFirst() : rows {
      let number = Int64(offsets[row]) - (hasDifferences ? Int64(offsets[row - 1]) : 0)
      (smallest, largest) = (min(smallest, number), max(largest, number))
    }
    // A single row has no difference.
    if smallest > largest { (smallest, largest) = (0, 0) }
    bits = Int64.bitWidth - (largest - smallest).leadingZeroBitCount
    least = hasDifferences ? smallest : nil
    base = hasDifferences ? Int64(offsets[rows.lowerBound]) - smallest : smallest
  }

  /// The bits of a value's low part, and of its high one.
  private var partBits: [Int] { bits > 16 ? [16, bits - 16] : [bits] }

  private func byteCount(ofBits bits: Int) -> Int { ((rows.count + 7) / 8 * bits + 15) / 16 * 16 }

  var headByteCount: Int { 1 + (least == nil ? 1 : 2) * width }
  var wordByteCount: Int { partBits.reduce(0) { $0 + byteCount(ofBits: $1) } }
  var byteCount: Int { headByteCount + wordByteCount }

  /// Writes the head to as many bytes.
  func writeHead(to bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count == headByteCount && bits <= 32)
    // Sound: by the precondition.
    unsafe bytes[0] = UInt8(bits)
    for byte in 0..<width {
      unsafe bytes[1 + byte] = UInt8(truncatingIfNeeded: base >> Int64(8 * byte))
      if let least { unsafe bytes[1 + width + byte] = UInt8(truncatingIfNeeded: least >> Int64(8 * byte)) }
    }
  }

  /// Writes the words to as many bytes.
  func write(_ offsets: [UInt32], to words: UnsafeMutableRawBufferPointer) {
    precondition(words.count == wordByteCount)
    // Sound: by the precondition, and the parts' byte counts add up to it.
    unsafe words.initializeMemory(as: UInt8.self, repeating: 0)
    var start = 0
    for (part, bits) in partBits.enumerated() {
      let words = unsafe UnsafeMutableRawBufferPointer(rebasing: words[start...].prefix(byteCount(ofBits: bits)))
      for (place, row) in rows.enumerated() {
        let value = UInt32(truncatingIfNeeded: value(offsets, row) >> Int64(16 * part)) & (1 << UInt32(bits) - 1)
        unsafe write(value, bits, place, to: words)
      }
      start += words.count
    }
  }

  private func value(_ offsets: [UInt32], _ row: Int) -> Int64 {
    guard let least else { return Int64(offsets[row]) - base }
    return row == rows.lowerBound ? 0 : Int64(offsets[row]) - Int64(offsets[row - 1]) - least
  }

  /// Writes the value of the row at `place` in the frame.
  private func write(_ value: UInt32, _ bits: Int, _ place: Int, to words: UnsafeMutableRawBufferPointer) {
    let (bit, lane) = (place / 8 * bits, place % 8)
    let shifted = value << UInt32(bit % 16)
    for byte in 0..<((bit % 16 + bits + 7) / 8) {
      // The value's third and fourth byte are in the lane's next word.
      unsafe words[bit / 16 * 16 + 2 * lane + byte / 2 * 16 + byte % 2] |= UInt8(
        truncatingIfNeeded: shifted >> UInt32(8 * byte))
    }
  }
}
