// One encoding is one type that conforms to `BlockCodec`, in a folder of its own. It owns everything about its payload: what a
// block would cost, how it is written, checked, decoded, compared and added up. The rest of the engine handles headers,
// patches and checksums, and calls the verbs below.
//
// To add an encoding, add a folder with a conforming type, a case of `BlockEncoding`, and its line in `BlockEncoding.run`;
// both are in BlockEncoding.swift. Golden bytes go into the tests, and a new format version into `StoreFormat`.

/// One encoding's bytes: everything that the engine knows of them.
///
/// `decode`, `gather`, `rows`, `writeIntegers`, `linearForm` and `measure` answer for the payload alone. Patches, the rows whose value the encoding can't
/// express, are put right by the caller. Everything that a verb reads has been checked: the header by `isConsistent`, the rest
/// by `check`.
protocol BlockCodec {
  // The header

  /// Whether the header is followed by a list of the encoding's own, with `step` entries: 8 bytes and a row each. Their rows rise
  /// from row 0, or the block is damaged.
  static var hasList: Bool { get }

  /// Bytes of the payload once it is unpacked.
  static func payloadByteCount(_ header: BlockHeader) -> Int

  /// Whether the header's fields agree with each other, apart from the stored size.
  static func isConsistent(_ header: BlockHeader) -> Bool

  /// Whether blocks are computed from another block of the same rows.
  static var needsSource: Bool { get }

  /// Whether the payload is offsets as a scaled block has them, which can be packed in bits.
  static var hasOffsets: Bool { get }

  // Writing

  /// How these values would be encoded, and at what cost; nil if this encoding can't express them or doesn't pay.
  ///
  /// - Parameter knownByteCount: the bytes that the best other plan takes.
  static func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>?

  /// The rows that a plan leaves to patches, ascending. Called once, before `write`.
  static func patchRows<Value>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> [UInt16]

  /// Writes the payload. It has the size that the plan's header says.
  static func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer)

  /// The share of its size to which LZ4 must shrink a payload to be worth unpacking in every scan; nil if compression isn't
  /// worth a try.
  static func largestCompressedShare(
    _ header: BlockHeader, _ choice: EncodingChoice, _ scratch: EncoderScratch
  ) -> Double?

  /// Whether a block that was just written gives back the values bit for bit.
  static func isFaithful<Value>(_ block: EncodedBlock, _ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> Bool

  // Reading

  /// Checks everything about lists and payload that the other verbs rely on and `isConsistent` can't see.
  static func check(_ block: EncodedBlock) throws(Damage)

  /// Writes all values to `output`, which has room for exactly these.
  ///
  /// - Parameter source: the values of the block that this one is computed from, if the caller has them.
  static func decode<Value: BlockValue>(
    _ block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?) throws(Damage)

  /// Writes the values of some rows to `output`, which has room for exactly these. For a few rows this costs less than
  /// decoding the block.
  ///
  /// - Parameter source: the values of the same rows of the block that this one is computed from, if the caller has them.
  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?) throws(Damage)

  /// Asks the processor to fetch what `gather` will read of the payload.
  static func prefetch(_ rows: RowList, of block: EncodedBlock)

  /// The rows whose values lie in a range. The result is meaningful only for the rows of `wanted`.
  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask

  /// Whether `insertRows` can answer without decoding, for values that are computed from these.
  static var comparesDerivedValues: Bool { get }

  /// Adds those of `rows` to `mask` whose values, multiplied and rounded, lie in a range.
  static func insertRows(
    _ rows: Range<Int>, of block: EncodedBlock, _ payload: UnsafeRawBufferPointer, by factor: DerivedFactor,
    in range: ValueRange<Double>, into mask: inout RowMask)

  /// Writes the rows from `first` on as integers in float32s, or as numbers near them, if the values are that over a power of ten, and
  /// says what these are; nil if they aren't. There is room for them. Not asked of what is computed from another block.
  static func writeIntegers<Value: BlockValue>(
    _ block: EncodedBlock, of type: Value.Type, from first: Int, to output: UnsafeMutablePointer<Float>,
    _ scratch: BlockScratch
  ) throws(Damage) -> NarrowIntegers?

  /// What the values follow from by a line; nil if they don't, or are computed from another block.
  ///
  /// - Parameter unpacked: room for a payload that is packed.
  static func linearForm<Value: BlockValue>(
    of block: EncodedBlock, _ type: Value.Type, _ scratch: BlockScratch, unpacked: ColumnMemory<UInt32>
  ) throws(Damage) -> LinearForm?

  /// Measures the segments of a block's selected rows without decoding it; false if it has to be decoded.
  static func measure<Value>(
    _ block: EncodedBlock, _ rows: BlockRows, into totals: SegmentTotals<Value>
  ) throws(Damage) -> Bool

  /// Finds the segments of a block of days, by period, without decoding it; false if it has to be decoded.
  static func divide(
    _ block: EncodedBlock, by periods: Periods, near hint: Int, into segments: Segments, _ scratch: BlockScratch
  ) throws(Damage) -> Bool
}

/// The values of the block that another is computed from, row by row: those of all rows or of some.
///
/// Sound: a caller keeps them as long as it uses the value, for one call.
@safe
enum SourceValues {
  case doubles(UnsafeBufferPointer<Double>)
  case integers(UnsafeBufferPointer<Int64>)
}

/// The defaults: no list, nothing to compress or check, and values that have to be decoded.
extension BlockCodec {
  static var hasList: Bool { false }
  static var needsSource: Bool { false }
  static var hasOffsets: Bool { false }
  static func patchRows<Value>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> [UInt16] { plan.patchRows }

  static func largestCompressedShare(
    _ header: BlockHeader, _ choice: EncodingChoice, _ scratch: EncoderScratch
  ) -> Double? { nil }

  static func isFaithful<Value>(_ block: EncodedBlock, _ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> Bool {
    block.decodes(to: input)
  }

  static func check(_ block: EncodedBlock) throws(Damage) {}
  static func prefetch(_ rows: RowList, of block: EncodedBlock) {}
  static var comparesDerivedValues: Bool { false }

  static func insertRows(
    _ rows: Range<Int>, of block: EncodedBlock, _ payload: UnsafeRawBufferPointer, by factor: DerivedFactor,
    in range: ValueRange<Double>, into mask: inout RowMask
  ) { preconditionFailure("\(Self.self) doesn't compare derived values") }

  static func writeIntegers<Value: BlockValue>(
    _ block: EncodedBlock, of type: Value.Type, from first: Int, to output: UnsafeMutablePointer<Float>,
    _ scratch: BlockScratch
  ) throws(Damage) -> NarrowIntegers? { nil }

  static func linearForm<Value: BlockValue>(
    of block: EncodedBlock, _ type: Value.Type, _ scratch: BlockScratch, unpacked: ColumnMemory<UInt32>
  ) throws(Damage) -> LinearForm? { nil }

  static func measure<Value>(
    _ block: EncodedBlock, _ rows: BlockRows, into totals: SegmentTotals<Value>
  ) throws(Damage) -> Bool { false }

  static func divide(
    _ block: EncodedBlock, by periods: Periods, near hint: Int, into segments: Segments, _ scratch: BlockScratch
  ) throws(Damage) -> Bool { false }
}
