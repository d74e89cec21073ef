// Sound: a chunk of text is followed by as many readable bytes as the longest look takes, and no plain cell reaches past a
// line feed. Cells go to columns that `ParsedRows` has memory for, in a row that `isFull` has left room for.
extension CSVRowParser {
  /// What the fast reading does with a column.
  enum Step: Equatable, Sendable {
    /// A float64 attribute, one that counts shares, an int64 attribute; one that is nearly always `0.0` or `1.0`, which are
    /// recognized whole.
    case double(column: Int)
    case shares(column: Int)
    case integer(column: Int)
    case quiet(column: Int)
    case date, ticker
    /// A column that holds nothing of a quote's: a cell without quotation marks is passed over.
    case skipped
    /// A column whose cells need a closer look.
    case careful

    /// Numbers in a style of their own take the careful way, and so do all columns of a role that isn't plain.
    init(_ role: ColumnRole, _ style: NumberStyle = .plain) {
      if role.isNumber, !style.readsPlainNumbers {
        self = .careful
        return
      }
      switch role {
      case .double(let slot):
        let isQuiet = TypedAttribute<Double>.all[slot].name.layout.isQuiet
        self = isQuiet ? .quiet(column: slot) : .double(column: slot)
      case .shares(let slot): self = .shares(column: slot)
      case .integer(let slot): self = .integer(column: Attribute.doubleCount + slot)
      case .date: self = .date
      case .ticker: self = .ticker
      case .ignored: self = .skipped
      case .splits, .datePart: self = .careful
      }
    }
  }

  /// Reads lines from `start` on as long as all their cells are plain and `rows` has room.
  ///
  /// No plain cell contains a line feed, so bytes after a line are never taken for a part of it.
  ///
  /// - Returns: where the first other line starts. Nothing of that line is committed.
  func parsePlainLines(of text: TextView, from start: Int, _ number: inout Int, _ state: inout CellSink) -> Int {
    guard let base = unsafe text.bytes.baseAddress else { return start }
    let end = unsafe base + text.count
    var line = unsafe base + start
    unsafe steps.withUnsafeBufferPointer { steps in
      while unsafe line < end, !state.rows.isFull {
        let next =
          unsafe isWIKI
          ? parseWIKILine(at: line, steps, number, &state) : parsePlainLine(at: line, steps, number, &state)
        guard let next = unsafe next else { return }
        unsafe line = next
        number += 1
      }
    }
    return unsafe line - base
  }

  /// Where the next line starts; nil if this one needs a closer look.
  @inline(__always)
  private func parsePlainLine(
    at start: UnsafeRawPointer, _ steps: UnsafeBufferPointer<Step>, _ number: Int, _ state: inout CellSink
  ) -> UnsafeRawPointer? {
    var at = unsafe start
    let row = unsafe state.rows.nextRow
    let (delimiter, stride) = (header.delimiter, state.rows.stride)
    for index in steps.indices {
      if unsafe index > 0 && !take(delimiter, &at) { return nil }
      guard unsafe take(steps[index], &at, row, stride, &state) else { return nil }
    }
    guard let next = unsafe lineEnd(at), unsafe next - start <= lineByteCountMax else { return nil }
    state.rows.commit(state.ticker, state.day, position: number)
    return unsafe next
  }

  /// The same for a line that begins with the columns of the WIKI table, which the loop need not ask what they hold: that
  /// saves a seventh of the time. `wikiSteps` says which columns these are.
  @inline(__always)
  private func parseWIKILine(
    at start: UnsafeRawPointer, _ steps: UnsafeBufferPointer<Step>, _ number: Int, _ state: inout CellSink
  ) -> UnsafeRawPointer? {
    var at = unsafe start
    let row = unsafe state.rows.nextRow
    let (delimiter, stride) = (header.delimiter, state.rows.stride)
    guard unsafe takeTicker(&at, &state), unsafe take(delimiter, &at), unsafe takeDay(&at, &state) else { return nil }
    for column in 0..<4 {
      guard unsafe take(delimiter, &at), unsafe takeDouble(&at, row + column &* stride) else { return nil }
    }
    guard unsafe take(delimiter, &at), unsafe takeVolume(&at, row + firstInteger &* stride) else { return nil }
    for column in 4..<6 {
      guard unsafe take(delimiter, &at), unsafe takeQuiet(&at, row + column &* stride) else { return nil }
    }
    for column in 6..<10 {
      guard unsafe take(delimiter, &at), unsafe takeDouble(&at, row + column &* stride) else { return nil }
    }
    guard unsafe take(delimiter, &at), unsafe takeShares(&at, row + 10 &* stride) else { return nil }
    var index = wikiStepCount
    while index < steps.count {
      guard unsafe take(delimiter, &at), unsafe take(steps[index], &at, row, stride, &state) else { return nil }
      index += 1
    }
    guard let next = unsafe lineEnd(at), unsafe next - start <= lineByteCountMax else { return nil }
    state.rows.commit(state.ticker, state.day, position: number)
    return unsafe next
  }

  /// The steps that `parseWIKILine` takes without looking. A test compares them with the header of a WIKI file.
  static let wikiSteps: [Step] =
    [.ticker, .date] + (0..<4).map { .double(column: $0) } + [.integer(column: Attribute.doubleCount)]
    + (4..<6).map { .quiet(column: $0) } + (6..<10).map { .double(column: $0) } + [.shares(column: 10)]

  @inline(__always)
  private func take(
    _ step: Step, _ at: inout UnsafeRawPointer, _ row: UnsafeMutableRawPointer, _ stride: Int, _ state: inout CellSink
  ) -> Bool {
    switch step {
    case .double(let column): unsafe takeDouble(&at, row + column &* stride)
    case .shares(let column): unsafe takeShares(&at, row + column &* stride)
    case .quiet(let column): unsafe takeQuiet(&at, row + column &* stride)
    case .integer(let column): unsafe takeVolume(&at, row + column &* stride)
    case .date: unsafe takeDay(&at, &state)
    case .ticker: unsafe takeTicker(&at, &state)
    case .skipped: unsafe skipText(&at)
    case .careful: false
    }
  }

  /// Passes over a cell up to its delimiter or the line's end, which a line feed marks in every text.
  @inline(__always)
  private func skipText(_ at: inout UnsafeRawPointer) -> Bool {
    var byte = unsafe at.load(as: UInt8.self)
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: " ") { return false }
    while byte != header.delimiter, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      unsafe at += 1
      byte = unsafe at.load(as: UInt8.self)
    }
    return true
  }

  @inline(__always)
  private func take(_ byte: UInt8, _ at: inout UnsafeRawPointer) -> Bool {
    guard unsafe at.load(as: UInt8.self) == byte else { return false }
    unsafe at += 1
    return true
  }

  @inline(__always)
  private func takeDouble(
    _ at: inout UnsafeRawPointer, _ cell: UnsafeMutableRawPointer
  ) -> Bool {
    guard let (value, byteCount) = unsafe plainDouble(at: at) else { return false }
    unsafe cell.storeBytes(of: value, as: Double.self)
    unsafe at += byteCount
    return true
  }

  @inline(__always)
  private func takeShares(
    _ at: inout UnsafeRawPointer, _ cell: UnsafeMutableRawPointer
  ) -> Bool {
    guard let (value, byteCount) = unsafe plainDouble(at: at), value >= 0 else { return false }
    unsafe cell.storeBytes(of: value, as: Double.self)
    unsafe at += byteCount
    return true
  }

  @inline(__always)
  private func takeQuiet(
    _ at: inout UnsafeRawPointer, _ cell: UnsafeMutableRawPointer
  ) -> Bool {
    let text = unsafe UInt32(littleEndian: at.loadUnaligned(as: UInt32.self))
    guard text == quietZero || text == quietOne else { return unsafe takeDouble(&at, cell) }
    let value = text == quietZero ? 0.0 : 1.0
    unsafe cell.storeBytes(of: value, as: Double.self)
    unsafe at += 3
    return true
  }

  @inline(__always)
  private func takeVolume(
    _ at: inout UnsafeRawPointer, _ cell: UnsafeMutableRawPointer
  ) -> Bool {
    guard let (value, byteCount) = unsafe DecimalWords.volume(at: at) ?? longVolume(at: at) else { return false }
    unsafe cell.storeBytes(of: value, as: Int64.self)
    unsafe at += byteCount
    return true
  }

  @inline(__always)
  private func takeTicker(_ at: inout UnsafeRawPointer, _ state: inout CellSink) -> Bool {
    let (start, text) = unsafe (at, UInt64(littleEndian: at.loadUnaligned(as: UInt64.self)))
    guard state.tickers.isRepeated(text, further: { unsafe start.load(fromByteOffset: $0, as: UInt8.self) })
    else { return false }
    state.ticker = state.tickers.symbol
    unsafe at += state.tickers.byteCount
    return true
  }

  /// Where the next line starts if the line ends at `at`; nil if it doesn't.
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
  private func takeDay(_ at: inout UnsafeRawPointer, _ state: inout CellSink) -> Bool {
    let text = unsafe UInt64(littleEndian: at.loadUnaligned(as: UInt64.self))
    let (tens, ones) = unsafe (at.load(fromByteOffset: 8, as: UInt8.self), at.load(fromByteOffset: 9, as: UInt8.self))
    if let day = state.days.day(text, tens, ones) {
      state.day = day
    } else if let day = state.days.compactDay(text) {
      state.day = day
      unsafe at += 8
      return true
    } else if unsafe !takeDayOfNewMonth(at: at, &state) {
      return false
    }
    unsafe at += 10
    return true
  }

  @inline(never)
  private func takeDayOfNewMonth(at start: UnsafeRawPointer, _ state: inout CellSink) -> Bool {
    guard case .value(let day) = unsafe state.days.parse(look(at: start, 10)) else { return false }
    state.day = day
    return true
  }

  /// The next bytes, which are readable even where the text ends.
  @inline(__always)
  private func look(at start: UnsafeRawPointer, _ count: Int) -> TextView {
    assert(count <= TextChunk.readableByteCount)
    return unsafe TextView(unsafe: UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A number with more characters or with a sign. It ends before the next line feed.
  @inline(never)
  private func longDouble(at start: UnsafeRawPointer) -> (Double, Int)? {
    let decimal = unsafe PlainDecimal(look(at: start, PlainDecimal.byteCountMax))
    return decimal.double(powers).map { ($0, decimal.byteCount) }
  }

  @inline(never)
  private func longVolume(at start: UnsafeRawPointer) -> (Int64, Int)? {
    let decimal = unsafe PlainDecimal(look(at: start, PlainDecimal.byteCountMax))
    return decimal.volume.map { ($0, decimal.byteCount) }
  }
}
