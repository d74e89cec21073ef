/// Up to `capacity` rows of text turned into columns, in the order of the text, and the bad rows among them.
///
/// What a parser fills, a piece of text at a time: runs of rows of one ticker over plain memory, one column after the
/// other, so that a cell is one store and a run goes into a ticker's arrays by one copy a column.
@safe final class ParsedRows {
  /// Rows of one ticker, up to where the next run starts.
  struct Run {
    /// Nil where the text does not say.
    let ticker: TickerSymbol?
    let start: Int
  }

  /// A bad row, before it is known which file this is.
  struct Bad {
    let position: BadRow.Position
    let column: String?
    let value: String
    let reason: String
  }

  static let defaultCapacity = 4096

  let capacity: Int
  private(set) var count = 0
  private(set) var runs: [Run] = []
  /// The first of the bad rows; as many as a report names.
  private(set) var firstBad: [Bad] = []
  private(set) var badCount = 0

  private let days: UnsafeMutablePointer<TradingDay>
  private let positions: UnsafeMutablePointer<Int>
  private let doubles: UnsafeMutablePointer<Double>
  private let integers: UnsafeMutablePointer<Int64>

  init(capacity: Int = ParsedRows.defaultCapacity) {
    precondition(capacity > 0, "room for \(capacity) rows")
    self.capacity = capacity
    unsafe days = .allocate(capacity: capacity)
    unsafe positions = .allocate(capacity: capacity)
    unsafe doubles = .allocate(capacity: capacity * AttributeName.doubleCount)
    unsafe integers = .allocate(capacity: capacity * AttributeName.integerCount)
    unsafe days.initialize(repeating: .earliest, count: capacity)
    unsafe positions.initialize(repeating: 0, count: capacity)
    unsafe doubles.initialize(repeating: .missing, count: capacity * AttributeName.doubleCount)
    unsafe integers.initialize(repeating: .missing, count: capacity * AttributeName.integerCount)
  }

  deinit {
    unsafe days.deallocate()
    unsafe positions.deallocate()
    unsafe doubles.deallocate()
    unsafe integers.deallocate()
  }

  var isFull: Bool { count == capacity }

  /// Sets a cell of the row that comes next. There must be room for one.
  @inline(__always)
  func set(_ value: Double, double slot: Int) {
    assert(count < capacity && slot < AttributeName.doubleCount)
    unsafe doubles[slot &* capacity &+ count] = value
  }

  @inline(__always)
  func set(_ value: Int64, integer slot: Int) {
    assert(count < capacity && slot < AttributeName.integerCount)
    unsafe integers[slot &* capacity &+ count] = value
  }

  /// Makes every cell of the row that comes next missing.
  func clearNext() {
    for slot in 0..<AttributeName.doubleCount { set(.missing, double: slot) }
    for slot in 0..<AttributeName.integerCount { set(.missing, integer: slot) }
  }

  /// Counts the row that comes next in. Its position is its line, or its index in the document.
  @inline(__always)
  func commit(_ ticker: TickerSymbol?, _ day: TradingDay, position: Int) {
    precondition(count < capacity, "no room for a row")
    if runs.isEmpty || runs[runs.count - 1].ticker != ticker { runs.append(Run(ticker: ticker, start: count)) }
    unsafe days[count] = day
    unsafe positions[count] = position
    count += 1
  }

  func reject(_ position: BadRow.Position, column: String?, value: some Sequence<UInt8>, _ reason: String) {
    badCount += 1
    guard firstBad.count < Limits.reportedBadRowCount else { return }
    firstBad.append(
      Bad(position: position, column: column, value: ShownText.sanitized(value), reason: reason))
  }

  /// No rows again. Cells keep what they hold: a column that no row of the file has stays missing.
  func removeAll() {
    count = 0
    badCount = 0
    runs.removeAll(keepingCapacity: true)
    firstBad.removeAll(keepingCapacity: true)
  }

  /// The rows of run `index`.
  func rows(ofRun index: Int) -> Range<Int> {
    runs[index].start..<(index + 1 < runs.count ? runs[index + 1].start : count)
  }

  /// Appends the rows `range` to `columns`, which holds all attributes, and their positions to `positions`.
  func append(rows range: Range<Int>, to columns: inout QuoteColumns, positions list: inout [Int]) {
    precondition(range.upperBound <= count && columns.attributes == .all)
    unsafe list.append(contentsOf: unsafe UnsafeBufferPointer(start: positions + range.lowerBound, count: range.count))
    unsafe columns.days.append(
      contentsOf: unsafe UnsafeBufferPointer(start: days + range.lowerBound, count: range.count))
    for slot in 0..<AttributeName.doubleCount {
      let start = unsafe doubles + (slot * capacity + range.lowerBound)
      unsafe columns.doubles[slot].append(contentsOf: unsafe UnsafeBufferPointer(start: start, count: range.count))
    }
    for slot in 0..<AttributeName.integerCount {
      let start = unsafe integers + (slot * capacity + range.lowerBound)
      unsafe columns.integers[slot].append(contentsOf: unsafe UnsafeBufferPointer(start: start, count: range.count))
    }
  }
}
