// A column computed from another: adjusted prices from prices, adjusted volumes from volumes.
//
//   value[row] = rounded(source[row] * factor)       one factor for each stretch of days between two corporate actions
//
// The map from source to value is monotone within a stretch, so a range of values is a range of the source's values
// (DerivedCodec+Rows.swift). DerivedCodec+Plan.swift tells how factors are found.

enum DerivedCodec: BlockCodec {
  /// Each stretch is an entry of the list: its factor and its first row. It ends before the next one's first row.
  static func listCount(_ header: BlockHeader) -> Int { Int(header.step) }
  static func payloadByteCount(_ header: BlockHeader) -> Int { 0 }
  static let needsSource = true

  static func isConsistent(_ header: BlockHeader) -> Bool {
    header.width == 0 && header.base == 0 && (1...header.rowCount).contains(Int(header.step))
      && header.exponent <= SignificantDigits.all
  }

  /// The rows of stretch `index`, and how they are computed.
  @inline(__always)
  static func stretch(_ index: Int, of block: EncodedBlock) -> (rows: Range<Int>, factor: DerivedFactor) {
    let (first, bits) = block.listEntry(index)
    let end = index + 1 < block.header.listCount ? block.listEntry(index + 1).row : block.rowCount
    let digits = SignificantDigits(digits: block.header.exponent)
    return (first..<end, DerivedFactor(value: Double(bitPattern: bits), digits: digits))
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
    source: UnsafeBufferPointer<Value>?
  ) throws(Damage) {
    guard let source = unsafe source else {
      let values = unsafe scratch.source(Value.self, count: block.rowCount)
      unsafe try block.source().decode(into: values, scratch)
      return unsafe try decode(block, into: output, scratch, source: UnsafeBufferPointer(values))
    }
    precondition(source.count == block.rowCount, "\(source.count) values to compute \(block.rowCount) from")
    // Sound: stretches lie inside the block, and there is a value of the source for each of its rows.
    var decade = RoundingDecade.none
    forEachStretch(of: block) { rows, factor in
      unsafe Value.derive(rows, from: source, into: output, by: factor, &decade)
    }
  }

  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: UnsafeBufferPointer<Value>?
  ) throws(Damage) {
    guard let source = unsafe source else {
      unsafe try block.source().gather(rows, into: output, scratch)
      return unsafe try gather(rows, of: block, into: output, scratch, source: UnsafeBufferPointer(output))
    }
    precondition(source.count == rows.count, "\(source.count) values to compute \(rows.count) from")
    // Sound: as above, of the rows that are listed.
    var (first, decade) = (0, RoundingDecade.none)
    forEachStretch(of: block) { stretch, factor in
      var end = first
      while end < rows.count, rows[end] < stretch.upperBound { end += 1 }
      unsafe Value.derive(first..<end, from: source, into: output, by: factor, &decade)
      first = end
    }
  }
}

/// How the values of a stretch are computed: multiplied, then rounded.
struct DerivedFactor {
  let value: Double
  let digits: SignificantDigits

  /// The value that is computed from `source`.
  @inline(__always)
  func value<Value: BlockValue>(from source: Value) -> Value {
    source.isMissing ? .missing : Value.derived(from: source, by: self).canonical
  }
}
