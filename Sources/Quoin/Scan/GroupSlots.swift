/// The groups of rows that come ticker by ticker, but in any order of days. Each group has a slot, which is its number in the
/// order in which the groups' first rows come.
struct GroupSlots: Sendable {
  /// What the rows of a group share: the place of its ticker, -1 if it has rows of all, and the values of the calendar's keys, the
  /// first day of a period or the number of a weekday.
  struct Key: Hashable, Sendable {
    let ticker: Int32
    let calendar: Calendar
  }

  /// The values of at most seven keys.
  typealias Calendar = SIMD8<Int32>

  private let isByTicker: Bool
  private let calendarKeys: [Grouping.Key]
  private(set) var keys: [Key] = []
  private let firstDay: Int32
  /// How long bars are whose days groups of all tickers share; nil for days.
  private let barPeriod: CalendarPeriod?
  /// What is known of the days so far, in pages of 1,024 days from the first one, which are made as they are needed: which of
  /// `calendars` each day has, or -1.
  private var pages: [[Int32]]
  private var calendars: [Calendar] = []
  private var placeOf: [Calendar: Int32] = [:]
  /// The slots of the present ticker, by place among the calendars; -1 where there is none yet.
  private var slots: [Int32] = []
  private var ticker: Int32 = -1

  /// - Parameters:
  ///   - days: all days that rows may have.
  ///   - barPeriod: how long bars are; nil for quotes of days. Bars of all tickers share the last day of their period.
  init(_ grouping: Grouping?, over days: ClosedRange<TradingDay>, barsOf barPeriod: CalendarPeriod? = nil) {
    self.barPeriod = grouping?.keys.contains(.ticker) ?? true ? nil : barPeriod
    isByTicker = grouping?.keys.contains(.ticker) ?? false
    calendarKeys = (grouping?.keys ?? []).filter { $0 != .ticker }
    firstDay = days.lowerBound.daysSince1970
    let dayCount = Int(days.upperBound.daysSince1970 - days.lowerBound.daysSince1970) + 1
    pages = calendarKeys.isEmpty ? [] : Array(repeating: [], count: dayCount / 1024 + 1)
  }

  var count: Int { keys.count }

  /// Appends the slot of each of some rows of one ticker to `result`.
  mutating func append(
    ticker: Int32, _ days: ColumnMemory<TradingDay>, _ rows: Range<Int>, to result: inout [Int32]
  ) {
    guard !rows.isEmpty else { return }
    enter(ticker)
    if calendarKeys.isEmpty {
      result.append(contentsOf: repeatElement(slot(at: place(of: Calendar())), count: rows.count))
    } else {
      for row in rows { result.append(slot(at: place(of: days[row]))) }
    }
  }

  /// The slots here of another table's slots, whose rows come after those of all slots here.
  mutating func slots(of other: GroupSlots) -> [Int32] {
    other.keys.map { key in
      enter(key.ticker)
      return slot(at: place(of: key.calendar))
    }
  }

  /// The value of a key of the grouping in a slot.
  func value(_ key: Grouping.Key, at slot: Int) -> Int32 {
    calendarKeys.firstIndex(of: key).map { keys[slot].calendar[$0] } ?? keys[slot].ticker
  }

  private mutating func enter(_ ticker: Int32) {
    guard isByTicker, ticker != self.ticker else { return }
    self.ticker = ticker
    for index in slots.indices { slots[index] = -1 }
  }

  @inline(__always)
  private mutating func place(of day: TradingDay) -> Int {
    let index = Int(day.daysSince1970 - firstDay)
    let (page, row) = (index >> 10, index & 1023)
    if pages[page].isEmpty { pages[page] = Array(repeating: -1, count: 1024) }
    if pages[page][row] < 0 { pages[page][row] = Int32(place(of: calendar(of: day))) }
    return Int(pages[page][row])
  }

  private mutating func place(of calendar: Calendar) -> Int {
    if let place = placeOf[calendar] { return Int(place) }
    placeOf[calendar] = Int32(calendars.count)
    calendars.append(calendar)
    slots.append(-1)
    return calendars.count - 1
  }

  private func calendar(of day: TradingDay) -> Calendar {
    var calendar = Calendar()
    for (index, key) in calendarKeys.enumerated() {
      if key == .day, let barPeriod {
        calendar[index] = barPeriod.last(of: day).daysSince1970
        continue
      }
      calendar[index] = key.period?.first(of: day).daysSince1970 ?? Int32(CalendarField.weekday.value(of: day))
    }
    return calendar
  }

  @inline(__always)
  private mutating func slot(at place: Int) -> Int32 {
    if slots[place] >= 0 { return slots[place] }
    slots[place] = Int32(keys.count)
    keys.append(Key(ticker: ticker, calendar: calendars[place]))
    return slots[place]
  }
}
