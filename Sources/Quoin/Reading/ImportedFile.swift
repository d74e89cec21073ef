/// What an import did with one file.
public struct ImportedFile: Hashable, Sendable {
  /// A column of the file (a key, in NDJSON), and what it was taken for.
  public struct Column: Hashable, Sendable {
    /// What a column holds.
    public enum Use: Hashable, Sendable {
      /// The ticker of each row.
      case ticker
      /// The day of each row.
      case date
      /// The values of an attribute.
      case attribute(Attribute)
      /// Nothing that a quote has.
      case ignored
    }

    /// The name in the file.
    public let name: String
    /// What the column holds.
    public let use: Use
    /// The first cell that isn't empty, as it is written, cut off if it is long; nil if no first row has one.
    public let firstCell: String?
  }

  /// The path, or `standard input`.
  public let name: String
  /// Whether it has no text, or only blank lines, and was skipped.
  public internal(set) var isEmpty = false
  /// Why it was skipped, if the options allow that.
  public internal(set) var error: ImportError?
  /// The form of its text; nil if it is empty.
  public internal(set) var format: QuoteFormat?
  /// Its columns, in their order.
  public internal(set) var columns: [Column] = []
  /// What its good rows did to the store.
  public internal(set) var counts = UpsertCounts()
  /// The number of its bad rows.
  public internal(set) var badRowCount = 0
  /// The number of its tickers with a good row.
  public internal(set) var tickerCount = 0
  /// The first of these tickers, at most five, in the order of the file.
  public internal(set) var firstTickers: [TickerSymbol] = []
  /// The first and the last day of its good rows; nil if there are none.
  public internal(set) var days: ClosedRange<TradingDay>?

  /// How many tickers `firstTickers` has at most.
  package static let namedTickerCount = 5

  init(name: String) { self.name = name }

  /// The number of its good rows.
  public var rowCount: Int { counts.rowCount }
}

extension ImportedFile.Column {
  var holdsAttribute: Bool { if case .attribute = use { true } else { false } }

  init(_ name: String, _ role: ColumnRole, firstCell: String?) {
    self.name = Self.shown(name)
    use = role.use
    self.firstCell = firstCell
  }

  /// A column's name, also of one that has none.
  static func shown(_ name: String) -> String { name.isEmpty ? "(unnamed)" : name }
}
