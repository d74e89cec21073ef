/// A block's values as a line over what it stores: (base + offset * step) / power, but for its patches.
// Sound: a caller uses it as long as the block and the scratch memory that it was made with.
@safe
struct LinearForm {
  let base: Double
  let step: Double
  /// The power of ten below the integers, if all of them are exact float64s.
  let exponent: Int?
  /// Bytes of one offset, 0 to 3, laid out as in CKernels/range.h.
  let width: Int
  let largestOffset: Double
  let payload: UnsafeRawPointer?

  /// A block of one value.
  init(constant: Double) {
    (base, step, exponent, width, largestOffset) = (constant, 0, nil, 0, 0)
    unsafe payload = nil
  }

  /// A scaled block of offsets of at most three bytes.
  fileprivate init(_ header: BlockHeader, _ payload: UnsafeRawPointer?) {
    (base, step) = (Double(Int64(bits: header.base)), Double(header.step))
    (exponent, width, largestOffset) = (header.exponent, header.width, Double(header.largestOffset))
    unsafe self.payload = unsafe payload
  }

  var power: Double { exponent.map { powersOfTen[$0] } ?? 1 }
  /// The largest integer.
  var top: Double { base + largestOffset * step }
  /// The largest magnitude of a value.
  var magnitude: Double { max(base.magnitude, top.magnitude) / power }
}

extension EncodedBlock {
  /// The block's form as a line; nil if it has none.
  ///
  /// - Parameters:
  ///   - areIntegers: whether the values are int64s.
  ///   - unpacked: room for the payload of a block whose own is packed.
  func linearForm(
    areIntegers: Bool, _ scratch: BlockScratch, unpacked: ColumnMemory<UInt32>
  ) throws(Damage) -> LinearForm? {
    areIntegers
      ? try header.encoding.run(FindLine<Int64>(block: self, unpacked: unpacked), scratch)
      : try header.encoding.run(FindLine<Double>(block: self, unpacked: unpacked), scratch)
  }
}

private struct FindLine<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let unpacked: ColumnMemory<UInt32>

  @inline(__always)
  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ scratch: BlockScratch) throws(Damage) -> LinearForm? {
    try Codec.linearForm(of: block, Value.self, scratch, unpacked: unpacked)
  }
}

extension ConstantCodec {
  static func linearForm<Value: BlockValue>(
    of block: EncodedBlock, _ type: Value.Type, _ scratch: BlockScratch, unpacked: ColumnMemory<UInt32>
  ) throws(Damage) -> LinearForm? {
    let value = Value(bits: block.header.base)
    if value.isMissing { return nil }
    let number = (value as? Int64).map { Double($0) } ?? value as? Double
    return number.flatMap { $0.magnitude < 0x1p53 ? LinearForm(constant: $0) : nil }
  }
}

extension ScaledCodec {
  static func linearForm<Value: BlockValue>(
    of block: EncodedBlock, _ type: Value.Type, _ scratch: BlockScratch, unpacked: ColumnMemory<UInt32>
  ) throws(Damage) -> LinearForm? {
    let header = block.header
    // Offsets of four bytes aren't positive as Int32s, the type that the machine converts in lanes.
    guard header.width < 4, max(-header.integers.lowerBound, header.integers.upperBound) < 1 << 53 else { return nil }
    if header.width == 0 { return unsafe LinearForm(header, nil) }
    let payload = unsafe try block.payload(scratch)
    if header.storage == .raw { return unsafe LinearForm(header, payload.baseAddress) }
    precondition(payload.count <= unpacked.count * 4, "\(payload.count) bytes of a payload")
    // Sound: by the precondition. The scratch memory is used again for the next block.
    unsafe UnsafeMutableRawBufferPointer(unpacked.values).copyMemory(from: payload)
    return unsafe LinearForm(header, UnsafeRawPointer(unpacked.base))
  }
}
