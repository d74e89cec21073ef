/// Numbers of rows that are legal and imported but look wrong. A missing cell is never suspicious.
public struct SuspiciousCounts: Hashable, Sendable {
  /// Rows with low above high.
  public internal(set) var lowAboveHigh = 0
  /// Rows with close below low or above high.
  public internal(set) var closeOutsideRange = 0
  /// Rows with a volume of 0.
  public internal(set) var zeroVolume = 0
  /// Rows with an open, high, low or close of 0.
  public internal(set) var zeroPrice = 0

  /// Whether nothing looks wrong.
  public var isEmpty: Bool { self == SuspiciousCounts() }
}

/// Something that an import decided or passed over, and tells.
public struct ImportNote: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, or `standard input`.
  public let file: String
  /// What it is, as a sentence without its end.
  public let text: String
  /// Whether it is that prices have a split already whose ratio is stored beside them.
  public internal(set) var isOfSplitInPrices = false

  /// `prices.csv: its days are a spreadsheet's numbers of days`
  public var description: String { "\(file): \(text)" }
}

/// The result of an import.
public struct ImportSummary: Hashable, Sendable {
  /// A record of what one file brought for one ticker.
  public struct Period: Hashable, Sendable {
    /// The stock.
    public let ticker: TickerSymbol
    /// The first day in the file.
    public internal(set) var firstDay: TradingDay
    /// The last day in the file.
    public internal(set) var lastDay: TradingDay
    /// Rows, whether or not the store already had them. Rows that `UpsertMode.keep` left out don't count.
    public internal(set) var rowCount: Int
    /// Where the rows came from: the caller's words, else the path.
    public let source: String
  }

  /// The files that were read, in order.
  public internal(set) var files: [ImportedFile] = []
  /// The number of good rows.
  public internal(set) var rowCount = 0
  /// The numbers of new, changed and unchanged rows, and of those left out.
  public internal(set) var counts = UpsertCounts()
  /// The number of tickers with at least one good row.
  public internal(set) var tickerCount = 0
  /// The rows that were skipped.
  public internal(set) var badRows = BadRows()
  /// Rows that were imported but look wrong.
  public internal(set) var suspicious = SuspiciousCounts()
  /// The names of the columns that hold no attribute, each once.
  public internal(set) var ignoredColumns: [String] = []
  /// What was decided or passed over, in the order of the files.
  public internal(set) var notes: [ImportNote] = []
  /// A record for each file and ticker, in the order of the files.
  public internal(set) var periods: [Period] = []

  /// Whether the import left the store as it was.
  public var changedNothing: Bool { counts.inserted + counts.replaced == 0 }
}
