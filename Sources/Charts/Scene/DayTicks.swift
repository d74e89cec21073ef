import Quoin

/// The days of an axis that are labeled: the first ones of years, months or weeks, or all.
enum DayTicks {
  /// How far apart ticks are, with the number of letters that a label takes, and the space beside it.
  private enum Pace {
    case days, weeks
    case months(Int)
    case years(Int)

    static let all: [Pace] =
      [.days, .weeks, .months(1), .months(3), .months(6)] + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map(Pace.years)

    /// About how many ticks there are in so many days of the calendar.
    func count(_ calendarDays: Double, _ rowCount: Int) -> Double {
      switch self {
      case .days: Double(rowCount)
      case .weeks: min(Double(rowCount), calendarDays / 7)
      case .months(let count): min(Double(rowCount), calendarDays / 30.44 / Double(count))
      case .years(let count): min(Double(rowCount), calendarDays / 365.25 / Double(count))
      }
    }

    /// The number of the period that a day lies in.
    func period(of day: TradingDay) -> Int {
      switch self {
      case .days: return Int(day.daysSince1970)
      case .weeks: return Int(CalendarPeriod.week.first(of: day).daysSince1970)
      case .months(let count):
        let (year, month, _) = day.components
        return (year * 12 + month - 1) / count
      case .years(let count): return day.components.year / count
      }
    }
  }

  /// How much a label says; what says more has precedence where two collide.
  private enum Rank: Int { case day, month, first, year }

  /// - Parameters:
  ///   - place: the place of a row.
  ///   - limits: where labels have to stay.
  static func ticks(
    of days: [TradingDay], _ metrics: SceneMetrics, limits: ClosedRange<Double>, place: (Int) -> Double
  ) -> [SceneTick] {
    guard let first = days.first, let last = days.last else { return [] }
    let room = (limits.upperBound - limits.lowerBound) / (metrics.letterWidth * 8)
    let calendarDays = Double(last.daysSince1970 - first.daysSince1970) + 1
    let pace = Pace.all.first { $0.count(calendarDays, days.count) <= room } ?? .years(1000)
    var labels: [(rank: Rank, tick: SceneTick)] = []
    var period: Int?
    var previous: TradingDay?
    for row in days.indices where period != pace.period(of: days[row]) {
      period = pace.period(of: days[row])
      let (rank, label) = label(days[row], after: previous, pace)
      let width = Double(label.count) * metrics.letterWidth / 2
      let position = place(row)
      let center = min(max(position, limits.lowerBound + width), limits.upperBound - width)
      labels.append((rank, SceneTick(position: position, labelPosition: center, label: label)))
      previous = days[row]
    }
    return apart(labels, by: metrics.letterWidth)
  }

  private static func label(_ day: TradingDay, after previous: TradingDay?, _ pace: Pace) -> (Rank, String) {
    let (year, month, number) = day.components
    let name = monthNames[month - 1]
    guard let previous else {
      return switch pace {
      case .days, .weeks: (.first, "\(number) \(name) \(year)")
      case .months: (.first, "\(name) \(year)")
      case .years: (.first, "\(year)")
      }
    }
    if previous.components.year != year { return (.year, "\(year)") }
    return previous.components.month != month ? (.month, name) : (.day, "\(number)")
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The ticks without those whose labels are nearer than `space` to one that says more.
  private static func apart(_ labels: [(rank: Rank, tick: SceneTick)], by space: Double) -> [SceneTick] {
    var kept: [(start: Double, end: Double, tick: SceneTick)] = []
    for rank in [Rank.year, .first, .month, .day] {
      for (_, tick) in labels.filter({ $0.rank == rank }) {
        let width = Double(tick.label.count) * space / 2
        let (start, end) = (tick.labelPosition - width, tick.labelPosition + width)
        if kept.allSatisfy({ end + space <= $0.start || start >= $0.end + space }) { kept.append((start, end, tick)) }
      }
    }
    return kept.map(\.tick).sorted { $0.position < $1.position }
  }
}
