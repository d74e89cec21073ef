/// What an import takes a file for, and why: found out by the steps of an import, of which nothing is stored.
///
/// The file is read to its end, so a file that would be refused has the error, and what was understood before.
public struct ImportExplanation: Hashable, Sendable {
  /// Something that an import finds out about a file, or is told.
  public struct Finding: Hashable, Sendable {
    /// What is found out.
    public enum Subject: String, CaseIterable, Hashable, Sendable {
      /// CSV, JSON or NDJSON, and the layout of the table in it.
      case form
      /// gzip or zip.
      case packing
      /// How characters are bytes, and what ends a line.
      case encoding
      /// What stands between cells.
      case separator
      /// Where the names of the columns are, and what was passed over.
      case header
      /// How days are written.
      case days
      /// The zone whose days count.
      case zone
      /// The sign before the fraction of a number.
      case decimal
      /// The sign that groups the digits of a number.
      case thousands
      /// Whose quotes the rows are.
      case ticker
    }

    /// What was found out.
    public let subject: Subject
    /// What it is: `a comma`.
    public let value: String
    /// Why it is that, as a part of a sentence: `the header has 5 of them`.
    public let reason: String
    /// What an option would say for the same, such as `,`; nil if none says it.
    public let setting: String?
  }

  /// A column, and what it is taken for.
  public struct Column: Hashable, Sendable {
    /// A cell, and what was read.
    public struct Cell: Hashable, Sendable {
      /// The text in the file, cut off if it is long.
      public let text: String
      /// The value as Quoin writes it, or `missing`; nil if the column is left out, or the row can't be read.
      public let value: String?
    }

    /// The name in the file.
    public let name: String
    /// What the column holds.
    public let use: ImportedFile.Column.Use
    /// Why it is taken for that.
    public let reason: String
    /// Whether nothing is known of its name, so that it is left out.
    public let isUnknown: Bool
    /// The cells of the first rows, at most three.
    public internal(set) var cells: [Cell] = []
  }

  /// The path, or `standard input`; with the name in an archive of several files.
  public let file: String
  /// What was found out, in the order of `Finding.Subject`.
  public internal(set) var findings: [Finding] = []
  /// The columns, in their order.
  public internal(set) var columns: [Column] = []
  /// The number of good rows.
  public internal(set) var rowCount = 0
  /// The number of tickers with a good row.
  public internal(set) var tickerCount = 0
  /// The first of these tickers, at most five, in the order of the file.
  public internal(set) var firstTickers: [TickerSymbol] = []
  /// The first and the last day of the good rows; nil if there are none.
  public internal(set) var days: ClosedRange<TradingDay>?
  /// What was decided or passed over, as sentences without their end.
  public internal(set) var notes: [String] = []
  /// Why the file would be refused; nil if it would be imported.
  public internal(set) var error: ImportError?

  init(file: String) { self.file = file }

  /// What was found out about this; nil if nothing was.
  public subscript(subject: Finding.Subject) -> Finding? { findings.first { $0.subject == subject } }

  /// Explains what an import would take files for. Nothing is stored, and no store is asked: what one of the files has twice is
  /// found, and not what a file has that another one has too.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - paths: the files, in order; a directory stands for the files in it and below, and `-` for standard input.
  ///   - options: how to read them.
  ///   - progress: called at most ten times a second.
  /// - Returns: an explanation of each file, also of those in archives. One that can't be read has its error in it.
  /// - Throws: `ImportError.noFiles` if a directory has no file that may hold quotes.
  public static func all(
    of paths: [String], options: ImportOptions = ImportOptions(), progress: ((ImportProgress) -> Void)? = nil
  ) throws(ImportError) -> [ImportExplanation] {
    try all(of: paths.map { ImportSource.path($0) }, options: options, progress: progress)
  }

  /// The same for files of which some are in memory.
  package static func all(
    of sources: [ImportSource], options: ImportOptions, progress: ((ImportProgress) -> Void)? = nil
  ) throws(ImportError) -> [ImportExplanation] {
    try QuoteImporter(options: options, progress: progress).explain(sources)
  }
}

extension ImportedFile.Column.Use {
  /// The word for it: `close`, `ticker`, `date`, `ignored`.
  package var word: String {
    switch self {
    case .ticker: "ticker"
    case .date: "date"
    case .attribute(let attribute): attribute.wikiName
    case .ignored: "ignored"
    }
  }
}
