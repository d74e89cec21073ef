// From values to the bytes of a block: every encoding says what it would cost, the cheapest is written, decoded again
// and compared bit for bit; LZ4 is kept where it saves enough to be worth its time in a scan.
//
// To add an encoding: a case of `BlockEncoding`; a codec file with analyze, write and decode; its lines in `plans` and
// `write`, `EncodedBlock.decode` and `gather`, and `RangeKernel`; golden bytes in the tests.

/// A block's bytes and what a scan should know of them.
struct BlockImage<Value: BlockValue>: Equatable {
  let bytes: [UInt8]
  let statistics: BlockStatistics<Value>
}

/// The block that another may be computed from: its values and its bytes.
struct BlockSource<Value: BlockValue> {
  let values: ArraySlice<Value>
  let bytes: [UInt8]

  /// Whether the block has values of its own.
  var isDerivable: Bool { !bytes.isEmpty && bytes.first != BlockEncoding.derived.rawValue }
}

/// Which encodings and compressions a writer may use: all of them, except in tests and measurements.
package struct EncodingChoice: Sendable {
  package var encodings: Set<BlockEncoding>
  package var storages: Set<PayloadStorage>

  /// LZ4 is kept when the payload shrinks to this share: a scan loses more by unpacking than it gains by reading less.
  package var largestCompressedShare: Double
  /// The same for scaled payloads, which a scan would compare as they are stored.
  package var largestCompressedScaledShare = 0.5

  /// - Parameter largestCompressedShare: for payloads that are not scaled.
  package init(
    encodings: Set<BlockEncoding> = Set(BlockEncoding.allCases),
    storages: Set<PayloadStorage> = Set(PayloadStorage.allCases), largestCompressedShare: Double = 0.8
  ) {
    self.encodings = encodings
    self.storages = storages
    self.largestCompressedShare = largestCompressedShare
  }
}

/// Encodes blocks. One thread at a time: it has working memory.
struct BlockEncoder {
  let choice: EncodingChoice
  let scratch = EncoderScratch()
  // Asked for each block, and a set takes as long to answer as a block of one row to encode.
  private let (allowsConstant, allowsDerived, allowsDaySet, allowsScaled): (Bool, Bool, Bool, Bool)

  init(choice: EncodingChoice = EncodingChoice()) {
    self.choice = choice
    allowsConstant = choice.encodings.contains(.constant)
    allowsDerived = choice.encodings.contains(.derived)
    allowsDaySet = choice.encodings.contains(.daySet)
    allowsScaled = choice.encodings.contains(.scaled)
  }

  /// Encodes 1 to 1,024 values, the missing ones in canonical form.
  ///
  /// - Parameters:
  ///   - areDays: whether these are the rising days of a ticker.
  ///   - source: the values that these may be computed from, and their block.
  func encode<Value: BlockValue>(
    _ values: UnsafeBufferPointer<Value>, areDays: Bool = false, source: BlockSource<Value>? = nil
  ) -> BlockImage<Value> {
    precondition((1...Limits.rowsPerBlock).contains(values.count), "\(values.count) values in a block")
    let statistics = unsafe BlockStatistics(values)
    for plan in unsafe plans(values, areDays: areDays, source) {
      let bytes = unsafe assembled(plan, values)
      if unsafe isFaithful(bytes, plan, values, source) { return BlockImage(bytes: bytes, statistics: statistics) }
    }
    preconditionFailure("no encoding gives back the block's \(values.count) values")
  }

  /// The permitted ways to encode the values, cheapest first; plain is always the last resort.
  private func plans<Value: BlockValue>(
    _ values: UnsafeBufferPointer<Value>, areDays: Bool, _ source: BlockSource<Value>?
  ) -> [BlockPlan<Value>] {
    var plans: [BlockPlan<Value>] = []
    if allowsConstant, let constant = unsafe ConstantCodec.analyze(values) {
      // Nothing is shorter than a header.
      if constant.header.exceptionCount == 0 { return [constant] }
      plans.append(constant)
    }
    if let source, source.isDerivable, allowsDerived {
      let derived = unsafe source.values.withUnsafeBufferPointer { unsafe DerivedCodec.analyze(values, from: $0) }
      if let derived { plans.append(derived) }
    }
    if areDays, allowsDaySet, let days = unsafe daySet(values) { plans.append(days) }
    let known = plans.map(\.byteCount).min() ?? .max
    if allowsScaled, let scaled = unsafe scaled(values, unless: known) { plans.append(scaled) }
    let plain = unsafe PlainCodec.analyze(values)
    plans = plans.filter { $0.byteCount < plain.byteCount }
    if plans.count > 1 { plans.sort { $0.byteCount < $1.byteCount } }
    return plans + [plain]
  }

  private func daySet<Value: BlockValue>(_ values: UnsafeBufferPointer<Value>) -> BlockPlan<Value>? {
    guard Value.self == Int64.self else { return nil }
    // Sound: the guard says that they are Int64.
    return unsafe values.withMemoryRebound(to: Int64.self) { unsafe DaySetCodec.analyze($0) }.map {
      BlockPlan<Value>(header: $0.header)
    }
  }

  /// The scaled plan, unless one is known that it can't beat: it takes a byte a row, or nearly nothing.
  private func scaled<Value: BlockValue>(
    _ values: UnsafeBufferPointer<Value>, unless knownByteCount: Int
  ) -> BlockPlan<Value>? {
    if knownByteCount <= BlockHeader.byteCount + max(32, values.count) { return nil }
    return unsafe ScaledCodec.analyze(values, scratch)
  }

  /// The bytes of the block.
  private func assembled<Value: BlockValue>(_ plan: BlockPlan<Value>, _ values: UnsafeBufferPointer<Value>) -> [UInt8] {
    if plan.header.encoding == .scaled { ScaledCodec<Value>.settle(scratch.scaled, plan.header) }
    // Sound: the plan adds up header, lists and payload, and each is written to its own place below that sum.
    let capacity = (plan.byteCount + 7) / 8 * 8
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      let payloadStart = plan.byteCount - plan.header.storedPayloadByteCount
      let payload = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[payloadStart..<plan.byteCount])
      unsafe write(plan, values, to: payload)
      var header = plan.header
      unsafe compress(payload, &header)
      unsafe header.write(to: bytes)
      unsafe writeLists(plan, values, to: bytes)
      let end = payloadStart + header.storedPayloadByteCount
      count = (end + 7) / 8 * 8
      for index in end..<count { unsafe bytes[index] = 0 }
    }
  }

  /// Writes the payload's bytes before any compression.
  private func write<Value: BlockValue>(
    _ plan: BlockPlan<Value>, _ values: UnsafeBufferPointer<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {
    switch plan.header.encoding {
    case .constant, .derived: break
    case .scaled: unsafe ScaledCodec<Value>.write(scratch.scaled, plan.header, to: payload)
    case .plain: unsafe PlainCodec.write(values, to: payload)
    case .daySet:
      // Sound: a day set is planned for Int64 only.
      unsafe values.withMemoryRebound(to: Int64.self) {
        unsafe DaySetCodec.write($0, base: Int64(bits: plan.header.base), to: payload)
      }
    }
  }

  /// Writes the stretches and the exceptions, each list padded with zeros.
  private func writeLists<Value: BlockValue>(
    _ plan: BlockPlan<Value>, _ values: UnsafeBufferPointer<Value>, to bytes: UnsafeMutableRawBufferPointer
  ) {
    var offset = BlockHeader.byteCount
    if !plan.stretches.isEmpty {
      for stretch in plan.stretches { unsafe append(stretch.factor.bitPattern, to: bytes, &offset) }
      for stretch in plan.stretches { unsafe append(UInt16(stretch.firstRow), to: bytes, &offset) }
      unsafe pad(bytes, &offset)
    }
    if plan.header.exceptionCount == 0 { return }
    let rows = unsafe exceptionRows(plan, values)
    precondition(rows.count == plan.header.exceptionCount)
    for row in rows { unsafe append(values[Int(row)].bits, to: bytes, &offset) }
    for row in rows { unsafe append(row, to: bytes, &offset) }
    unsafe pad(bytes, &offset)
  }

  private func append<T: FixedWidthInteger & BitwiseCopyable>(
    _ value: T, to bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int
  ) {
    unsafe bytes.store(value, at: offset)
    offset += MemoryLayout<T>.size
  }

  private func pad(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
    while offset % 8 != 0 { unsafe append(UInt8(0), to: bytes, &offset) }
  }

  private func exceptionRows<Value: BlockValue>(
    _ plan: BlockPlan<Value>, _ values: UnsafeBufferPointer<Value>
  ) -> [UInt16] {
    switch plan.header.encoding {
    case .constant:
      values.indices.compactMap { unsafe values[$0].bits == plan.header.base ? nil : UInt16(truncatingIfNeeded: $0) }
    case .scaled: unsafe Array(scratch.scaled.exceptionRows)
    case .derived: plan.derivedExceptions
    case .plain, .daySet: []
    }
  }

  /// Compresses the payload in its place when that pays, and then the header says how.
  private func compress(_ payload: UnsafeMutableRawBufferPointer, _ header: inout BlockHeader) {
    guard header.encoding == .plain || header.encoding == .scaled && repeats(header) else { return }
    let share =
      header.encoding == .scaled ? choice.largestCompressedScaledShare : choice.largestCompressedShare
    var limit = min(Int(Double(payload.count) * share), payload.count - 1)
    var best: UnsafeMutableRawBufferPointer?
    if choice.storages.contains(.lz4Planes), limit > 0 {
      let planes = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch.planes[..<payload.count])
      unsafe BytePlanes.split(
        UnsafeRawBufferPointer(payload), into: planes, planeCount: max(1, payload.count / header.rowCount))
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch.compressed.0[..<limit])
      if let count = unsafe LZ4.compress(UnsafeRawBufferPointer(planes), into: room) {
        unsafe best = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        header.storage = .lz4Planes
        limit = count - 1
      }
    }
    if choice.storages.contains(.lz4), limit > 0 {
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch.compressed.1[..<limit])
      if let count = unsafe LZ4.compress(UnsafeRawBufferPointer(payload), into: room) {
        unsafe best = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        header.storage = .lz4
      }
    }
    guard let best = unsafe best else { return }
    unsafe payload.copyMemory(from: UnsafeRawBufferPointer(best))
    header.storedPayloadByteCount = best.count
  }

  /// Whether some rows of a scaled block have the offset of the row before: where hardly any has, LZ4 never saves half,
  /// as in 99.6 % of the blocks of the WIKI table, and to try took a tenth of the time to encode them.
  private func repeats(_ header: BlockHeader) -> Bool {
    let start = UnsafeRawPointer(unsafe scratch.scaled.offsets.baseAddress!)
    var lanes = SIMD8<Int32>.zero
    for row in stride(from: 1, to: header.rowCount - 7, by: 8) {
      // Sound: rows up to `row + 7` are there, and one before `row`.
      let offsets = unsafe start.loadUnaligned(fromByteOffset: row &* 4, as: SIMD8<Int32>.self)
      let before = unsafe start.loadUnaligned(fromByteOffset: row &* 4 &- 4, as: SIMD8<Int32>.self)
      lanes.replace(with: lanes &+ 1, where: offsets .== before)
    }
    // Of a few rows there is little to save, one way or the other.
    let count = header.rowCount < 64 ? header.rowCount : Int(lanes.wrappedSum())
    return count * 8 >= header.rowCount
  }
}
