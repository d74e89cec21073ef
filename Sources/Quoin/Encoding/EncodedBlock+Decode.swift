extension EncodedBlock {
  /// Decodes every row into `output`, which has room for exactly `rowCount` values.
  func decode<Value: BlockValue>(
    into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch
  ) throws(Damage) {
    precondition(output.count == rowCount, "room for \(output.count) values of \(rowCount)")
    let payload = unsafe try payload(scratch)
    switch header.encoding {
    case .constant: unsafe output.update(repeating: Value(bits: header.base))
    case .scaled: unsafe Value.unscale(self, payload, into: output)
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

  /// The values of the rows `rows`, which rise, in `output`, which has room for as many. For a few rows of a block this
  /// costs less than decoding it.
  func gather<Value: BlockValue>(
    _ rows: UnsafeBufferPointer<UInt16>, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch
  ) throws(Damage) {
    precondition(output.count == rows.count, "room for \(output.count) values of \(rows.count)")
    let payload = unsafe try payload(scratch)
    switch header.encoding {
    case .constant: unsafe output.update(repeating: Value(bits: header.base))
    case .scaled:
      for index in rows.indices { unsafe output[index] = unscaled(offset(Int(rows[index]), payload)) }
    case .plain:
      for index in rows.indices { unsafe output[index] = plainValue(Int(rows[index]), payload) }
    case .daySet:
      let days = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<rowCount])
      unsafe try decode(into: days, scratch)
      for index in rows.indices { unsafe output[index] = days[Int(rows[index])] }
    case .derived: unsafe try derive(rows, into: output, scratch)
    }
    unsafe patch(rows, output)
  }

  /// Replaces the gathered values of exceptional rows.
  private func patch<Value: BlockValue>(
    _ rows: UnsafeBufferPointer<UInt16>, _ output: UnsafeMutableBufferPointer<Value>
  ) {
    var index = 0
    for exceptionIndex in 0..<header.exceptionCount {
      let (row, bits) = exception(exceptionIndex)
      while index < rows.count, unsafe Int(rows[index]) < row { index += 1 }
      if index < rows.count, unsafe Int(rows[index]) == row { unsafe output[index] = Value(bits: bits) }
    }
  }

  /// Computes every row of a derived block.
  private func derive<Value: BlockValue>(
    into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch
  ) throws(Damage) {
    let values = unsafe scratch.source(Value.self, count: rowCount)
    unsafe try source().decode(into: values, scratch)
    forEachStretch { rows, factor, digits in
      for row in rows { unsafe output[row] = DerivedCodec.computed(values[row], factor, digits) }
    }
  }

  /// Computes some rows of a derived block.
  private func derive<Value: BlockValue>(
    _ rows: UnsafeBufferPointer<UInt16>, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch
  ) throws(Damage) {
    unsafe try source().gather(rows, into: output, scratch)
    var index = 0
    forEachStretch { stretch, factor, digits in
      while index < rows.count, unsafe Int(rows[index]) < stretch.upperBound {
        unsafe output[index] = DerivedCodec.computed(output[index], factor, digits)
        index += 1
      }
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

  /// The value that a scaled offset stands for.
  @inline(__always)
  private func unscaled<Value: BlockValue>(_ offset: UInt32) -> Value {
    Value.unscaled(
      Int64(bits: header.base) &+ Int64(bitPattern: UInt64(offset) &* UInt64(header.step)), exponent: header.exponent)
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

  func offset(_ row: Int, _ payload: UnsafeRawBufferPointer) -> UInt32 {
    // Sound: callers pass rows of the block, whose scaled payload is rowCount * width bytes.
    switch header.width {
    case 1: unsafe UInt32(payload[row])
    case 2: unsafe UInt32(payload.integer(at: row * 2, as: UInt16.self))
    case 3: unsafe offset3(row, payload)
    case 4: unsafe payload.integer(at: row * 4, as: UInt32.self)
    default: 0
    }
  }

  @inline(__always)
  private func offset3(_ row: Int, _ payload: UnsafeRawBufferPointer) -> UInt32 {
    unsafe UInt32(payload.integer(at: row * 2, as: UInt16.self)) | UInt32(payload[rowCount * 2 + row]) << 16
  }

  @inline(__always)
  private func plainValue<Value: BlockValue>(_ row: Int, _ payload: UnsafeRawBufferPointer) -> Value {
    // Sound: a plain payload is rowCount * 8 bytes.
    Value(bits: unsafe payload.integer(at: row * 8, as: UInt64.self))
  }
}
