// A float64 column computed from another: adjusted prices from prices, adjusted volumes from volumes, which are int64.
//
//   value[row] = rounded(float64(source[row]) * factor)       one factor for each stretch of days between two corporate actions
//
// The factor of a stretch without values is NaN, because feeds bring no adjusted prices: rows of an import have them, and those of the
// days since have none.
//
// The map from source to value is monotone within a stretch, so a range of values is a range of the source's values
// for each stretch, and the source's codec compares these without decoding. DerivedCodec+Plan.swift tells how factors are
// found.

enum DerivedCodec: BlockCodec {
  /// Each stretch is an entry of the list: its factor and its first row. It ends before the next one's first row.
  static var hasList: Bool { true }
  static func payloadByteCount(_ header: BlockHeader) -> Int { 0 }
  static let needsSource = true

  /// Whether the source's values are int64.
  static func isOfIntegers(_ header: BlockHeader) -> Bool { header.base == 1 }

  static func isConsistent(_ header: BlockHeader) -> Bool {
    header.width == 0 && header.base <= 1 && (1...header.rowCount).contains(Int(header.step))
      && header.exponent <= SignificantDigits.all
  }

  /// The rows of stretch `index`, and how they are computed.
  @inline(__always)
  static func stretch(_ index: Int, of block: EncodedBlock) -> (rows: Range<Int>, factor: DerivedFactor) {
    let count = block.header.listCount
    let (first, bits) = block.listEntry(index, of: count)
    let end = index + 1 < count ? block.listEntry(index + 1, of: count).row : block.rowCount
    let digits = SignificantDigits(digits: block.header.exponent)
    let factor = DerivedFactor(
      value: Double(bitPattern: bits), digits: digits, isOfIntegers: isOfIntegers(block.header))
    return (first..<end, factor)
  }

  /// Calls `body` with the rows of each stretch, and how they are computed.
  @inline(__always)
  static func forEachStretch(of block: EncodedBlock, _ body: (Range<Int>, DerivedFactor) -> Void) {
    for index in 0..<block.header.listCount {
      let (rows, factor) = stretch(index, of: block)
      body(rows, factor)
    }
  }

  static func decode<Value: BlockValue>(
    _ block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    let output = unsafe try doubles(output)
    let source = unsafe try values(source, nil, of: block, into: output, scratch)
    precondition(source.count == block.rowCount, "\(source.count) values to compute \(block.rowCount) from")
    // Sound: stretches lie inside the block, and there is a value of the source for each of its rows.
    var decade = firstDecade(of: block)
    forEachStretch(of: block) { rows, factor in unsafe factor.derive(rows, from: source, into: output, &decade) }
  }

  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    let output = unsafe try doubles(output)
    let source = unsafe try values(source, rows, of: block, into: output, scratch)
    precondition(source.count == rows.count, "\(source.count) values to compute \(rows.count) from")
    // Sound: as above, of the rows that are listed.
    var (first, index, decade) = (0, 0, firstDecade(of: block))
    while first < rows.count {
      let (stretch, factor) = stretch(index, of: block)
      // Mostly no further stretch has rows: to look for the end took a fifth of the time.
      var end = rows[rows.count - 1] < stretch.upperBound ? rows.count : first
      while end < rows.count, rows[end] < stretch.upperBound { end += 1 }
      if end > first { unsafe factor.derive(first..<end, from: source, into: output, &decade) }
      (first, index) = (end, index + 1)
    }
  }

  /// How the first values are rounded, as far as that doesn't depend on them.
  @inline(__always)
  private static func firstDecade(of block: EncodedBlock) -> RoundingDecade {
    block.header.exponent == SignificantDigits.whole.digits ? .whole : .none
  }

  /// The source's values of some rows, or of all when `rows` is nil: those that the caller has, or else decoded.
  ///
  /// - Parameter output: room for as many values, which may be used for them.
  @inline(__always)
  private static func values(
    _ known: SourceValues?, _ rows: RowList?, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Double>,
    _ scratch: BlockScratch
  ) throws(Damage) -> UnsafeBufferPointer<Double> {
    switch known {
    case .doubles(let values): return unsafe values
    case .integers(let numbers): unsafe Double.convert(numbers, into: output)
    case nil:
      let source = try block.source()
      if isOfIntegers(block.header) {
        let numbers = unsafe scratch.source(Int64.self, count: output.count)
        unsafe try source.write(rows, to: numbers, scratch, source: nil)
        unsafe Double.convert(UnsafeBufferPointer(numbers), into: output)
      } else {
        unsafe try source.write(rows, to: output, scratch, source: nil)
      }
    }
    return UnsafeBufferPointer(output)
  }

  /// Room for the values of a block, which are float64.
  @inline(__always)
  private static func doubles<Value>(
    _ output: UnsafeMutableBufferPointer<Value>
  ) throws(Damage) -> UnsafeMutableBufferPointer<Double> {
    guard let output = unsafe output as? UnsafeMutableBufferPointer<Double> else { throw notDoubles }
    return unsafe output
  }

  /// The damage of a block in a section of int64 values.
  private static var notDoubles: Damage { Damage(offset: 0, "int64 values are computed from others") }
}

// Which rows lie in a range.

extension DerivedCodec {
  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    guard let range = range as? ValueRange<Double> else { throw notDoubles }
    let source = try block.source()
    let isMonotone = (0..<block.header.listCount).allSatisfy {
      let factor = stretch($0, of: block).factor
      return factor.value > 0 || factor.isMissing
    }
    guard isMonotone, source.header.encoding.codec.comparesDerivedValues else {
      return try decodedRows(of: block, in: range, scratch)
    }
    let payload = unsafe try source.payload(scratch, for: wanted)
    let compare = unsafe CompareSource(block: block, source: source, payload: payload, range: range, wanted: wanted)
    var mask = source.header.encoding.run(compare, ())
    decidePatches(of: source, block, range, &mask)
    return mask
  }

  /// The rows by their values, where the source's codec can't compare.
  private static func decodedRows(
    of block: EncodedBlock, in range: ValueRange<Double>, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    let values = unsafe try block.decoded(Double.self, scratch)
    // Sound: there is a value for each row.
    return RowMask(rowsBelow: block.rowCount) { unsafe range.contains(values[$0]) }
  }

  /// Computes each row that the source leaves to a patch from that patch's value.
  private static func decidePatches(
    of source: EncodedBlock, _ block: EncodedBlock, _ range: ValueRange<Double>, _ mask: inout RowMask
  ) {
    guard source.header.patchCount > 0 else { return }
    var (index, current) = (0, stretch(0, of: block))
    for patchIndex in 0..<source.header.patchCount {
      let (row, bits) = source.patch(patchIndex)
      while current.rows.upperBound <= row {
        index += 1
        current = stretch(index, of: block)
      }
      mask[row] = range.contains(valueFrom: current.factor.source(bits: bits), by: current.factor)
    }
  }
}

/// Compares the source's rows, stretch by stretch. Sound: the payload outlives the call that the task is made for.
@safe
private struct CompareSource: CodecTask {
  let block: EncodedBlock
  let source: EncodedBlock
  let payload: UnsafeRawBufferPointer
  let range: ValueRange<Double>
  let wanted: RowMask

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ context: Void) throws(Never) -> RowMask {
    var mask = RowMask.none
    DerivedCodec.forEachStretch(of: block) { rows, factor in
      guard wanted.hasRows(in: rows), !factor.isMissing else { return }
      unsafe Codec.insertRows(rows, of: source, payload, by: factor, in: range, into: &mask)
    }
    return mask
  }
}

extension ValueRange<Double> {
  /// Whether the value that `factor` makes of `source` is in the range. Unless the product is close to an end, rounding
  /// doesn't matter.
  @inline(__always)
  fileprivate func contains(valueFrom source: Double, by factor: DerivedFactor) -> Bool {
    let product = source * factor.value
    let slack = DerivedFactor(value: 1, digits: factor.digits).slack(around: product, scale: 1)
    let (first, last) = (product - slack, product + slack)
    // Without branches, because nothing predicts the outcome. A missing value is neither inside nor outside.
    let isInside = (first > lowerBound ? 1 : 0) & (last < upperBound ? 1 : 0)
    let isOutside = (last < lowerBound ? 1 : 0) | (first > upperBound ? 1 : 0)
    if isInside | isOutside == 1, !source.isMissing { return isInside == 1 }
    return contains(factor.value(from: source))
  }
}
