/// The record of one import of one ticker's quotes: which days came, how many, from where and when.
public struct ImportRecord: Hashable, Sendable {
  /// The stock.
  public let ticker: TickerSymbol
  /// The first day that the import brought.
  public private(set) var firstDay: TradingDay
  /// The last day that the import brought.
  public private(set) var lastDay: TradingDay
  /// Rows the import brought for this ticker, whether or not the store already had them.
  public private(set) var rowCount: Int
  /// Where the rows came from: a path, an address, or a program's own words.
  public let source: String
  /// When the import was committed.
  public let importedAt: Timestamp
  /// The store generation that the import made.
  public let generation: UInt64

  /// A record of these values, which are not checked.
  public init(
    ticker: TickerSymbol, firstDay: TradingDay, lastDay: TradingDay, rowCount: Int, source: String,
    importedAt: Timestamp, generation: UInt64
  ) {
    self.ticker = ticker
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.rowCount = rowCount
    self.source = source
    self.importedAt = importedAt
    self.generation = generation
  }

  /// Counts in the rows of another part of the same import.
  mutating func join(_ other: ImportRecord) {
    firstDay = min(firstDay, other.firstDay)
    lastDay = max(lastDay, other.lastDay)
    rowCount += other.rowCount
  }
}

extension ImportRecord {
  /// A moment, to the second, in Coordinated Universal Time.
  public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
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
}
