/// The groups of rows that come ticker by ticker, but in any order of days. Each group has a slot, which is its number in the
/// order in which the groups' first rows come.
struct GroupSlots: Sendable {
  /// What the rows of a group share besides values: the place of its ticker, -1 if it has rows of all, and the values of the
  /// calendar's keys, the first day of a period or the number of a weekday.
  struct Key: Hashable, Sendable {
    let ticker: Int32
    let calendar: Calendar
  }

  /// The values of at most seven keys.
  typealias Calendar = SIMD8<Int32>

  private let isByTicker: Bool
  private let calendarKeys: [Grouping.Key]
  /// The tickers and days of rows that have the same.
  private(set) var keys: [Key] = []
  /// The groups by them and the first value, by these and the second, and so on.
  private var values: [ValueSlots]
  private let firstDay: Int32
  /// How long bars are whose days groups of all tickers share; nil for days.
  private let barPeriod: CalendarPeriod?
  /// What is known of the days so far, in pages of 1,024 days from the first one, which are made as they are needed: which of
  /// `calendars` each day has, or -1.
  private var pages: [[Int32]]
  private var calendars: [Calendar] = []
  private var placeOf: [Calendar: Int32] = [:]
  /// The numbers of the present ticker's keys, by place among the calendars; -1 where there is none yet.
  private var slots: [Int32] = []
  private var ticker: Int32 = -1

  /// - Parameters:
  ///   - days: all days that rows may have.
  ///   - barPeriod: how long bars are; nil for quotes of days. Bars of all tickers share the last day of their period.
  init(_ grouping: Grouping?, over days: ClosedRange<TradingDay>, barsOf barPeriod: CalendarPeriod? = nil) {
    let keys = grouping?.keys ?? []
    isByTicker = keys.contains(.ticker)
    self.barPeriod = isByTicker ? nil : barPeriod
    calendarKeys = keys.filter { $0 != .ticker && $0.expression == nil }
    values = keys.filter { $0.expression != nil }.map { _ in ValueSlots() }
    firstDay = days.lowerBound.daysSince1970
    let dayCount = Int(days.upperBound.daysSince1970 - days.lowerBound.daysSince1970) + 1
    pages = calendarKeys.isEmpty ? [] : Array(repeating: [], count: dayCount / 1024 + 1)
  }

  var count: Int { values.last?.count ?? keys.count }

  /// About how many bytes the groups take.
  var byteCount: Int { values.reduce(64 * keys.count) { $0 + ValueSlots.byteCount * $1.count } }

  /// Appends the slot of each of some rows of one ticker to `result`.
  ///
  /// - Parameter columns: the values of the grouping's expressions.
  mutating func append(
    ticker: Int32, _ days: ColumnMemory<TradingDay>, _ columns: [ColumnMemory<Double>], _ rows: Range<Int>,
    to result: inout [Int32]
  ) {
    guard !rows.isEmpty else { return }
    enter(ticker)
    let start = result.count
    if calendarKeys.isEmpty {
      result.append(contentsOf: repeatElement(slot(at: place(of: Calendar())), count: rows.count))
    } else {
      for row in rows { result.append(slot(at: place(of: days[row]))) }
    }
    for (index, column) in columns.enumerated() { values[index].divide(&result[start...], by: column, rows) }
  }

  /// The slots here of another table's slots, whose rows come after those of all slots here.
  mutating func slots(of other: GroupSlots) -> [Int32] {
    var places = other.keys.map { key in
      enter(key.ticker)
      return slot(at: place(of: key.calendar))
    }
    for index in values.indices { places = values[index].slots(of: other.values[index], inside: places) }
    return places
  }

  /// The number of the ticker and days of a group.
  private func base(ofSlot slot: Int) -> Int { values.reversed().reduce(slot) { Int($1.groups[$0].outer) } }

  /// The place of a group's ticker; -1 if it has rows of all.
  func ticker(at slot: Int) -> Int32 { keys[base(ofSlot: slot)].ticker }

  /// The day or the number of a key of the calendar in a slot.
  func number(_ key: Grouping.Key, at slot: Int) -> Int32 {
    calendarKeys.firstIndex(of: key).map { keys[base(ofSlot: slot)].calendar[$0] } ?? -1
  }

  /// The value of the grouping's expression `index` in a slot.
  func value(_ index: Int, at slot: Int) -> Double {
    let inner = values[(index + 1)...].reversed().reduce(slot) { Int($1.groups[$0].outer) }
    return Double(bitPattern: values[index].groups[inner].bits)
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

/// Groups divided by values.
private struct ValueSlots: Sendable {
  /// The number of a group that is divided, and the bits of a value of its rows.
  struct Group: Hashable, Sendable {
    let outer: Int32
    let bits: UInt64
  }

  /// About how many bytes a group takes.
  static let byteCount = 64

  private(set) var groups: [Group] = []
  private var slotOf: [Group: Int32] = [:]

  var count: Int { groups.count }

  /// Replaces the groups of rows by those that their values make of them.
  mutating func divide(_ slots: inout ArraySlice<Int32>, by column: ColumnMemory<Double>, _ rows: Range<Int>) {
    var last: (group: Group, slot: Int32)?
    for (index, row) in zip(slots.indices, rows) {
      let value = column[row]
      let group = Group(outer: slots[index], bits: (value.isNaN ? .missing : value + 0).bitPattern)
      // Neighboring rows often have the same value, such as a month.
      if let last, last.group == group {
        slots[index] = last.slot
      } else {
        let slot = slot(of: group)
        slots[index] = slot
        last = (group, slot)
      }
    }
  }

  /// The slots here of another table's slots.
  ///
  /// - Parameter outer: the numbers here of the groups that are divided there.
  mutating func slots(of other: ValueSlots, inside outer: [Int32]) -> [Int32] {
    other.groups.map { slot(of: Group(outer: outer[Int($0.outer)], bits: $0.bits)) }
  }

  private mutating func slot(of group: Group) -> Int32 {
    if let slot = slotOf[group] { return slot }
    let slot = Int32(groups.count)
    slotOf[group] = slot
    groups.append(group)
    return slot
  }
}
