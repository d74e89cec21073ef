/// On how many days how many tickers traded: what single tickers are compared with.
///
/// A ticker is listed from its first day to its last, and trades on the days on which it has a row. Days after `today` don't
/// count.
struct MarketDays: Sendable {
  /// With fewer listed tickers nobody can say which of them is wrong.
  static let listedCountMin = 3

  private let first: Int
  private let today: TradingDay
  /// By day: the tickers that traded and those that were listed, while rows are counted the change since the day before.
  private var traded: [Int32]
  private var listed: [Int32]
  /// The number of busy days before each day.
  private var busyCounts: [Int32] = []

  /// - Parameter days: from the first day of any ticker to its last.
  init(_ days: ClosedRange<TradingDay>, today: TradingDay) {
    first = Int(days.lowerBound.daysSince1970)
    self.today = today
    let count = max(0, Int(min(days.upperBound, today).daysSince1970) - first + 1)
    traded = Array(repeating: 0, count: count)
    listed = Array(repeating: 0, count: count + 1)
  }

  /// Counts the days of one ticker, which rise.
  mutating func count(_ days: [TradingDay]) {
    guard let span = span(of: days) else { return }
    listed[span.lowerBound] += 1
    listed[span.upperBound] -= 1
    for day in days where span.contains(place(day)) { traded[place(day)] += 1 }
  }

  /// Ends the counting.
  mutating func finish() {
    busyCounts = [0]
    for place in traded.indices {
      if place > 0 { listed[place] += listed[place - 1] }
      busyCounts.append(busyCounts[place] + (isBusy(place) ? 1 : 0))
    }
  }

  private func place(_ day: TradingDay) -> Int { Int(day.daysSince1970) - first }

  /// The places from the first of some rising days to the last; nil if all are in the future.
  private func span(of days: [TradingDay]) -> Range<Int>? {
    guard let begin = days.first, let last = days.last(where: { $0 <= today }), begin <= last,
      traded.indices.contains(place(begin)), traded.indices.contains(place(last))
    else { return nil }
    return place(begin)..<(place(last) + 1)
  }

  /// Whether more than half of the listed tickers traded.
  private func isBusy(_ place: Int) -> Bool {
    listed[place] >= Self.listedCountMin && traded[place] * 2 > listed[place]
  }

  /// Whether a single one of the listed tickers traded.
  private func isLone(_ place: Int) -> Bool { listed[place] >= Self.listedCountMin && traded[place] == 1 }
}

extension MarketDays {
  /// A day, with the number of tickers that traded and of those that were listed.
  typealias Count = (day: TradingDay, traded: Int, listed: Int)

  /// The busy days between the first and the last of some rising days that aren't among them.
  func missingDays(among days: [TradingDay]) -> [Count] {
    guard let span = span(of: days) else { return [] }
    let known = days.count { span.contains(place($0)) && isBusy(place($0)) }
    guard known < Int(busyCounts[span.upperBound] - busyCounts[span.lowerBound]) else { return [] }
    var missing: [Count] = []
    var row = 0
    for place in span {
      if row < days.count, place == self.place(days[row]) {
        row += 1
      } else if isBusy(place), let count = count(place) {
        missing.append(count)
      }
    }
    return missing
  }

  /// Those of some rising days on which no other ticker traded.
  func loneDays(among days: [TradingDay]) -> [Count] {
    days.map(place).filter { traded.indices.contains($0) && isLone($0) }.compactMap(count)
  }

  /// How many busy days lie between two days; nil if on none of them enough tickers are listed to say.
  func busyDayCount(after before: TradingDay, before day: TradingDay) -> Int? {
    let places = (place(before) + 1..<max(place(before) + 1, place(day))).clamped(to: traded.indices)
    guard places.contains(where: { listed[$0] >= Self.listedCountMin }) else { return nil }
    return Int(busyCounts[places.upperBound] - busyCounts[places.lowerBound])
  }

  private func count(_ place: Int) -> Count? {
    TradingDay(daysSince1970: first + place).map { ($0, Int(traded[place]), Int(listed[place])) }
  }
}
