/// A moment, to the second, in Coordinated Universal Time.
public struct CommitTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let secondsSince1970: Int64

  /// The moment this many seconds after 1970-01-01T00:00:00Z; negative before.
  public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// Whether `a` is earlier than `b`.
  public static func < (a: Self, b: Self) -> Bool { a.secondsSince1970 < b.secondsSince1970 }

  /// The day in UTC; the calendar's nearest end when the moment lies past it.
  public var day: TradingDay {
    let days = secondsSince1970 / 86_400 - (secondsSince1970 % 86_400 < 0 ? 1 : 0)
    return TradingDay(daysSince1970: Int(days)) ?? (days < 0 ? .earliest : .latest)
  }

  /// The moment as ISO 8601 writes it: `2026-11-21T03:14:15Z`.
  public var description: String {
    let second = ((secondsSince1970 % 86_400) + 86_400) % 86_400
    let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(day)T\(parts.joined(separator: ":"))Z"
  }
}
