extension EncodedBlock {
  /// Decodes every row into `output`, which has room for exactly `rowCount` values.
  func decode<Value: BlockValue>(
    into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch
  ) throws(Damage) {
    precondition(output.count == rowCount, "room for \(output.count) values of \(rowCount)")
    let payload = unsafe try payload(scratch)
    // Sound: rows stay below `rowCount`, exceptions too, as parsing has checked; every value is 8 bytes of plain data.
    switch header.encoding {
    case .constant: unsafe output.update(repeating: Value(bits: header.base))
    case .scaled: unsafe unscale(rowCount, payload, into: output) { $0 }
    case .plain: for row in 0..<rowCount { unsafe output[row] = plainValue(row, payload) }
    case .daySet:
      unsafe output.withMemoryRebound(to: Int64.self) {
        unsafe DaySetCodec.decode(payload, base: Int64(bits: header.base), into: $0)
      }
    case .derived: unsafe try derive(into: output, scratch)
    }
    for index in 0..<header.exceptionCount {
      let (row, bits) = exception(index)
      unsafe output[row] = Value(bits: bits)
    }
  }

  /// Computes every row of a derived block.
  private func derive<Value: BlockValue>(
    into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch
  ) throws(Damage) {
    let values = unsafe scratch.source(Value.self, count: rowCount)
    unsafe try source().decode(into: values, scratch)
    unsafe derive(from: UnsafeBufferPointer(values), into: output)
  }

  /// Computes every row of a derived block from the values of its source.
  func derive<Value: BlockValue>(
    from source: UnsafeBufferPointer<Value>, into output: UnsafeMutableBufferPointer<Value>
  ) {
    var decade = RoundingDecade.none
    forEachStretch { rows, factor, digits in
      unsafe Value.derive(rows, from: source, into: output, factor: factor, digits, &decade)
    }
  }

  /// Calls `body` with the rows of each stretch of a derived block, their factor, and the rounding.
  @inline(__always)
  func forEachStretch(_ body: (Range<Int>, Double, SignificantDigits) -> Void) {
    let digits = SignificantDigits(digits: header.exponent)
    for index in 0..<header.stretchCount {
      let (rows, factor) = stretch(index)
      body(rows, factor, digits)
    }
  }

  /// Writes the values that the scaled payload has for some rows to `output`, which has room for as many.
  @inline(__always)
  func unscale<Value: BlockValue>(
    _ count: Int, _ payload: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Value>,
    row: (Int) -> Int
  ) {
    // Sound: callers pass rows of the block, whose scaled payload is rowCount * width bytes, and room for some of them.
    guard let start = output.baseAddress else { return }
    switch header.width {
    case 1: unsafe Value.unscale(header, count: count, into: start) { unsafe UInt32(payload[row($0)]) }
    case 2:
      unsafe Value.unscale(header, count: count, into: start) {
        unsafe UInt32(payload.integer(at: row($0) * 2, as: UInt16.self))
      }
    case 3: unsafe Value.unscale(header, count: count, into: start) { unsafe offset3(row($0), payload) }
    case 4:
      unsafe Value.unscale(header, count: count, into: start) {
        unsafe payload.integer(at: row($0) * 4, as: UInt32.self)
      }
    default: unsafe Value.unscale(header, count: count, into: start) { _ in 0 }
    }
  }

  /// Calls `body` with every row and its offset in a scaled payload.
  @inline(__always)
  func forEachOffset(_ payload: UnsafeRawBufferPointer, _ body: (Int, UInt32) -> Void) {
    // Sound: a scaled payload is rowCount * width bytes.
    switch header.width {
    case 1: for row in 0..<rowCount { unsafe body(row, UInt32(payload[row])) }
    case 2: for row in 0..<rowCount { unsafe body(row, UInt32(payload.integer(at: row * 2, as: UInt16.self))) }
    case 3: for row in 0..<rowCount { unsafe body(row, offset3(row, payload)) }
    case 4: for row in 0..<rowCount { unsafe body(row, payload.integer(at: row * 4, as: UInt32.self)) }
    default: for row in 0..<rowCount { body(row, 0) }
    }
  }

  @inline(__always)
  func offset3(_ row: Int, _ payload: UnsafeRawBufferPointer) -> UInt32 {
    unsafe UInt32(payload.integer(at: row * 2, as: UInt16.self)) | UInt32(payload[rowCount * 2 + row]) << 16
  }

  @inline(__always)
  func plainValue<Value: BlockValue>(_ row: Int, _ payload: UnsafeRawBufferPointer) -> Value {
    // Sound: a plain payload is rowCount * 8 bytes.
    Value(bits: unsafe payload.integer(at: row * 8, as: UInt64.self))
  }
}
