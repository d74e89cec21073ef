// From values to the bytes of a block: every encoding says what it would cost, the cheapest is written, decoded again
// and compared bit for bit; LZ4 is kept where it saves enough to be worth its time in a scan.
//
// To add an encoding: a case of `BlockEncoding`; a codec file with analyze, payload and decode; its line in `plans`,
// `BlockPlan.payload`, `EncodedBlock.decode` and `RangeKernel`; golden bytes in the tests.

/// A block's bytes and what a scan should know of them.
struct BlockImage<Value: BlockValue>: Equatable {
  let bytes: [UInt8]
  let statistics: BlockStatistics<Value>
}

/// The block that another may be computed from: its values and its bytes.
struct BlockSource<Value: BlockValue> {
  let values: [Value]
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

struct BlockEncoder {
  var choice = EncodingChoice()
  private let scratch = BlockScratch()

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
      if unsafe decodesTo(values, bytes, source) { return BlockImage(bytes: bytes, statistics: statistics) }
    }
    preconditionFailure("no encoding gives back the block's \(values.count) values")
  }

  /// The permitted ways to encode the values, cheapest first; plain is always the last resort.
  private func plans<Value: BlockValue>(
    _ values: UnsafeBufferPointer<Value>, areDays: Bool, _ source: BlockSource<Value>?
  ) -> [BlockPlan<Value>] {
    var plans: [BlockPlan<Value>] = []
    if let source, source.isDerivable, choice.encodings.contains(.derived) {
      let derived = unsafe source.values.withUnsafeBufferPointer { unsafe DerivedCodec.analyze(values, from: $0) }
      if let derived { plans.append(derived) }
    }
    if areDays, choice.encodings.contains(.daySet), let days = unsafe daySet(values) { plans.append(days) }
    if choice.encodings.contains(.constant) { plans.append(unsafe ConstantCodec.analyze(values)) }
    plans.sort { $0.byteCount < $1.byteCount }
    if choice.encodings.contains(.scaled), let scaled = unsafe scaled(values, unless: plans.first) {
      plans.append(scaled)
      plans.sort { $0.byteCount < $1.byteCount }
    }
    let plain = unsafe PlainCodec.analyze(values)
    return plans.filter { $0.byteCount < plain.byteCount } + [plain]
  }

  private func daySet<Value: BlockValue>(_ values: UnsafeBufferPointer<Value>) -> BlockPlan<Value>? {
    guard Value.self == Int64.self else { return nil }
    return unsafe values.withMemoryRebound(to: Int64.self) { unsafe DaySetCodec.analyze($0) }.map {
      BlockPlan<Value>(header: $0.header, exceptionRows: [])
    }
  }

  /// The scaled plan, unless one is known that it can't beat: it takes a byte a row, or nearly nothing.
  private func scaled<Value: BlockValue>(
    _ values: UnsafeBufferPointer<Value>, unless known: BlockPlan<Value>?
  ) -> BlockPlan<Value>? {
    if let known, known.byteCount <= BlockHeader.byteCount + max(32, values.count) { return nil }
    return unsafe ScaledCodec.analyze(values)
  }

  private func assembled<Value: BlockValue>(
    _ plan: BlockPlan<Value>, _ values: UnsafeBufferPointer<Value>
  ) -> [UInt8] {
    var header = plan.header
    let payload = unsafe stored(plan.payload(values), &header)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(BlockHeader.byteCount + header.exceptionByteCount + payload.count + 8)
    header.append(to: &bytes)
    for stretch in plan.stretches { bytes.append(littleEndian: stretch.factor.bitPattern) }
    for stretch in plan.stretches { bytes.append(littleEndian: UInt16(stretch.firstRow)) }
    bytes.pad(to: 8)
    for row in plan.exceptionRows { unsafe bytes.append(littleEndian: values[row].bits) }
    for row in plan.exceptionRows { bytes.append(littleEndian: UInt16(row)) }
    bytes.pad(to: 8)
    bytes.append(contentsOf: payload)
    bytes.pad(to: 8)
    return bytes
  }

  /// The payload as it is to be stored: compressed when that pays, and then the header says how.
  private func stored(_ payload: [UInt8], _ header: inout BlockHeader) -> [UInt8] {
    guard header.encoding == .plain || header.encoding == .scaled else { return payload }
    let share =
      header.encoding == .scaled ? choice.largestCompressedScaledShare : choice.largestCompressedShare
    let limit = Int(Double(payload.count) * share)
    var best = payload
    for storage in [PayloadStorage.lz4Planes, .lz4] where choice.storages.contains(storage) {
      let elements =
        storage == .lz4 ? payload : BytePlanes.split(payload, planeCount: max(1, payload.count / header.rowCount))
      guard let compressed = LZ4.compressed(elements, limit: min(limit, best.count - 1)) else { continue }
      best = compressed
      header.storage = storage
    }
    header.storedPayloadByteCount = best.count
    return best
  }

  private func decodesTo<Value: BlockValue>(
    _ values: UnsafeBufferPointer<Value>, _ bytes: [UInt8], _ source: BlockSource<Value>?
  ) -> Bool {
    unsafe (source?.bytes ?? []).withUnsafeBytes { source in
      unsafe bytes.withUnsafeBytes { bytes in
        guard let block = try? unsafe EncodedBlock(bytes, source: source), block.rowCount == values.count else {
          return false
        }
        let decoded = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<values.count])
        guard (try? unsafe block.decode(into: decoded, scratch)) != nil else { return false }
        return values.indices.allSatisfy { unsafe values[$0].bits == decoded[$0].bits }
      }
    }
  }
}
