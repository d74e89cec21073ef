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
  public let importedAt: CommitTime
  /// The store generation that the import made.
  public let generation: UInt64

  /// No import brings as many rows of one ticker; so the sum of all records fits an `Int`.
  static let rowCountMax = 1 << 32

  /// A record of these values, which are not checked.
  public init(
    ticker: TickerSymbol, firstDay: TradingDay, lastDay: TradingDay, rowCount: Int, source: String,
    importedAt: CommitTime, generation: UInt64
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
