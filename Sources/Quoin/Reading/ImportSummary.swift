/// Rows that are legal, and imported, but look wrong. A missing cell is never suspicious.
public struct SuspiciousCounts: Hashable, Sendable {
  /// Low above high.
  public internal(set) var lowAboveHigh = 0
  /// Close below low or above high.
  public internal(set) var closeOutsideRange = 0
  /// Volume of 0.
  public internal(set) var zeroVolume = 0
  /// Open, high, low or close of 0.
  public internal(set) var zeroPrice = 0

  /// Whether nothing looked wrong.
  public var isEmpty: Bool { self == SuspiciousCounts() }
}

/// What an import did.
public struct ImportSummary: Hashable, Sendable {
  /// The days one file brought for one ticker.
  public struct Period: Hashable, Sendable {
    /// The stock.
    public let ticker: TickerSymbol
    /// The first day in the file.
    public internal(set) var firstDay: TradingDay
    /// The last day in the file.
    public internal(set) var lastDay: TradingDay
    /// Rows, whether or not the store already had them.
    public internal(set) var rowCount: Int
    /// Where the rows came from: the caller's words, else the path.
    public let source: String
  }

  /// The paths read, in order.
  public internal(set) var files: [String] = []
  /// Good rows read; a day that a file repeats with the same values counts once.
  public internal(set) var rowCount = 0
  /// How many rows were new, replaced others, or were there already.
  public internal(set) var counts = UpsertCounts()
  /// Different tickers with at least one good row.
  public internal(set) var tickerCount = 0
  /// The rows that were left out.
  public internal(set) var badRows = BadRows()
  /// Rows that were imported and look wrong.
  public internal(set) var suspicious = SuspiciousCounts()
  /// Names of columns that hold no attribute of a quote, each once.
  public internal(set) var ignoredColumns: [String] = []
  /// One for each file and ticker, in the order of the files.
  public internal(set) var periods: [Period] = []

  /// Whether the store is as it was before.
  public var changedNothing: Bool { counts.inserted + counts.replaced == 0 }
}
