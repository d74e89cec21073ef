@testable import Quoin
@testable import QuoteGenerator

/// The encoded bytes of some values.
func encoded<Value: BlockValue>(
  _ values: [Value], _ choice: EncodingChoice = EncodingChoice(), areDays: Bool = false
) -> BlockImage<Value> {
  unsafe values.withUnsafeBufferPointer { unsafe BlockEncoder(choice: choice).encode($0, areDays: areDays) }
}

/// Runs `body` on the block in these bytes, which lie before a page that can't be read: whoever reads past the end
/// ends the process, in release too.
func withBlock<Result>(_ bytes: [UInt8], _ body: (EncodedBlock) throws -> Result) throws -> Result {
  let guarded = GuardedBytes(bytes)
  defer { withExtendedLifetime(guarded) {} }
  return try body(unsafe EncodedBlock(guarded.bytes))
}

/// All the values of an encoded block.
func decoded<Value: BlockValue>(_ bytes: [UInt8], _ type: Value.Type = Value.self) throws -> [Value] {
  try withBlock(bytes) { try decoded($0) }
}

func decoded<Value: BlockValue>(_ block: EncodedBlock, _ type: Value.Type = Value.self) throws -> [Value] {
  let scratch = BlockScratch()
  let output = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
  unsafe try block.decode(into: output, scratch)
  return unsafe Array(output)
}

/// The values of some rows of an encoded block.
func gathered<Value: BlockValue>(
  _ block: EncodedBlock, _ rows: [UInt16], _ type: Value.Type = Value.self
) throws -> [Value] {
  let scratch = BlockScratch()
  let output = unsafe scratch.output(Value.self, count: rows.count)
  var mask = RowMask.none
  for row in rows { mask[Int(row)] = true }
  let result: Result<Void, Damage> = unsafe rows.withUnsafeBufferPointer { rows in
    unsafe withUnsafePointer(to: mask) { mask in
      Result { () throws(Damage) in unsafe try block.gather(RowList(rows, mask), into: output, scratch) }
    }
  }
  try result.get()
  return unsafe Array(output)
}

/// A block, and the one that it is computed from.
typealias DerivedBytes = (source: [UInt8], block: [UInt8])

/// The bytes of `source`, and of `values` as computed from it.
func derived(
  _ source: [Double], _ values: [Double], _ choice: EncodingChoice = EncodingChoice()
) -> DerivedBytes {
  derived(.doubles(ColumnBuffer(source)), encoded(source, choice).bytes, values)
}

func derived(_ source: [Int64], _ values: [Double]) -> DerivedBytes {
  derived(.integers(ColumnBuffer(source)), encoded(source).bytes, values)
}

private func derived(_ source: Column, _ bytes: [UInt8], _ values: [Double]) -> DerivedBytes {
  let source = BlockSource(values: source, rows: 0..<source.count, bytes: bytes)
  return (bytes, unsafe values.withUnsafeBufferPointer { unsafe BlockEncoder().encode($0, source: source) }.bytes)
}

func withBlock<Result>(_ bytes: DerivedBytes, _ body: (EncodedBlock) throws -> Result) throws -> Result {
  try unsafe bytes.source.withUnsafeBytes { source in
    try unsafe bytes.block.withUnsafeBytes { block in try body(unsafe EncodedBlock(block, source: source)) }
  }
}

extension SeededRandom {
  /// One of the values, one just beside it, or any, but no NaN.
  mutating func bound(_ values: [Double]) -> Double {
    let value = element(of: values)
    let any = uniform(0, 200)
    let bound = element(of: [value, value.nextUp, value.nextDown, any, 0, .infinity, -.infinity])
    return bound.isNaN ? 0 : bound
  }
}

/// A writer of blocks that follows the description of the format and nothing else: it can write what the encoder would
/// never choose.
struct HandmadeBlock {
  var encoding: UInt8
  var storage: UInt8 = 0
  var rowCount: Int
  var base: UInt64 = 0
  var step: UInt32 = 0
  var width: UInt8 = 0
  var exponent: UInt8 = 0
  var zero: UInt16 = 0
  var stretches: [(row: UInt16, bits: UInt64)] = []
  var patches: [(row: UInt16, bits: UInt64)] = []
  var patchCount: UInt16?
  var storedByteCount: UInt16?
  var payload: [UInt8] = []

  var bytes: [UInt8] {
    var bytes: [UInt8] = [encoding, storage]
    bytes.append(littleEndian: UInt16(rowCount))
    bytes.append(littleEndian: patchCount ?? UInt16(patches.count))
    bytes.append(littleEndian: storedByteCount ?? UInt16(payload.count))
    bytes.append(littleEndian: base)
    bytes.append(littleEndian: step)
    bytes += [width, exponent]
    bytes.append(littleEndian: zero)
    for list in [stretches, patches] {
      for entry in list { bytes.append(littleEndian: entry.bits) }
      for entry in list { bytes.append(littleEndian: entry.row) }
      bytes.pad(to: 8)
    }
    bytes += payload
    bytes.pad(to: 8)
    return bytes
  }

  /// A scaled block of these offsets.
  static func scaled(base: Int64, step: UInt32, width: Int, exponent: UInt8, offsets: [UInt32]) -> HandmadeBlock {
    var block = HandmadeBlock(encoding: 1, rowCount: offsets.count)
    block.base = UInt64(bitPattern: base)
    (block.step, block.width, block.exponent) = (step, UInt8(width), exponent)
    if width == 3 {
      for offset in offsets { block.payload.append(littleEndian: UInt16(truncatingIfNeeded: offset)) }
      for offset in offsets { block.payload.append(UInt8(truncatingIfNeeded: offset >> 16)) }
    } else {
      for offset in offsets {
        for byte in 0..<width { block.payload.append(UInt8(truncatingIfNeeded: offset >> UInt32(8 * byte))) }
      }
    }
    return block
  }

  static func plain<Value: BlockValue>(_ values: [Value]) -> HandmadeBlock {
    var block = HandmadeBlock(encoding: 2, rowCount: values.count)
    for value in values { block.payload.append(littleEndian: value.bits) }
    return block
  }

  /// The same block with its payload compressed; nil when that doesn't make it smaller.
  func compressed(planes: Bool) -> HandmadeBlock? {
    var elements = payload
    if planes {
      unsafe payload.withUnsafeBytes { payload in
        unsafe elements.withUnsafeMutableBytes {
          unsafe BytePlanes.split(payload, into: $0, planeCount: max(1, payload.count / rowCount))
        }
      }
    }
    var small = [UInt8](repeating: 0, count: max(0, payload.count - 1))
    let count = unsafe elements.withUnsafeBytes { elements in
      unsafe small.withUnsafeMutableBytes { unsafe LZ4.compress(elements, into: $0) }
    }
    guard let count else { return nil }
    small.removeLast(small.count - count)
    var block = self
    block.payload = small
    block.storage = planes ? 2 : 1
    return block
  }
}
