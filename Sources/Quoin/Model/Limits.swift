/// The limits of what the engine takes.
///
/// A limit is either part of the file format (changing it needs a new format version) or a guard against input that would
/// exhaust memory; the comment says which. Numbers that only make work fast, such as the rows of a batch, stand where they
/// are used: no input is treated differently because of them.
package enum Limits {
  /// Rows in one block of a column file. Part of the format: a row index inside a block fits 10 bits.
  package static let rowsPerBlock = 1024

  /// Blocks in one column file; a longer import is split over several files. A guard: it bounds a writer's memory.
  static let blocksPerFile = 2048

  /// Bytes of a manifest: some three million tickers. A guard: opening a store takes at most twice as much memory, whatever
  /// its files say, because each count is compared with the bytes that are there before memory is taken for what it counts.
  static let manifestByteCount = 1 << 28

  /// Bytes of the list of a sharded store: some hundred thousand shards. A guard.
  static let shardListByteCount = 1 << 22

  /// Stored bytes of one block of one column; what is written is shorter than its values and their missing cells. A guard: a
  /// program that survives shrinking files reads blocks from copies.
  static let blockByteCount = 1 << 16

  /// Bytes of a part of a column file that is read at once, such as the records of imports. A guard.
  static let partByteCount = 1 << 32

  /// Records of imports in a column file: twenty years of days of WIKI's tickers. A guard: packed, some are a fraction of a byte.
  static let importRecordCount = 1 << 24

  /// Bytes that a thread unpacks blocks into, however large the blocks claim to be. A guard. That a block has at most
  /// `rowsPerBlock` values of 8 bytes is part of the format.
  static let unpackedByteCount = 5 * rowsPerBlock * 8

  /// Bytes in a ticker symbol. Part of the format: a ticker is 32 bytes, zero-padded.
  static let tickerByteCount = 32

  /// The calendar years a `TradingDay` can name. Part of the format.
  package static let years = 1...9999

  /// Bytes of one line of CSV or NDJSON. A guard.
  package static let csvLineByteCount = 1 << 20

  /// Bytes at the start of a file by which its form is recognized. A guard.
  static let recognitionByteCount = 1 << 16

  /// Different member names that an import of NDJSON remembers; it looks up any further name again in every row, and doesn't
  /// report it as left out. A guard.
  static let memberNameCount = 256

  /// Columns that a JSON document names beside rows that are arrays. A guard: each is compared with what is known.
  static let columnNameCount = 10_000

  /// Bytes of a JSON document that can't be read twice, which is parsed in memory. A guard.
  static let jsonDocumentByteCount = 1 << 30

  /// Bytes of a JSON file that are in memory at once: all but the rows of its arrays. A guard.
  static let jsonHeldByteCount = 1 << 28

  /// Rows that an import holds in memory before it hands tickers to the store. A guard.
  static let importBufferRowCount = 1 << 20

  /// Bad rows that a rejected import names one by one; the rest are only counted. A guard.
  static let reportedBadRowCount = 10

  /// Bytes of the description of where an import's rows came from. Part of the format: the length is 16 bits.
  static let sourceByteCount = 1024

  /// Bytes of a predicate's text. A guard.
  static let predicateByteCount = 1 << 16

  /// Nested parentheses of a predicate's text. A guard: the parser is recursive.
  static let predicateDepth = 100

  /// Nested `all`, `any` and `not` of a predicate; a predicate's text can't nest as many. A guard: planning walks the predicate
  /// recursively, beyond a few levels on a thread with a stack of its own.
  static let predicateLevels = 400

  /// Different steps of what a question computes. A guard: a program of a hundred steps is a long one.
  static let questionSteps = 10_000

  /// Columns that a pivot makes of the values of a key. A guard: nobody reads more.
  static let pivotColumns = 5_000

  /// Rows of a window, or of a step back or ahead. A guard.
  static let windowRows = 1_000_000

  /// Days that another ticker's quote may be older than the day on which its value is wanted: those between the calendar's ends,
  /// so more would mean the same.
  package static let ageDays = 3_652_058

  /// Threads of one scan or import; a request for more gets this many. A guard: each thread holds work in memory.
  package static let threads = 256

  /// Bytes of freed columns that are kept for the next result. A guard: it bounds what an idle program holds, and lets a
  /// scan of a million rows repeat without asking the system for pages.
  static let heldColumnByteCount = 1 << 27

  /// Bytes of freed columns that are kept as long as the system doesn't need them. A guard: a column of the whole WIKI table is an
  /// eighth of it.
  static let idleColumnByteCount = 1 << 30

  /// Rows that a table holds back to find the widths of its columns; later rows keep those widths. A guard.
  static let tableMeasuredRowCount = 1000
}
