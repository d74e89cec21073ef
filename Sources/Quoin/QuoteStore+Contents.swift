/// A summary of one ticker in a store.
public struct TickerSummary: Hashable, Sendable {
  /// The stock.
  public let ticker: TickerSymbol
  /// Days with a quote.
  public let rowCount: Int
  /// The first day with a quote.
  public let firstDay: TradingDay
  /// The last day with a quote.
  public let lastDay: TradingDay
  /// Stored bytes of the ticker's blocks.
  public let byteCount: Int
}

extension TickerSummary {
  /// The columns of a list of tickers.
  package static let headings = [
    ColumnHeading("ticker", .text), ColumnHeading("rows", .number), ColumnHeading("first_day", .text),
    ColumnHeading("last_day", .text), ColumnHeading("bytes", .number),
  ]

  /// The ticker's row of such a list.
  package var cells: [String?] { ["\(ticker)", "\(rowCount)", "\(firstDay)", "\(lastDay)", "\(byteCount)"] }
}

/// A summary of a whole store.
public struct StoreSummary: Hashable, Sendable {
  /// Tickers that have quotes.
  public let tickerCount: Int
  /// Quotes of all tickers.
  public let rowCount: Int
  /// The first and the last day of any ticker; nil if the store is empty.
  public let days: ClosedRange<TradingDay>?
  /// Column files.
  public let fileCount: Int
  /// Blocks of rows; each holds the days and every attribute of up to 1,024 rows.
  public let blockCount: Int
  /// Bytes of the column files.
  public let byteCount: Int
  /// The number of the newest commit.
  public let generation: UInt64
}

extension QuoteStore {
  /// The kind of network file system that a path is on: `NFS`; nil for a local one, or if it is unknown.
  ///
  /// The promises of `QuoteStore` hold for local disks. Elsewhere locks may not hold between machines, and a reader may lose a
  /// file that a commit removes. Blocks the calling thread.
  public static func networkFileSystem(of path: String) -> String? { SystemFiles().networkKind(of: path) }

  /// Whether a directory holds a store, sound or not, as the first bytes of its manifest say.
  package static func isStore(_ directory: String) -> Bool {
    guard let file = try? SystemFiles().map(directory + "/" + StoreFiles.manifest) else { return false }
    return file.view.array.starts(with: Manifest.magic)
  }

  /// The tickers that have quotes, ascending. Complexity: O(1).
  public var tickers: [TickerSymbol] { snapshot.symbols }

  /// Whether some volumes have a fraction. Then all of the store are float64s in answers, and `DailyQuoteSummary.exactVolume` has
  /// them; if not, they are int64s. Complexity: O(1).
  public var hasFractionalVolumes: Bool { snapshot.hasFractions }

  /// The ticker that a code of Quandl's names: the one that is spelled like that, else the only one that differs from it in
  /// nothing but `.`, `-` and `_`; nil if there is none, or more than one. Complexity: O(log tickers) and the tickers that
  /// begin alike.
  package func ticker(forCode code: String) -> TickerSymbol? {
    guard let ticker = try? TickerSymbol(code) else { return nil }
    let known = tickers
    if known.sortedIndex(of: ticker, by: { $0 }) != nil { return ticker }
    let alike = ticker.alike(in: known)
    return alike.count == 1 ? alike[0] : nil
  }

  /// A summary of the store. Complexity: O(tickers).
  public var summary: StoreSummary {
    let snapshot = snapshot
    let runs = snapshot.manifest.runs
    let (first, last) = (runs.map(\.firstDay).min(), runs.map(\.lastDay).max())
    return StoreSummary(
      tickerCount: snapshot.manifest.tickers.count, rowCount: runs.reduce(0) { $0 + $1.rowCount },
      days: first.flatMap { first in last.map { first...$0 } }, fileCount: snapshot.files.count,
      blockCount: runs.reduce(0) { $0 + $1.blockCount },
      byteCount: snapshot.manifest.files.reduce(0) { $0 + $1.byteCount },
      generation: snapshot.manifest.generation)
  }

  /// A summary of each ticker, ascending. Blocks the calling thread. Complexity: O(tickers).
  ///
  /// - Throws: `StoreError` if a directory is damaged.
  public func tickerSummaries() throws(StoreError) -> [TickerSummary] {
    let snapshot = snapshot
    return try snapshot.summaries(ofTickersAt: Array(snapshot.manifest.tickers.indices))
  }

  /// A summary of each of these tickers, in their order. Those that the store doesn't have are left out. Blocks the
  /// calling thread.
  ///
  /// - Throws: `StoreError` if a directory is damaged.
  public func tickerSummaries(of tickers: [TickerSymbol]) throws(StoreError) -> [TickerSummary] {
    let snapshot = snapshot
    return try snapshot.summaries(ofTickersAt: tickers.compactMap(snapshot.manifest.index(of:)))
  }

  /// A summary of a ticker; nil if the store doesn't have it. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` if a directory is damaged.
  public func tickerSummary(of ticker: TickerSymbol) throws(StoreError) -> TickerSummary? {
    try tickerSummaries(of: [ticker]).first
  }

  /// The records of all imports, oldest first. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` if a table of records is damaged.
  public func importRecords() throws(StoreError) -> [ImportRecord] {
    let snapshot = snapshot
    var records: [ImportRecord] = []
    for file in snapshot.files { records += try file.get().importRecords() }
    return records.filter(snapshot.manifest.isCurrent).sorted {
      ($0.generation, $0.ticker, $0.importedAt, $0.firstDay) < ($1.generation, $1.ticker, $1.importedAt, $1.firstDay)
    }
  }

  /// The records of a ticker's imports, oldest first.
  ///
  /// - Throws: `StoreError` if a table of records is damaged.
  public func importRecords(of ticker: TickerSymbol) throws(StoreError) -> [ImportRecord] {
    try importRecords().filter { $0.ticker == ticker }
  }

  /// The time of the last import of each ticker. Complexity: O(imports).
  ///
  /// - Throws: `StoreError` if a table of records is damaged.
  package func lastImports() throws(StoreError) -> [TickerSymbol: CommitTime] {
    var moments: [TickerSymbol: CommitTime] = [:]
    for file in snapshot.files {
      try file.get().forEachImport { record in
        let moment = record.importedAt
        moments[record.ticker] = max(moments[record.ticker] ?? moment, moment)
      }
    }
    return moments
  }
}

extension Snapshot {
  /// Summaries of the tickers with these indices into the manifest, in this order.
  fileprivate func summaries(ofTickersAt indices: [Int]) throws(StoreError) -> [TickerSummary] {
    var summaries: [TickerSummary] = []
    for index in indices {
      let runs = manifest.runs(ofTickerAt: index)
      guard let first = runs.first, let last = runs.last else { continue }
      var byteCount = 0
      for run in runs { byteCount += try file(run.fileIndex).byteCount(ofBlocks: run.blocks) }
      summaries.append(
        TickerSummary(
          ticker: manifest.tickers[index].symbol, rowCount: runs.reduce(0) { $0 + $1.rowCount },
          firstDay: first.firstDay, lastDay: last.lastDay, byteCount: byteCount))
    }
    return summaries
  }
}
