// The ranks of values among those of the same day:
//
//   count     the values of each day -> where each day's begin, if they are put day by day
//   scatter   values, ticker by ticker -> the same, day by day
//   sort      each day's by their bits: three rounds of a radix sort, and a last one by insertion
//   rank      places among them -> rows
//
// Days are shared among threads, each of which ranks some that lie beside each other.

/// Some values, day by day, ready to be ranked.
struct DayRanks: Sendable {
  /// Each day's values, by bits that rise with them, and their rows in the order of rows.
  private let entries: ColumnMemory<Entry>
  /// Where each day's entries begin, and their end.
  private var starts: [Int] = []
  private let rowCount: Int

  private struct Entry: BitwiseCopyable {
    var key: UInt64
    let row: UInt32
  }

  /// - Parameter days: of each value, in any order.
  init(_ values: ColumnMemory<Double>, on days: ColumnMemory<TradingDay>, _ order: DateOrder) {
    rowCount = values.count
    var (first, last) = (Int32.max, Int32.min)
    for row in 0..<rowCount {
      let day = days[row].daysSince1970
      (first, last) = (min(first, day), max(last, day))
    }
    // How many values each day has, and then where its next one goes; in pages of 1,024 days.
    var pages: [[Int]] = Array(repeating: [], count: rowCount == 0 ? 0 : Int(last - first) / 1024 + 1)
    for row in 0..<rowCount where !values[row].isNaN {
      let day = Int(days[row].daysSince1970 - first)
      if pages[day >> 10].isEmpty { pages[day >> 10] = Array(repeating: 0, count: 1024) }
      pages[day >> 10][day & 1023] += 1
    }
    var count = 0
    for page in pages.indices {
      for day in pages[page].indices where pages[page][day] > 0 {
        starts.append(count)
        count += pages[page][day]
        pages[page][day] = starts[starts.count - 1]
      }
    }
    starts.append(count)
    entries = ColumnMemory(capacity: count, count: count)
    for row in 0..<rowCount where !values[row].isNaN {
      let day = Int(days[row].daysSince1970 - first)
      let place = pages[day >> 10][day & 1023]
      pages[day >> 10][day & 1023] = place + 1
      let key = Self.key(of: values[row])
      entries[place] = Entry(key: order == .ascending ? key : ~key, row: UInt32(row))
    }
  }

  /// Bits that rise with the value. Both zeros have the same.
  @inline(__always)
  private static func key(of value: Double) -> UInt64 {
    let bits = (value + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// The rank of each row's value; missing where that is.
  func column(_ rank: DayRank, _ crew: Crew) throws(StoreError) -> ColumnMemory<Double> {
    let column = ColumnMemory(repeating: Double.missing, count: rowCount)
    let dayCount = starts.count - 1
    let chunkCount = max(1, min(dayCount, crew.threadCount * Crew.itemsPerThread))
    _ = try crew.map(chunkCount, worker: DaySorter()) { sorter, index throws(StoreError) in
      let days = (dayCount * index / chunkCount)..<(dayCount * (index + 1) / chunkCount)
      var (rows, ranks): ([UInt32], [Double]) = ([], [])
      for day in days {
        sorter.sort(entries, starts[day]..<starts[day + 1])
        sorter.appendRanks(rank, to: &ranks)
        for entry in sorter.entries { rows.append(entry.row) }
      }
      column.write(ranks, at: rows)
    }
    return column
  }

  /// Sorts the entries of one day after the other.
  private struct DaySorter {
    private(set) var entries: [Entry] = []
    private var others: [Entry] = []

    private static let digitBits = 11
    private static let roundCount = 3

    /// Sorts the entries of a day by keys; equal ones stay in order.
    mutating func sort(_ all: ColumnMemory<Entry>, _ day: Range<Int>) {
      entries.removeAll(keepingCapacity: true)
      for place in day { entries.append(all[place]) }
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

    func appendRanks(_ rank: DayRank, to ranks: inout [Double]) {
      var first = 0
      while first < entries.count {
        var end = first + 1
        while end < entries.count, entries[end].key == entries[first].key { end += 1 }
        // Places first + 1 to end.
        let mean = Double(first + 1 + end) / 2
        for place in first..<end {
          switch rank {
          case .rank: ranks.append(mean)
          case .share: ranks.append(mean / Double(entries.count))
          case .place: ranks.append(Double(place + 1))
          }
        }
        first = end
      }
    }
  }
}
