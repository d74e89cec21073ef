// From values to the bytes of a block. Every encoding says what it would cost; the cheapest is written, decoded again and
// compared bit for bit. The payload is packed if that saves enough to be worth its time in every scan.

/// A block's bytes and its statistics.
struct BlockImage<Value: BlockValue>: Equatable {
  let bytes: [UInt8]
  let statistics: BlockStatistics<Value>
}

/// Encodes blocks. It has working memory, so only one thread may use it at a time.
struct BlockEncoder {
  let choice: EncodingChoice
  let scratch = EncoderScratch()
  /// The permitted encodings except plain, in the order in which they are tried.
  private let encodings: [BlockEncoding]
  private let packsBits: Bool
  /// Whether a block of one value may be its header.
  let encodesConstants: Bool

  init(choice: EncodingChoice = EncodingChoice()) {
    self.choice = choice
    encodings = BlockEncoding.allCases.filter { $0 != .plain && choice.encodings.contains($0) }
    packsBits = choice.packsBits
    encodesConstants = choice.encodings.contains(.constant)
  }

  /// Encodes 1 to 1,024 values, the missing ones in canonical form.
  ///
  /// - Parameters:
  ///   - areDays: whether these are the rising days of a ticker.
  ///   - source: the values that these may be computed from, and their block.
  func encode<Value: BlockValue>(
    _ values: UnsafeBufferPointer<Value>, areDays: Bool = false, source: BlockSource? = nil
  ) -> BlockImage<Value> {
    precondition((1...Limits.rowsPerBlock).contains(values.count), "\(values.count) values in a block")
    let statistics = unsafe BlockStatistics(values)
    let input = unsafe BlockInput(
      values: values, count: values.count, areDays: areDays, missingCount: statistics.missingCount, source: source,
      packsBits: packsBits, scratch: scratch)
    for plan in plans(input) {
      let bytes = assembled(plan, input)
      if isFaithful(bytes, plan, input) { return BlockImage(bytes: bytes, statistics: statistics) }
    }
    preconditionFailure("no encoding gives back the block's \(values.count) values")
  }

  /// Encodes some rows of a column, as above.
  func encode<Value: BlockValue>(
    _ values: ColumnBuffer<Value>, rows: Range<Int>, areDays: Bool = false, source: BlockSource? = nil
  ) -> BlockImage<Value> {
    precondition(rows.upperBound <= values.count, "rows \(rows) of \(values.count)")
    return unsafe values.withUnsafeBufferPointer { values in
      unsafe encode(UnsafeBufferPointer(rebasing: values[rows]), areDays: areDays, source: source)
    }
  }

  /// The permitted ways to encode the values, cheapest first. Plain is always the last resort.
  private func plans<Value: BlockValue>(_ input: BlockInput<Value>) -> [BlockPlan<Value>] {
    guard let plain = BlockEncoding.plain.plan(input, unless: .max) else { return [] }
    var plans: [BlockPlan<Value>] = []
    plans.reserveCapacity(encodings.count + 1)
    var best = plain.byteCount
    for encoding in encodings {
      guard let plan = encoding.plan(input, unless: best), plan.byteCount < plain.byteCount else { continue }
      best = min(best, plan.byteCount)
      plans.append(plan)
      // Nothing is shorter than a header.
      if best == BlockHeader.byteCount { break }
    }
    if plans.count > 1 { plans.sort { $0.byteCount < $1.byteCount } }
    plans.append(plain)
    return plans
  }

  /// The bytes of the block.
  private func assembled<Value: BlockValue>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> [UInt8] {
    let encoding = plan.header.encoding
    let patchRows = encoding.patchRows(plan, input)
    precondition(patchRows.count == plan.header.patchCount)
    // Sound: the plan adds up header, lists and payload, and each is written to its own place below that sum.
    let capacity = (plan.byteCount + 7) / 8 * 8
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      let payloadStart = plan.byteCount - plan.header.storedPayloadByteCount
      let payload = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[payloadStart..<plan.byteCount])
      unsafe encoding.write(plan, input, to: payload)
      var header = plan.header
      unsafe pack(payload, patchRows, &header)
      unsafe header.write(to: bytes)
      var offset = BlockHeader.byteCount
      unsafe append(plan.list.count, { plan.list[$0].bits }, { plan.list[$0].row }, to: bytes, &offset)
      unsafe append(
        patchRows.count, { unsafe input.values[Int(patchRows[$0])].bits }, { patchRows[$0] }, to: bytes, &offset)
      let end = payloadStart + header.storedPayloadByteCount
      count = (end + 7) / 8 * 8
      for index in end..<count { unsafe bytes[index] = 0 }
    }
  }

  /// Writes a list of values and then rows, padded with zeros.
  @inline(__always)
  private func append(
    _ count: Int, _ bits: (Int) -> UInt64, _ row: (Int) -> UInt16, to bytes: UnsafeMutableRawBufferPointer,
    _ offset: inout Int
  ) {
    for index in 0..<count { unsafe bytes.store(bits(index), at: offset + index * 8) }
    offset += count * 8
    for index in 0..<count { unsafe bytes.store(row(index), at: offset + index * 2) }
    offset += count * 2
    while offset % 8 != 0 {
      unsafe bytes[offset] = 0
      offset += 1
    }
  }

  /// Packs the payload in place if that pays, and notes the storage in the header.
  private func pack(_ payload: UnsafeMutableRawBufferPointer, _ patchRows: [UInt16], _ header: inout BlockHeader) {
    guard let share = header.encoding.codec.largestCompressedShare(header, choice, scratch) else { return }
    var limit = min(Int(Double(payload.count) * share), payload.count - 1)
    let raw = UnsafeRawBufferPointer(payload)
    var best: UnsafeMutableRawBufferPointer?
    func keep(_ count: Int, _ room: UnsafeMutableRawBufferPointer, _ storage: PayloadStorage) {
      unsafe best = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
      header.storage = storage
      limit = count - 1
    }
    if choice.storages.contains(.lz4Planes), limit > 0 {
      let planes = unsafe scratch.decoding.planes(payload.count)
      unsafe BytePlanes.split(raw, into: planes, planeCount: max(1, payload.count / header.rowCount))
      let room = unsafe scratch.decoding.payload(limit)
      if let count = unsafe LZ4.compress(UnsafeRawBufferPointer(planes), into: room) {
        unsafe keep(count, room, .lz4Planes)
      }
    }
    if choice.storages.contains(.lz4), limit > 0 {
      let room = unsafe scratch.decoding.packed(limit)
      if let count = unsafe LZ4.compress(raw, into: room) { unsafe keep(count, room, .lz4) }
    }
    if packsBits, limit > 0 {
      let room = unsafe scratch.decoding.planes(limit)
      if let (storage, count) = unsafe PackedBits.pack(
        raw, header, as: choice.storages, freeRows: patchRows, into: room)
      {
        unsafe keep(count, room, storage)
      }
    }
    guard let best = unsafe best else { return }
    unsafe payload.copyMemory(from: UnsafeRawBufferPointer(best))
    header.storedPayloadByteCount = best.count
  }

  /// Whether the bytes give back the values. The encoder returns no block that doesn't.
  private func isFaithful<Value: BlockValue>(
    _ bytes: [UInt8], _ plan: BlockPlan<Value>, _ input: BlockInput<Value>
  ) -> Bool {
    // Sound: the block is used while its bytes and its source's are open.
    unsafe (input.source?.bytes ?? []).withUnsafeBytes { source in
      unsafe bytes.withUnsafeBytes { bytes in
        guard let block = try? unsafe EncodedBlock(bytes, source: source), block.rowCount == input.count else {
          return false
        }
        return plan.header.encoding.isFaithful(block, plan, input)
      }
    }
  }
}

extension BlockEncoding {
  fileprivate func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {
    unsafe run(Write(plan: plan, payload: payload), input)
  }
}

// Sound: the payload's memory outlives the call that the task is made for.
@safe
private struct Write<Value: BlockValue>: CodecTask {
  let plan: BlockPlan<Value>
  let payload: UnsafeMutableRawBufferPointer

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ input: BlockInput<Value>) throws(Never) {
    unsafe Codec.write(plan, input, to: payload)
  }
}
