// The ranks of values among those of the same day:
//
//   count     the values of each day -> runs of days with a bounded number of values
//   scatter   a run's values, ticker by ticker -> the same, day by day
//   sort      each day's by their bits: three rounds of a radix sort, and a last one by insertion
//   rank      places among them -> rows
//
// Runs of days are shared among threads, each of which holds one at a time.

/// Some values, ready to be ranked day by day.
struct DayRanks: Sendable {
  /// The days that have values, rising.
  private(set) var days: [TradingDay] = []
  /// How many values the days before each of these have, and all of them.
  private(set) var starts = [0]
  private let values: ColumnMemory<Double>
  private let rowDays: ColumnMemory<TradingDay>
  private let tickers: [Range<Int>]
  private let order: DateOrder
  private let first: Int32
  /// The places of days in `days`, in pages of 1,024 days.
  private var pages: [[Int32]] = []

  fileprivate struct Entry: BitwiseCopyable {
    /// Bits that rise with the value, or fall.
    var key: UInt64
    let row: UInt32
  }

  /// - Parameters:
  ///   - days: of each value.
  ///   - tickers: rows in which the days rise; of equal values, those of the first rows come first.
  init(
    _ values: ColumnMemory<Double>, on rowDays: ColumnMemory<TradingDay>, of tickers: [Range<Int>], _ order: DateOrder
  ) {
    (self.values, self.rowDays, self.order) = (values, rowDays, order)
    self.tickers = tickers.filter { !$0.isEmpty }
    let last = self.tickers.map { rowDays[$0.upperBound - 1].daysSince1970 }.max() ?? 0
    first = self.tickers.map { rowDays[$0.lowerBound].daysSince1970 }.min() ?? 0
    pages = Array(repeating: [], count: values.count == 0 ? 0 : Int(last - first) / 1024 + 1)
    for row in 0..<values.count where !values[row].isNaN {
      let day = Int(rowDays[row].daysSince1970 - first)
      if pages[day >> 10].isEmpty { pages[day >> 10] = Array(repeating: 0, count: 1024) }
      pages[day >> 10][day & 1023] += 1
    }
    for page in pages.indices {
      for day in pages[page].indices where pages[page][day] > 0 {
        starts.append(starts[starts.count - 1] + Int(pages[page][day]))
        pages[page][day] = Int32(days.count)
        days.append(TradingDay(unchecked: first + Int32(page * 1024 + day)))
      }
    }
  }

  /// Twice the rank of each row's value, or twice its place; 0 where it is missing.
  ///
  /// - Parameter entryCountMax: how many values a thread sorts at a time, unless a day has more.
  func doubled(
    _ rank: DayRank, _ crew: Crew, within budget: QuestionBudget? = nil, entryCountMax: Int = 1 << 18
  ) throws(StoreError) -> ColumnMemory<UInt32> {
    let column = ColumnMemory(repeating: UInt32(0), count: values.count)
    let runs = runs(of: min(entryCountMax, starts[days.count] / (crew.threadCount * Crew.itemsPerThread) + 1))
    _ = try crew.map(runs.count, worker: DaySorter()) { sorter, index throws(StoreError) in
      try budget?.check()
      let run = runs[index]
      scatter(run, to: &sorter.run)
      var (rows, ranks): ([UInt32], [UInt32]) = ([], [])
      rows.reserveCapacity(starts[run.upperBound] - starts[run.lowerBound])
      ranks.reserveCapacity(starts[run.upperBound] - starts[run.lowerBound])
      for day in run {
        sorter.sort((starts[day] - starts[run.lowerBound])..<(starts[day + 1] - starts[run.lowerBound]))
        sorter.appendRanks(areOwn: rank == .place, to: &ranks)
        rows.append(contentsOf: sorter.entries.lazy.map(\.row))
      }
      column.write(ranks, at: rows)
    }
    return column
  }

  /// Neighboring days with so many values together, or one day with more.
  private func runs(of entryCountMax: Int) -> [Range<Int>] {
    var (runs, start): ([Range<Int>], Int) = ([], 0)
    for day in days.indices where day > start && starts[day + 1] - starts[start] > entryCountMax {
      runs.append(start..<day)
      start = day
    }
    return start < days.count ? runs + [start..<days.count] : runs
  }

  /// Puts the values of some days day by day.
  private func scatter(_ run: Range<Int>, to entries: inout [Entry]) {
    let count = starts[run.upperBound] - starts[run.lowerBound]
    if entries.count < count { entries = Array(repeating: Entry(key: 0, row: 0), count: count) }
    var places = run.map { starts[$0] - starts[run.lowerBound] }
    let (firstDay, lastDay) = (days[run.lowerBound], days[run.upperBound - 1])
    for rows in tickers {
      var row = rows.partitioningIndex { rowDays[$0] >= firstDay }
      while row < rows.upperBound, rowDays[row] <= lastDay {
        defer { row += 1 }
        if values[row].isNaN { continue }
        let day = Int(rowDays[row].daysSince1970 - first)
        let index = Int(pages[day >> 10][day & 1023]) - run.lowerBound
        let key = Self.key(of: values[row])
        entries[places[index]] = Entry(key: order == .ascending ? key : ~key, row: UInt32(row))
        places[index] += 1
      }
    }
  }

  /// Bits that rise with the value. Both zeros have the same.
  @inline(__always)
  private static func key(of value: Double) -> UInt64 {
    let bits = (value + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}

/// Sorts the values of one day after the other.
private struct DaySorter {
  /// Those of a run of days.
  var run: [DayRanks.Entry] = []
  /// Those of a day, sorted.
  private(set) var entries: [DayRanks.Entry] = []
  private var others: [DayRanks.Entry] = []

  private static let digitBits = 11
  private static let roundCount = 3

  /// Sorts some of the run's by keys; equal ones stay in order.
  mutating func sort(_ day: Range<Int>) {
    entries.removeAll(keepingCapacity: true)
    entries.append(contentsOf: run[day])
    if entries.count > 64 { sortRoughly() }
    if !insertAll(moveCountMax: 64 * entries.count) {
      entries = entries.sorted { ($0.key, $0.row) < ($1.key, $1.row) }
    }
  }

  /// Sorts by the highest 33 bits in which keys differ.
  private mutating func sortRoughly() {
    var (least, most) = (UInt64.max, UInt64.min)
    for entry in entries { (least, most) = (min(least, entry.key), max(most, entry.key)) }
    let bitCount = 64 - (most - least).leadingZeroBitCount
    let shift = max(0, bitCount - Self.roundCount * Self.digitBits)
    if others.count < entries.count { others = entries }
    for round in 0..<Self.roundCount {
      let shift = shift + round * Self.digitBits
      if shift >= bitCount { break }
      var places = [Int](repeating: 0, count: 1 << Self.digitBits)
      for entry in entries { places[Self.digit(entry.key - least, shift)] += 1 }
      var place = 0
      for digit in places.indices { (places[digit], place) = (place, place + places[digit]) }
      for entry in entries {
        let digit = Self.digit(entry.key - least, shift)
        others[places[digit]] = entry
        places[digit] += 1
      }
      let count = entries.count
      swap(&entries, &others)
      if entries.count > count { entries.removeLast(entries.count - count) }
    }
  }

  @inline(__always)
  private static func digit(_ key: UInt64, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: key >> UInt64(shift)) & (1 << digitBits - 1)
  }

  /// Sorts what is nearly sorted; false if it isn't, and then it isn't sorted yet.
  private mutating func insertAll(moveCountMax: Int) -> Bool {
    var moveCount = 0
    for index in entries.indices.dropFirst() where entries[index].key < entries[index - 1].key {
      let entry = entries[index]
      var place = index
      while place > 0, entry.key < entries[place - 1].key {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
      moveCount += index - place
      if moveCount > moveCountMax { return false }
    }
    return true
  }

  /// - Parameter areOwn: whether equal values have a rank each.
  func appendRanks(areOwn: Bool, to ranks: inout [UInt32]) {
    var first = 0
    while first < entries.count {
      var end = first + 1
      while end < entries.count, entries[end].key == entries[first].key { end += 1 }
      // Places first + 1 to end, whose mean is half of first + 1 + end.
      for place in first..<end { ranks.append(UInt32(areOwn ? 2 * (place + 1) : first + 1 + end)) }
      first = end
    }
  }
}
