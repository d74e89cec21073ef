/// What the float32s are that a block's values were written as: integers, of which the value is each over a power of ten, or numbers
/// near what that would be.
struct NarrowIntegers {
  /// The value is the integer over 10^exponent.
  let exponent: Int
  private(set) var low: Double
  private(set) var high: Double
  /// How far a float32 may be from its integer; 0 if all are exact.
  private(set) var error: Double
  /// The same of the patches too, which needn't be integers.
  private(set) var patchError: Double

  /// Integers up to here are exact in float32.
  static let exactLimit = 0x1p24

  /// Integers from `base` on.
  ///
  /// - Parameter span: the largest is no further from `base`.
  /// - Returns: nil if one may not be a float64.
  init?(base: Int64, span: UInt64, exponent: Int) {
    let (low, span) = (Double(base), Double(span))
    guard low.magnitude + span < 0x1p53 else { return nil }
    self.exponent = exponent
    (self.low, high) = (low, low + span)
    // The base, the offset, its product and the sum are rounded once each.
    error = low.magnitude + span <= Self.exactLimit ? 0 : 4 * (low.magnitude + span) * Double(Float.ulpOfOne)
    patchError = error
  }

  /// With a patch, as its value times the power of ten: an integer that is exact, or another number.
  ///
  /// - Returns: what it is; nil for an integer that is exact.
  fileprivate mutating func insert(_ number: Double, isExact: Bool) -> NarrowPatch? {
    guard number.magnitude < 0x1p53 else { return .other }
    (low, high) = (min(low, number), max(high, number))
    if isExact { return nil }
    patchError = max(patchError, 4 * number.magnitude * Double(Float.ulpOfOne))
    return .rounded
  }

  /// What becomes of them by factors between these, and rounding to so many digits; nil if that may move them far.
  func multiplied(by factors: ClosedRange<Double>, _ digits: SignificantDigits) -> NarrowIntegers? {
    let factor = DerivedFactor(value: factors.upperBound, digits: digits)
    let size = (max(-low, high) + patchError) * factors.upperBound
    let slack = factor.slack(around: size, scale: powersOfTen[exponent])
    guard factors.lowerBound > 0, factors.upperBound < 0x1p60, slack.isFinite else { return nil }
    var product = self
    product.low = min(low * factors.lowerBound, low * factors.upperBound) - slack
    product.high = max(high * factors.lowerBound, high * factors.upperBound) + slack
    // The factor and the product are rounded.
    let rounding = slack + 4 * size * Double(Float.ulpOfOne)
    product.error = error * factors.upperBound + rounding
    product.patchError = patchError * factors.upperBound + rounding
    return product
  }

  /// With other rows' integers; false if these have another exponent.
  mutating func formUnion(_ other: NarrowIntegers) -> Bool {
    guard other.exponent == exponent else { return false }
    (low, high) = (min(low, other.low), max(high, other.high))
    (error, patchError) = (max(error, other.error), max(patchError, other.patchError))
    return true
  }
}

/// A patch that is no integer over the power of ten of its block.
enum NarrowPatch {
  case missing
  /// It is a number between integers, or a large one, which a float32 is near.
  case rounded
  /// No float32 says what it is.
  case other
}

extension EncodedBlock {
  /// Writes the rows from `first` on as integers in float32s from row `start` of `memory` on; nil if they aren't integers over one
  /// power of ten. In the place of a missing cell there is anything.
  ///
  /// - Parameter patches: gets those from `first` on that aren't such integers.
  func writeIntegers(
    from first: Int, to memory: ColumnMemory<Float>, at start: Int, areIntegers: Bool, _ scratch: BlockScratch,
    _ patches: inout [(row: Int, patch: NarrowPatch)]
  ) throws(Damage) -> NarrowIntegers? {
    precondition(first >= 0 && first <= rowCount && start >= 0 && start + rowCount - first <= memory.count)
    // Sound: by the precondition.
    return unsafe try writeIntegers(
      from: first, to: memory.base + start, areIntegers: areIntegers, scratch, &patches)
  }

  /// The same, where there is room for the rows.
  func writeIntegers(
    from first: Int, to output: UnsafeMutablePointer<Float>, areIntegers: Bool, _ scratch: BlockScratch,
    _ patches: inout [(row: Int, patch: NarrowPatch)]
  ) throws(Damage) -> NarrowIntegers? {
    let isDerived = header.encoding.codec.needsSource
    guard
      var integers = unsafe try isDerived
        ? derivedIntegers(from: first, to: output, scratch, &patches)
        : areIntegers
          ? header.encoding.run(WriteIntegers<Int64>(block: self, first: first, output: output), scratch)
          : header.encoding.run(WriteIntegers<Double>(block: self, first: first, output: output), scratch)
    else { return nil }
    let power = powersOfTen[integers.exponent]
    // From the last one on, because mostly only the last rows are wanted if not all are.
    for index in (0..<header.patchCount).reversed() {
      let (row, bits) = patch(index)
      if row < first { break }
      // A source's patch of a row that has another value counts no more.
      if isDerived { patches.removeAll { $0.row == row } }
      let value = areIntegers ? Int64(bits: bits).narrowValue : Double(bits: bits).narrowValue
      if value.isNaN {
        patches.append((row, .missing))
        continue
      }
      let (number, integer) = (value * power, (value * power).nearestInteger)
      let isExact = integer.magnitude <= NarrowIntegers.exactLimit && integer / power == value
      unsafe output[row - first] = Float(isExact ? integer : number)
      if let patch = integers.insert(isExact ? integer : number, isExact: isExact) {
        patches.append((row, patch))
      }
    }
    return integers
  }

  /// What is derived from a source's integers.
  private func derivedIntegers(
    from first: Int, to output: UnsafeMutablePointer<Float>, _ scratch: BlockScratch,
    _ patches: inout [(row: Int, patch: NarrowPatch)]
  ) throws(Damage) -> NarrowIntegers? {
    let integers = unsafe try source().writeIntegers(
      from: first, to: output, areIntegers: DerivedCodec.isOfIntegers(header), scratch, &patches)
    return integers.flatMap { unsafe DerivedCodec.multiply($0, of: self, from: first, output) }
  }
}

extension Double {
  /// The integer that is nearest to a number of a magnitude below 2^51; to add and subtract 1.5 * 2^52 rounds it. The baseline of x86-64
  /// has no instruction for it.
  fileprivate var nearestInteger: Double { magnitude < 0x1p51 ? (self + 0x1.8p52) - 0x1.8p52 : self }
  fileprivate var narrowValue: Double { self }
}

extension Int64 {
  /// The number as a float64; missing if the value is.
  fileprivate var narrowValue: Double { isMissing ? .missing : Double(self) }
}

// Sound: the memory outlives the call that the task is made for.
@safe
private struct WriteIntegers<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let first: Int
  let output: UnsafeMutablePointer<Float>

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ scratch: BlockScratch) throws(Damage) -> NarrowIntegers? {
    unsafe try Codec.writeIntegers(block, of: Value.self, from: first, to: output, scratch)
  }
}

extension BlockValue {
  /// An integer and the power of ten that it is the value over; nil if a few powers have none.
  var scaledExactly: (integer: Int64, exponent: Int)? {
    if isMissing { return nil }
    for exponent in Self.exponents.sorted() {
      guard let integers = Self.scaled(self...self, exponent: exponent) else { continue }
      return (integers.lowerBound, exponent)
    }
    return nil
  }
}
