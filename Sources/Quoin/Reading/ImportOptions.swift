#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A text format for quotes.
public enum QuoteFormat: String, CaseIterable, Hashable, Sendable {
  /// Lines of cells under a header: the WIKI bulk file, Quandl's datasets, Yahoo's and Stooq's files and similar ones.
  case csv
  /// JSON documents, one or several: Quandl's, or any that hold rows as arrays of objects or as arrays beside each other.
  case json
  /// One object per line, keyed by the names of the WIKI header or others that are known.
  case ndjson
}

/// Options of an import.
public struct ImportOptions: Hashable, Sendable {
  /// The format of every file, or nil to recognize each by its first bytes.
  public var format: QuoteFormat?
  /// The ticker of files that don't name one in each row. It takes precedence over a file's name.
  /// A file that says that it holds another ticker's quotes is refused.
  public var ticker: TickerSymbol?
  /// The names of the columns of CSV files without a header, and of rows in JSON that are arrays without names, in their order; none
  /// for files that say them.
  public var columnNames: [String] = []
  /// What columns hold, by their names in the files, whatever these names mean otherwise.
  public var columnUses: [String: ImportedFile.Column.Use] = [:]
  /// How files write their days. Nil for the forms that are read without: the year first, the month by name, and
  /// `1/2/2018` if only one order of day and month makes sense in the whole file.
  public var dateFormat: DatePattern?
  /// The zone whose days count, where times say how far their clock is from UTC; nil for the day that is written.
  public var timeZone: TimeZone?
  /// The sign before the fraction of a number, a point or a comma; nil to find it out by the file's numbers.
  public var decimalMark: Character?
  /// The sign that groups the digits of a number; nil to find it out.
  public var groupingMark: Character?
  /// Further texts for a cell without a value, such as `-1` and `-99`.
  public var missingWords: Set<String> = []
  /// The number of lines before the header.
  public var skippedLineCount = 0
  /// What lines before the header begin with that are passed over; nil for `#`.
  public var comment: String?
  /// The sign between cells; a space stands for any number of spaces. Nil to find it out.
  public var delimiter: Character?
  /// The attribute of a table with a column for each ticker; nil for tables with a row for each ticker and day.
  public var wideAttribute: Attribute?
  /// Whether volumes with a fraction are rounded, half to even, in place of being stored exactly as float64s.
  public var roundsVolumes = false
  /// Whether the prices of the files have their splits already, so that each ratio is stored as 1: Yahoo's files have both.
  public var splitsAreInPrices = false
  /// Whether bars of minutes or hours are made rows of days: the first open, the highest high, the lowest low, the last close, the sum of
  /// volumes. All rows of a file are held in memory for that.
  public var makesDaysOfBars = false
  /// Signs of the files' tickers that are replaced, such as the slash of `BTC/USD`, which no ticker has here.
  public var tickerSigns: [Character: Character] = [:]
  /// Where the ticker is in the names of files that don't say it; nil for the whole name, or as vendors name their files.
  public var tickerPattern: FileNamePattern?
  /// What happens to the rows that the store has already.
  public var mode: UpsertMode
  /// Whether the later of two rows counts that have the same ticker and day but different values. If not, the import is refused.
  public var lastRowWins: Bool
  /// Whether bad rows are skipped and reported, instead of rejecting the whole import.
  public var skipsBadRows: Bool
  /// Whether files that can't be read, or have bad rows, are skipped and reported, instead of rejecting the whole import. Each
  /// file is read twice for that, an archive as one file. Standard input and pipes aren't skipped.
  public var skipsBadFiles = false
  /// The origin of the rows, for the store's records, or nil for each file's path.
  public var source: String?
  /// The number of threads that parse and encode, from 1 to 256. The result doesn't depend on it.
  public var threads: Int
  /// How many bytes of text an archive may have in all its files.
  package var unpackedByteCountMax = Int.max
  /// How the store packs its blocks from this import on, or nil to leave that as it is.
  public var packing: BlockPacking?

  /// Options; the defaults recognize everything by the file itself.
  ///
  /// - Parameters:
  ///   - format: the format of the files; nil to recognize it.
  ///   - ticker: the stock of rows that don't name one.
  ///   - mode: what happens to the rows that the store has already.
  ///   - lastRowWins: whether the later of two rows of the same ticker and day counts, in place of refusing them.
  ///   - skipsBadRows: whether to leave rows out that can't be read, in place of refusing their file.
  ///   - source: the origin of the rows, for the store's records; nil for each file's path.
  ///   - threads: how many threads parse and encode. The default is the number of processors, at most 8.
  ///   - packing: how the store packs its blocks from now on; nil to leave that as it is.
  public init(
    format: QuoteFormat? = nil, ticker: TickerSymbol? = nil, mode: UpsertMode = .update, lastRowWins: Bool = false,
    skipsBadRows: Bool = false, source: String? = nil, threads: Int = ImportOptions.defaultThreads,
    packing: BlockPacking? = nil
  ) {
    self.format = format
    self.ticker = ticker
    self.mode = mode
    self.lastRowWins = lastRowWins
    self.skipsBadRows = skipsBadRows
    self.source = source
    self.threads = threads
    self.packing = packing
  }

  /// How numbers are written, as far as the caller says.
  var numberStyle: NumberStyle? {
    let grouping = groupingMark?.asciiValue
    if let mark = decimalMark?.asciiValue.flatMap({ NumberStyle.Mark(rawValue: $0) }) {
      return NumberStyle(decimal: mark, grouping: grouping)
    }
    guard let grouping else { return nil }
    return NumberStyle(decimal: grouping == NumberStyle.Mark.point.rawValue ? .comma : .point, grouping: grouping)
  }

  var layout: CellLayout? {
    delimiter?.asciiValue.map { $0 == UInt8(ascii: " ") ? .spaces : .delimited($0) }
  }

  var dates: DateReading { dateFormat.map { .pattern($0) } ?? .automatic }

  /// The number of processors, at most 8.
  public static var defaultThreads: Int { Crew.defaultThreadCount }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// The file being read.
  public let file: String
  /// The number of bytes of its text read so far.
  public let byteCount: Int
  /// The number of bytes of its text, or nil for a stream and a packed file, whose length is unknown.
  public let totalByteCount: Int?
  /// The number of rows read so far, of all files.
  public let rowCount: Int
  /// The number of files read before this one.
  public let finishedFileCount: Int
  /// The number of files, with those in directories.
  public let fileCount: Int
  /// Whether all files are read and the commit begins. Until then nothing has changed.
  public internal(set) var isComplete = false
}

/// Sizes that keep an import fast and small; tests choose tiny ones.
struct ImportTuning {
  /// Bytes of text in a chunk: few enough that text and columns stay in the second-level cache.
  var readByteCount = 256 << 10
  /// Rows held before complete tickers are handed over: if tickers come again in a file, and if they don't.
  var bufferRowCount = Limits.importBufferRowCount
  var groupedRowCount = 1 << 13
  /// The same for the only ticker so far: a hundred years have 25,000 trading days.
  var tickerRowCount = 1 << 17
  var lineByteCountMax = Limits.csvLineByteCount
  var documentByteCountMax = Limits.jsonDocumentByteCount
  /// Bytes of a JSON file that is read where it stands in memory; a longer one is read several times.
  var wholeDocumentByteCount = 1 << 24
  /// Bytes of a longer one that are held beside its rows, and of each array's first rows.
  var heldByteCountMax = Limits.jsonHeldByteCount
  var keptRowsByteCount = 1 << 20
}
