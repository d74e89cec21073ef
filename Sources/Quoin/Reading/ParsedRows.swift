/// Up to `capacity` rows of text as columns, in the order of the text, and the bad rows among them.
///
/// A parser fills it with one chunk of text at a time: ranges of rows of one ticker, over plain memory, one column after the
/// other. So a cell is one store, and a ticker's range is copied once per column.
///
/// Sound to send: one thread fills it, and then another empties it.
@safe final class ParsedRows: @unchecked Sendable {
  /// Rows of one ticker, up to the start of the next range.
  struct TickerRange {
    /// Nil if the text doesn't name it.
    let ticker: TickerSymbol?
    /// The attributes that its text has.
    let attributes: AttributeSet
    /// How the text spells the ticker; nil if it doesn't name it, or in upper case.
    let spelling: [UInt8]?
    let start: Int
  }

  /// A bad row of a file whose name isn't known here.
  struct Bad {
    let position: BadRow.Position
    let column: String?
    let value: String
    let reason: String
  }

  static let defaultCapacity = 4096

  let capacity: Int
  /// Bytes from one column to the next: not a power of two, because then the cells of a row would share a few lines of the
  /// cache.
  let stride: Int
  private(set) var count = 0
  /// The attributes that the text of the next row has.
  var attributes = AttributeSet.all
  /// How the text spells the next row's ticker, and the number of spellings so far.
  private var spelling: [UInt8]?
  private var spellingCount = 0
  private var rangeSpellingCount = 0
  /// The seconds of the day of each row, where rows are bars of parts of a day, and those of the next row.
  private(set) var times: [Int32] = []
  var keepsTimes = false
  var time: Int32 = 0
  private(set) var tickerRanges: [TickerRange] = []
  /// The volumes that no int64 is, with their rows. In a column of int64s `Self.fraction` stands for them. A row that turned out
  /// to be bad may have left one, which has no such mark, or a later one of the same row.
  private var fractions: [(row: Int, value: Double)] = []
  private static let fraction = Int64.min + 1
  /// The first bad rows, as many as a report names.
  private(set) var firstBad: [Bad] = []
  private(set) var badCount = 0
  /// What was noticed besides.
  var notes = RowNotes()

  // Sound: there is room for `capacity` rows, and `commit` traps at one more; a column's slot is its attribute's.
  private let days: UnsafeMutablePointer<TradingDay>
  private let positions: UnsafeMutablePointer<Int>
  /// The float64 columns, then the int64 columns.
  private let cells: UnsafeMutableRawPointer
  /// The memory of the cells. From the pool: between those of one file and the next, malloc would place what stays.
  private let block: MemoryBlock

  init(capacity: Int = ParsedRows.defaultCapacity) {
    precondition(capacity > 0, "room for \(capacity) rows")
    self.capacity = capacity
    stride = (capacity + 24) * 8
    unsafe days = .allocate(capacity: capacity)
    unsafe positions = .allocate(capacity: capacity)
    block = MemoryPool.shared.take(stride * Attribute.allCases.count)
    unsafe cells = block.address
    unsafe days.initialize(repeating: .earliest, count: capacity)
    unsafe positions.initialize(repeating: 0, count: capacity)
    for column in 0..<Attribute.allCases.count {
      let missing = column < Attribute.doubleCount ? Double.missing.bitPattern : UInt64(bitPattern: .missing)
      unsafe (cells + column * stride).initializeMemory(as: UInt64.self, repeating: missing, count: stride / 8)
    }
  }

  deinit {
    unsafe days.deallocate()
    unsafe positions.deallocate()
    MemoryPool.shared.giveBack(block)
  }

  var isFull: Bool { count == capacity }

  /// The next row's cell in the first column; the cell of each further column is `stride` bytes further. There must be room
  /// for a row.
  @inline(__always)
  var nextRow: UnsafeMutableRawPointer {
    assert(count < capacity)
    return unsafe cells + count &* 8
  }

  /// Sets a cell of the next row. There must be room for one.
  @inline(__always)
  func set(_ value: Double, double slot: Int) {
    assert(slot < Attribute.doubleCount)
    unsafe nextRow.storeBytes(of: value, toByteOffset: slot &* stride, as: Double.self)
  }

  @inline(__always)
  func set(_ value: Int64, integer slot: Int) {
    assert(slot < Attribute.integerCount)
    unsafe nextRow.storeBytes(
      of: value, toByteOffset: (Attribute.doubleCount &+ slot) &* stride, as: Int64.self)
  }

  /// Sets the volume of the next row to what no int64 is.
  func setFraction(_ value: Double, integer slot: Int) {
    set(Self.fraction, integer: slot)
    fractions.append((count, value))
  }

  /// Makes every cell of the next row missing.
  func clearNext() {
    for slot in 0..<Attribute.doubleCount { set(.missing, double: slot) }
    for slot in 0..<Attribute.integerCount { set(.missing, integer: slot) }
  }

  /// Adds the next row. Its position is its line, or its index in the document.
  @inline(__always)
  func commit(_ ticker: TickerSymbol?, _ day: TradingDay, position: Int) {
    precondition(count < capacity, "no room for a row")
    if tickerRanges.isEmpty || tickerRanges[tickerRanges.count - 1].ticker != ticker
      || tickerRanges[tickerRanges.count - 1].attributes != attributes || rangeSpellingCount != spellingCount
    {
      tickerRanges.append(TickerRange(ticker: ticker, attributes: attributes, spelling: spelling, start: count))
      rangeSpellingCount = spellingCount
    }
    unsafe days[count] = day
    unsafe positions[count] = position
    if keepsTimes {
      times.append(time)
      time = 0
    }
    count += 1
  }

  /// Notes how the text spells the ticker of the rows from the next one on.
  func noteSpelling(_ text: TextView) {
    let isUpper = !text.contains { 0x61...0x7A ~= $0 }
    if isUpper, spelling == nil { return }
    spelling = isUpper ? nil : Array(text)
    spellingCount += 1
  }

  func reject(_ position: BadRow.Position, column: String?, value: some Sequence<UInt8>, _ reason: String) {
    badCount += 1
    guard firstBad.count < Limits.reportedBadRowCount else { return }
    firstBad.append(
      Bad(position: position, column: column, value: ShownText.sanitized(value), reason: reason))
  }

  /// Takes back the last bad row, if it turned out to be none.
  func takeBackBad() {
    badCount -= 1
    if firstBad.count > badCount { firstBad.removeLast() }
  }

  /// Removes all rows. Cells keep their values, so a column that the file doesn't have stays missing.
  func removeAll() {
    count = 0
    badCount = 0
    notes = RowNotes()
    fractions.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    (spelling, spellingCount, rangeSpellingCount) = (nil, 0, 0)
    tickerRanges.removeAll(keepingCapacity: true)
    firstBad.removeAll(keepingCapacity: true)
  }

  func day(_ row: Int) -> TradingDay {
    precondition(row < count)
    return unsafe days[row]
  }

  func position(_ row: Int) -> Int {
    precondition(row < count)
    return unsafe positions[row]
  }

  /// The rows of a ticker range.
  func rows(ofTickerRange index: Int) -> Range<Int> {
    tickerRanges[index].start..<(index + 1 < tickerRanges.count ? tickerRanges[index + 1].start : count)
  }

  /// Appends the rows `range` to `columns`, which holds all attributes, and their positions to `positions`.
  func append(rows range: Range<Int>, to columns: inout QuoteColumns, positions list: inout [Int]) {
    precondition(range.upperBound <= count && columns.attributes == .all)
    unsafe list.append(contentsOf: unsafe UnsafeBufferPointer(start: positions + range.lowerBound, count: range.count))
    unsafe columns.dayValues.append(
      contentsOf: unsafe UnsafeBufferPointer(start: days + range.lowerBound, count: range.count))
    for name in Attribute.allCases {
      switch name.key {
      case .double: unsafe columns[column: name].doubles.append(contentsOf: column(name.slot, Double.self, range))
      case .integer: append(name, range, to: &columns[column: name])
      }
    }
  }

  /// Appends some rows of a column of int64s, or of float64s if some have fractions.
  private func append(_ name: Attribute, _ range: Range<Int>, to column: inout Column) {
    let numbers = unsafe self.column(Attribute.doubleCount + name.slot, Int64.self, range)
    let hasFractions = unsafe !fractions.isEmpty && numbers.contains(Self.fraction)
    if !hasFractions, !column.isDouble { return unsafe column.integers.append(contentsOf: numbers) }
    column.becomeDoubles()
    var values: [Double] = []
    values.reserveCapacity(range.count)
    var next = fractions.partitioningIndex { $0.row >= range.lowerBound }
    for row in range {
      let number = unsafe numbers[row - range.lowerBound]
      var value = Double.besideFractions(number)
      while next < fractions.count, fractions[next].row <= row {
        if number == Self.fraction { value = fractions[next].value }
        next += 1
      }
      values.append(value)
    }
    column.doubles.append(contentsOf: values)
  }

  private func column<Value>(_ index: Int, _ type: Value.Type, _ rows: Range<Int>) -> UnsafeBufferPointer<Value> {
    // Sound: every column is `capacity` values of 8 bytes of its one type.
    let start = unsafe (cells + index * stride).assumingMemoryBound(to: type)
    return unsafe UnsafeBufferPointer(start: start + rows.lowerBound, count: rows.count)
  }
}
