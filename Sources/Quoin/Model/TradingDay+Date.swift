#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TradingDay {
  /// The day that it is at a moment in a time zone; nil outside the years 1 to 9999, and if the moment isn't a number.
  ///
  ///     let day = TradingDay(.now, in: TimeZone(identifier: "America/New_York")!)
  ///
  /// With `import Foundation` all time zones have a name; without it only GMT has.
  public init?(_ moment: Date, in timeZone: TimeZone) {
    let seconds = moment.timeIntervalSince1970
    // A zone asked about a moment that is no number, or far away, may trap. No zone is further from UTC than a day.
    let ends = (TradingDay.earliest.utcMidnight - 86_400)..<(TradingDay.latest.utcMidnight + 2 * 86_400)
    guard ends.contains(seconds) else { return nil }
    let local = seconds + Double(timeZone.secondsFromGMT(for: moment))
    self.init(daysSince1970: Int((local / 86_400).rounded(.down)))
  }

  /// The day that it is now in a time zone; the calendar's nearest end if the clock is past it.
  public static func today(in timeZone: TimeZone) -> TradingDay {
    let now = Date()
    return TradingDay(now, in: timeZone) ?? (now.timeIntervalSince1970 < 0 ? .earliest : .latest)
  }

  /// The moment at which the day begins in a time zone: midnight, unless the clocks are changed then. If the zone has skipped
  /// the whole day, the moment at which the next one begins.
  public func start(in timeZone: TimeZone) -> Date {
    // Clocks that change at or near midnight are right on one side of it.
    let offsets = [-86_400.0, 86_400].map {
      timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: utcMidnight + $0))
    }
    let starts = offsets.map { Date(timeIntervalSince1970: utcMidnight - Double($0)) }
    return starts.filter { TradingDay($0, in: timeZone) == self }.min() ?? starts[0]
  }

  private var utcMidnight: Double { Double(daysSince1970) * 86_400 }
}
