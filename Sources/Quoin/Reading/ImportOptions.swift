/// A text form in which quotes come and go.
public enum QuoteFormat: String, CaseIterable, Hashable, Sendable {
  /// Lines of cells under a header: WIKI bulk, Quandl dataset, Yahoo, Stooq and the like.
  case csv
  /// One Quandl document: `dataset_data`, `dataset` or `datatable`.
  case json
  /// One flat object a line, keyed by the names of the WIKI header.
  case ndjson
}

/// How an import treats its files.
public struct ImportOptions: Hashable, Sendable {
  /// The form of every file, or nil to recognize each by its first bytes.
  public var format: QuoteFormat?
  /// The ticker of files that do not name one in each row, before their own `dataset_code` and name.
  public var ticker: TickerSymbol?
  /// Whether bad rows are left out and reported, rather than the whole import rejected.
  public var skipsBadRows: Bool
  /// Where the rows came from, for the store's record, or nil for each file's path.
  public var source: String?
  /// How many threads parse and encode, from one to `Limits.threads`. What is imported does not depend on it.
  public var threads: Int

  /// - Parameter threads: by default as many as there are processors, up to 8.
  public init(
    format: QuoteFormat? = nil, ticker: TickerSymbol? = nil, skipsBadRows: Bool = false, source: String? = nil,
    threads: Int = ImportOptions.defaultThreads
  ) {
    self.format = format
    self.ticker = ticker
    self.skipsBadRows = skipsBadRows
    self.source = source
    self.threads = threads
  }

  /// As many threads as there are processors, up to 8.
  public static var defaultThreads: Int { Crew.defaultThreadCount }
}

/// How far an import has come.
public struct ImportProgress: Hashable, Sendable {
  /// The file being read.
  public let file: String
  /// Bytes of its text read so far.
  public let byteCount: Int
  /// Bytes of its text, or nil for a stream and a packed file, where nobody knows.
  public let totalByteCount: Int?
  /// Rows read so far, of all files.
  public let rowCount: Int
}

/// The sizes that make an import fast and keep it small; tests choose tiny ones.
struct ImportTuning {
  /// Bytes of text parsed at a time: few enough that text and columns stay in the second-level cache.
  var readByteCount = 256 << 10
  /// Rows held before complete tickers are handed over: of a file in which tickers come again, and of others.
  var bufferRowCount = Limits.importBufferRowCount
  var groupedRowCount = 1 << 13
  var lineByteCountMax = Limits.csvLineByteCount
  var documentByteCountMax = Limits.jsonDocumentByteCount
}
