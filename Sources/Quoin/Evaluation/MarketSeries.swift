/// What a market value is, day by day: the same for all tickers, or for each ticker by itself.
final class MarketSeries: Sendable {
  private let content: Content
  private let meeting: Meeting

  private enum Content: Sendable {
    /// Values that may be so many days old; the days rise. Where there is none, there is another number.
    case values(ColumnMemory<TradingDay>, ColumnMemory<Double>, ageMax: Int, otherwise: Double)
    /// Ranks of rising days.
    case ranks([RankedDays])
    /// 1 on some days of each ticker, which rise, and 0 on the others.
    case tickerDays([TickerSymbol: [TradingDay]])
    /// A number for each ticker on all days.
    case tickerNumbers([TickerSymbol: Double])
    /// 1 on some days of all tickers, and 0 on the others.
    case days(ClosedRange<TradingDay>?)
  }

  /// - Parameters:
  ///   - days: in rising order.
  ///   - ageMax: how many days a value may be older than the row that it is for, or than its period.
  ///   - otherwise: what there is without a value.
  init(
    _ days: ColumnMemory<TradingDay>, _ values: ColumnMemory<Double>, within ageMax: Int = 0,
    otherwise: Double = .missing, by meeting: Meeting
  ) {
    precondition(days.count == values.count)
    content = .values(days, values, ageMax: ageMax, otherwise: otherwise)
    self.meeting = meeting
  }

  /// - Parameter ranks: those of rows with the days by which they meet.
  init(_ ranks: [RankedDays], by meeting: Meeting) {
    content = .ranks(ranks)
    self.meeting = meeting
  }

  /// Of days that are those of rows themselves, of bars too.
  init(daysOf tickers: [TickerSymbol: [TradingDay]]) {
    (content, meeting) = (.tickerDays(tickers), Meeting(barPeriod: nil))
  }

  init(numbersOf tickers: some Sequence<TickerSymbol>) {
    let numbers = tickers.enumerated().map { ($1, Double($0 + 1)) }
    (content, meeting) = (.tickerNumbers(Dictionary(uniqueKeysWithValues: numbers)), Meeting(barPeriod: nil))
  }

  init(days: ClosedRange<TradingDay>?) { (content, meeting) = (.days(days), Meeting(barPeriod: nil)) }

  /// What the values can be on some days of a ticker; nil if that isn't known.
  func bounds(of ticker: TickerSymbol, on wanted: ClosedRange<TradingDay>) -> ValueBounds? {
    switch content {
    case .values, .ranks: return nil
    case .tickerNumbers(let numbers): return ValueBounds(numbers[ticker] ?? .missing)
    case .tickerDays(let tickers):
      let days = tickers[ticker] ?? []
      let next = days.partitioningIndex { $0 >= wanted.lowerBound }
      let canHold = next < days.count && days[next] <= wanted.upperBound
      return ValueBounds(canHold: canHold, canFail: true, mayBeMissing: false)
    case .days(let days):
      return ValueBounds(
        canHold: days?.overlaps(wanted) ?? false,
        canFail: days.map { !($0.contains(wanted.lowerBound) && $0.contains(wanted.upperBound)) } ?? true,
        mayBeMissing: false)
    }
  }

  /// The newest values on some days of a ticker, which rise; missing on those for which there is none, or only an older one.
  func column(of ticker: TickerSymbol?, on wanted: ColumnMemory<TradingDay>) -> ColumnMemory<Double> {
    switch content {
    case .ranks(let parts):
      return ColumnMemory(count: wanted.count) { results in
        for row in 0..<results.count { results[row] = .missing }
        guard let ticker else { return }
        let wanted = meeting.days(wanted)
        for part in parts { part.fill(&results, of: ticker, on: wanted) }
      }
    case .tickerDays(let tickers):
      let days = ticker.flatMap { tickers[$0] } ?? []
      var next = wanted.count == 0 ? 0 : days.partitioningIndex { $0 >= wanted[0] }
      return ColumnMemory(count: wanted.count) { row in
        while next < days.count, days[next] < wanted[row] { next += 1 }
        return next < days.count && days[next] == wanted[row] ? 1 : 0
      }
    case .tickerNumbers(let numbers):
      return ColumnMemory(repeating: ticker.flatMap { numbers[$0] } ?? .missing, count: wanted.count)
    case .days(let days): return ColumnMemory(mapping: wanted) { days?.contains($0) ?? false ? 1 : 0 }
    case .values(let days, let values, let ageMax, let otherwise):
      let (starts, wantedStarts) = (meeting.days(days), meeting.days(wanted))
      var end = wanted.count == 0 ? 0 : (0..<days.count).partitioningIndex { starts[$0] > wantedStarts[0] }
      return ColumnMemory(count: wanted.count) { row in
        let start = wantedStarts[row]
        while end < days.count, starts[end] <= start { end += 1 }
        guard end > 0 else { return otherwise }
        if starts[end - 1] == start { return values[end - 1] }
        let age = Int(wanted[row].daysSince1970) - Int(days[end - 1].daysSince1970)
        return age <= ageMax ? values[end - 1] : otherwise
      }
    }
  }
}

/// By what quotes of several tickers meet: by their day; or bars by their period, because a bar has the day of its ticker's last row,
/// which isn't the same for all.
struct Meeting: Sendable {
  /// How long bars are; nil for quotes of days.
  let barPeriod: CalendarPeriod?

  /// The day that the quotes of the same time as one of this day share: the first one of the period.
  func days(_ days: ColumnMemory<TradingDay>) -> ColumnMemory<TradingDay> {
    guard let barPeriod else { return days }
    return ColumnMemory(mapping: days) { barPeriod.first(of: $0) }
  }

  /// What the quotes of the same time share, as a group.
  var grouping: Grouping { barPeriod.flatMap { Grouping.Key.named($0.rawValue) }.map { Grouping($0) } ?? .day }

  /// All days of the periods that some days lie in.
  func widened(_ bounds: Bounds<TradingDay>) -> Bounds<TradingDay> {
    guard let barPeriod else { return bounds }
    var widened = Bounds<TradingDay>()
    if case .inclusive(let day) = bounds.lower { widened.lower = .inclusive(barPeriod.first(of: day)) }
    if case .exclusive(let day) = bounds.lower { widened.lower = .inclusive(barPeriod.first(of: day)) }
    if case .inclusive(let day) = bounds.upper { widened.upper = .inclusive(barPeriod.last(of: day)) }
    if case .exclusive(let day) = bounds.upper { widened.upper = .inclusive(barPeriod.last(of: day)) }
    return widened
  }
}
