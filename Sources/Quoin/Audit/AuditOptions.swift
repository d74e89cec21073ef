#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an audit looks for, and where.
public struct AuditOptions: Hashable, Sendable {
  /// The rules.
  public var rules: Set<AuditRule>
  /// The tickers whose findings are wanted; nil for all. They are compared with all tickers of the store.
  public var tickers: [TickerSymbol]?
  /// The first day whose findings are wanted; nil for the earliest. Rows before it are compared with those after it.
  public var from: TradingDay?
  /// The last day whose findings are wanted; nil for the latest.
  public var to: TradingDay?
  /// How many percent a price may be above or below the close before.
  public var jump: Double
  /// The last day that isn't in the future.
  public var today: TradingDay
  /// The number of threads, from 1 to 256. The findings don't depend on it.
  public var threads: Int

  /// Options; by default every rule is checked for every ticker and day.
  ///
  /// - Parameters:
  ///   - rules: what is looked for.
  ///   - tickers: the tickers whose findings are wanted; nil for all.
  ///   - from: the first day whose findings are wanted.
  ///   - to: the last day whose findings are wanted.
  ///   - jump: how many percent a price may be above or below the close before.
  ///   - today: the last day that isn't in the future; nil for the day that it is now where days begin first.
  ///   - threads: how many threads check. The default is the number of processors, at most 8.
  public init(
    rules: Set<AuditRule> = Set(AuditRule.allCases), tickers: [TickerSymbol]? = nil, from: TradingDay? = nil,
    to: TradingDay? = nil, jump: Double = AuditOptions.defaultJump, today: TradingDay? = nil,
    threads: Int = AuditOptions.defaultThreads
  ) {
    self.rules = rules
    self.tickers = tickers
    self.from = from
    self.to = to
    self.jump = jump
    self.today = today ?? Self.dayWhereDaysBeginFirst
    self.threads = threads
  }

  /// 40 percent: less than what a split of 2 for 1 takes from a price, and more than nearly every day does.
  public static var defaultJump: Double { SplitEvidence.usualPercent }

  /// The number of processors, at most 8.
  public static var defaultThreads: Int { Crew.defaultThreadCount }

  /// Kiribati is 14 hours ahead of UTC. So what is dated later is in the future everywhere.
  private static var dayWhereDaysBeginFirst: TradingDay {
    .today(in: TimeZone(secondsFromGMT: 14 * 3600) ?? .gmt)
  }

  /// Whether findings of this day are wanted.
  func wants(_ day: TradingDay) -> Bool { day >= from ?? .earliest && day <= to ?? .latest }
}
