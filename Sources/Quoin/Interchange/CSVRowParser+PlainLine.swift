extension CSVRowParser {
  /// What the fast reading does with a column.
  enum Step: Sendable {
    /// A float64 or int64 attribute; one that is nearly always `0.0` or `1.0`, which are recognized whole.
    case double(column: Int)
    case integer(column: Int)
    case quiet(column: Int)
    case date, ticker, ignored

    init(_ role: ColumnRole) {
      switch role {
      case .double(let slot):
        let isQuiet = slot == AttributeName.exDividend.slot || slot == AttributeName.splitRatio.slot
        self = isQuiet ? .quiet(column: slot) : .double(column: slot)
      case .integer(let slot): self = .integer(column: AttributeName.doubleCount + slot)
      case .date: self = .date
      case .ticker: self = .ticker
      case .ignored: self = .ignored
      }
    }
  }

  /// Reads lines from `start` on as long as all their cells are plain, `rows` has room and they begin before `end`.
  ///
  /// No plain cell has a line feed in it, so that nothing behind a line is taken for a part of it.
  ///
  /// - Returns: where the first other line starts. Of that, nothing is committed.
  func parsePlainLines(
    from start: UnsafeRawPointer, to end: UnsafeRawPointer, _ number: inout Int, _ state: inout State
  ) -> UnsafeRawPointer {
    var line = unsafe start
    unsafe steps.withUnsafeBufferPointer { steps in
      while unsafe line < end, !state.rows.isFull {
        guard let next = unsafe parsePlainLine(at: line, steps, number, &state) else { return }
        unsafe line = next
        number += 1
      }
    }
    return unsafe line
  }

  /// Where the next line starts; nil when this one needs a closer look.
  @inline(__always)
  private func parsePlainLine(
    at start: UnsafeRawPointer, _ steps: UnsafeBufferPointer<Step>, _ number: Int, _ state: inout State
  ) -> UnsafeRawPointer? {
    var at = unsafe start
    let row = unsafe state.rows.nextRow
    let stride = state.rows.stride
    var isDelimited = true
    for index in steps.indices {
      guard isDelimited else { return nil }
      switch unsafe steps[index] {
      case .double(let column):
        guard let (value, byteCount) = unsafe plainDouble(at: at) else { return nil }
        unsafe row.storeBytes(of: value, toByteOffset: column &* stride, as: Double.self)
        unsafe at += byteCount
      case .quiet(let column):
        guard let (value, byteCount) = unsafe quietDouble(at: at) else { return nil }
        unsafe row.storeBytes(of: value, toByteOffset: column &* stride, as: Double.self)
        unsafe at += byteCount
      case .integer(let column):
        guard let (value, byteCount) = unsafe plainVolume(at: at) else { return nil }
        unsafe row.storeBytes(of: value, toByteOffset: column &* stride, as: Int64.self)
        unsafe at += byteCount
      case .date:
        guard unsafe takeDay(at: at, &state) else { return nil }
        unsafe at += 10
      case .ticker:
        guard unsafe state.tickers.isRepeated(at: at) else { return nil }
        state.ticker = state.tickers.symbol
        unsafe at += state.tickers.byteCount
      case .ignored: return nil
      }
      isDelimited = unsafe at.load(as: UInt8.self) == header.delimiter
      unsafe at += 1
    }
    guard let next = unsafe lineEnd(at - 1), unsafe next - start <= lineByteCountMax else { return nil }
    state.rows.commit(state.ticker, state.day, position: number)
    return unsafe next
  }

  /// Where the line starts that the line's end at `at` is followed by; nil when there is none.
  @inline(__always)
  private func lineEnd(_ at: UnsafeRawPointer) -> UnsafeRawPointer? {
    let byte = unsafe at.load(as: UInt8.self)
    if byte == UInt8(ascii: "\n") { return unsafe at + 1 }
    guard byte == UInt8(ascii: "\r"), unsafe at.load(fromByteOffset: 1, as: UInt8.self) == UInt8(ascii: "\n")
    else { return nil }
    return unsafe at + 2
  }

  @inline(__always)
  private func plainDouble(at start: UnsafeRawPointer) -> (Double, Int)? {
    guard let decimal = unsafe DecimalWords(at: start, powers) else { return unsafe longDouble(at: start) }
    return (decimal.double(powers), decimal.byteCount)
  }

  @inline(__always)
  private func quietDouble(at start: UnsafeRawPointer) -> (Double, Int)? {
    let text = unsafe UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
    if text == quietZero { return (0, 3) }
    if text == quietOne { return (1, 3) }
    return unsafe plainDouble(at: start)
  }

  @inline(__always)
  private func plainVolume(at start: UnsafeRawPointer) -> (Int64, Int)? {
    unsafe DecimalWords.volume(at: start) ?? longVolume(at: start)
  }

  @inline(__always)
  private func takeDay(at start: UnsafeRawPointer, _ state: inout State) -> Bool {
    if let day = unsafe state.days.day(at: start.assumingMemoryBound(to: UInt8.self)) {
      state.day = day
      return true
    }
    return unsafe takeDayOfNewMonth(at: start, &state)
  }

  @inline(never)
  private func takeDayOfNewMonth(at start: UnsafeRawPointer, _ state: inout State) -> Bool {
    guard case .value(let day) = unsafe state.days.parse(UnsafeRawBufferPointer(start: start, count: 10)) else {
      return false
    }
    state.day = day
    return true
  }

  /// A number with more characters or with a sign. It ends before the next line feed, wherever that is.
  @inline(never)
  private func longDouble(at start: UnsafeRawPointer) -> (Double, Int)? {
    let decimal = unsafe PlainDecimal(at: start.assumingMemoryBound(to: UInt8.self))
    return decimal.double(powers).map { ($0, decimal.byteCount) }
  }

  @inline(never)
  private func longVolume(at start: UnsafeRawPointer) -> (Int64, Int)? {
    let decimal = unsafe PlainDecimal(at: start.assumingMemoryBound(to: UInt8.self))
    return decimal.volume.map { ($0, decimal.byteCount) }
  }
}
