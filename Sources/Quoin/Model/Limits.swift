/// Every limit of the engine, in one place.
///
/// A limit is either part of the file format (a change needs a new format version) or a guard against input that
/// would otherwise exhaust memory; the comment says which.
public enum Limits {
  /// Rows in one block of a column file. Part of the format: a row index inside a block fits 10 bits.
  public static let rowsPerBlock = 1024

  /// Blocks in one column file; a longer import is split over several files. A guard: it bounds a writer's memory.
  public static let blocksPerFile = 2048

  /// Bytes of a manifest: some four million tickers. A guard: whatever the files of a store say of themselves, opening it
  /// takes at most twice as much memory, for a count is compared with the bytes that are there before there is room made
  /// for what it counts.
  public static let manifestByteCount = 1 << 28

  /// Bytes that a thread unpacks blocks into, however large they say they are. A guard; part of the format is that a
  /// block has no more than `rowsPerBlock` values of 8 bytes.
  public static let unpackedByteCount = 5 * rowsPerBlock * 8

  /// Bytes in a ticker symbol. Part of the format: a ticker is 16 bytes, zero-padded.
  public static let tickerByteCount = 16

  /// The calendar years a `TradingDay` can name. Part of the format.
  public static let years = 1...9999

  /// Bytes of one line of a CSV file. A guard.
  public static let csvLineByteCount = 1 << 20

  /// Bytes of one JSON document, which is parsed in memory. A guard.
  public static let jsonDocumentByteCount = 1 << 30

  /// Rows that an import holds in memory before it hands complete tickers to the store. A guard.
  public static let importBufferRowCount = 1 << 20

  /// Bad rows that a rejected import names one by one; the rest are only counted.
  public static let reportedBadRowCount = 10

  /// Bytes of the description of where an import's rows came from. Part of the format: the length is 16 bits.
  public static let sourceByteCount = 1024

  /// Bytes of a predicate's text. A guard.
  public static let predicateByteCount = 1 << 16

  /// Parentheses inside each other in a predicate's text. A guard: the parser is recursive.
  public static let predicateDepth = 100

  /// `all`, `any` and `not` inside each other in a predicate; its text has no room for so many. A guard: a scan reads it
  /// recursively, on threads whose stacks may be small.
  public static let predicateLevels = 400

  /// Threads of one scan or import; who asks for more gets these. A guard: each has work waiting in memory.
  public static let threads = 256

  /// Bytes of freed columns that are kept for the next result. A guard: it bounds what an idle program holds, and lets a
  /// scan of a million rows repeat without asking the system for pages.
  public static let idleColumnByteCount = 1 << 27

  /// Rows that a table holds back to find the widths of its columns; the rows after them keep those widths. A guard.
  public static let tableMeasuredRowCount = 1000
}
