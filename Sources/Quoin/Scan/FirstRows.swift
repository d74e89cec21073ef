/// The rows of each group that come first by a value. It holds twice as many at most.
struct FirstRows {
  private let count: Int
  private let isDescending: Bool
  private var slots: GroupSlots
  private var groups: [Group] = []

  private struct Row {
    /// A whole number that rises as the rows are wanted.
    let rank: Int64
    /// Of equal ones the rows that come first are wanted.
    let number: Int
    let ticker: Int32
    let day: TradingDay
  }

  private struct Group {
    var rows: [Row] = []
    /// No row is wanted whose rank isn't less.
    var bound = Int64.max
  }

  private var rowNumber = 0
  private(set) var heldCount = 0

  /// About how many bytes a row takes.
  static let rowByteCount = MemoryLayout<Row>.stride * 2

  init(_ count: Int, _ order: DateOrder, _ slots: GroupSlots) {
    (self.count, isDescending, self.slots) = (count, order == .descending, slots)
  }

  /// About how many bytes all of it takes.
  var byteCount: Int { slots.byteCount + heldCount * Self.rowByteCount }

  /// Adds rows, which come after those here: their values are the first computed column, and the others are what groups are by.
  mutating func add(_ batch: QuoteBatch) {
    let columns = batch.computed.map(\.values.shared)
    let days = batch.columns.dayValues.shared
    var rowSlots: [Int32] = []
    rowSlots.reserveCapacity(batch.rowCount)
    for rows in batch.tickers.runRanges {
      slots.append(ticker: batch.tickers.places[rows.lowerBound], days, Array(columns.dropFirst()), rows, to: &rowSlots)
    }
    while groups.count < slots.count { groups.append(Group()) }
    for (row, slot) in rowSlots.enumerated() {
      rowNumber += 1
      let value = columns[0][row]
      if value.isNaN { continue }
      let rank = isDescending ? -value.wholeNumberInOrder : value.wholeNumberInOrder
      guard rank < groups[Int(slot)].bound else { continue }
      groups[Int(slot)].rows.append(
        Row(rank: rank, number: rowNumber, ticker: batch.tickers.places[row], day: days[row]))
      heldCount += 1
      if groups[Int(slot)].rows.count / 2 >= count { cut(Int(slot)) }
    }
  }

  private mutating func cut(_ slot: Int) {
    let rows = groups[slot].rows.sorted { ($0.rank, $0.number) < ($1.rank, $1.number) }.prefix(count)
    heldCount -= groups[slot].rows.count - rows.count
    groups[slot].rows = Array(rows)
    if rows.count == count, let last = rows.last { groups[slot].bound = last.rank }
  }

  /// The days of each ticker's rows that come first, rising.
  ///
  /// - Parameter symbols: the snapshot's tickers.
  mutating func days(_ symbols: [TickerSymbol]) -> [TickerSymbol: [TradingDay]] {
    var days: [Int32: [TradingDay]] = [:]
    for slot in groups.indices {
      cut(slot)
      for row in groups[slot].rows { days[row.ticker, default: []].append(row.day) }
    }
    return Dictionary(uniqueKeysWithValues: days.map { (symbols[Int($0)], $1.sorted()) })
  }
}
