/// The quotes of a text in memory: all that an import would bring, and its summary, without a store.
struct ParsedText: Sendable {
  /// The rows of each ticker, by ticker, with rising days.
  let rows: [(ticker: TickerSymbol, columns: QuoteColumns)]
  /// What was read. Nothing is counted as new or replaced.
  let summary: ImportSummary
  /// The origin of the rows, for the records of imports.
  let source: String
  /// How the store is to pack its blocks, if that is to change.
  let packing: BlockPacking?

  /// - Parameters:
  ///   - bytes: Quandl JSON, CSV or NDJSON, not packed.
  ///   - name: the name of the text in errors.
  init(_ bytes: some Sequence<UInt8>, _ options: ImportOptions, name: String) throws(ImportError) {
    var options = options
    options.source = options.source ?? "Swift"
    source = options.source ?? ""
    packing = options.packing
    var sink = ColumnSink()
    var summary = try QuoteImporter(options: options, crew: .alone).importBytes(Array(bytes), name: name, into: &sink)
    summary.counts = UpsertCounts()
    self.summary = summary
    rows = sink.rows.sorted { $0.key < $1.key }.map { (ticker: $0.key, columns: $0.value) }
  }

  /// - Parameter document: one that `JSONSerialization` has read.
  init(_ document: [String: Any], _ options: ImportOptions, name: String) throws(ImportError) {
    var options = options
    options.format = .json
    try self.init(JSONObjectText.bytes(of: document, name: name), options, name: name)
  }
}

/// A sink that collects columns in memory.
private struct ColumnSink: QuoteSink {
  /// The rows of each ticker, in the order of their days.
  private(set) var rows: [TickerSymbol: QuoteColumns] = [:]

  mutating func upsert(_ ticker: TickerSymbol, _ columns: QuoteColumns) -> UpsertCounts {
    rows[ticker, default: QuoteColumns()].adopt(columns)
    if let held = rows[ticker], !held.isStrictlyAscending { rows[ticker] = held.sortedByDay }
    return UpsertCounts(inserted: columns.rowCount)
  }

  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) -> QuoteColumns {
    guard let held = rows[ticker] else { return QuoteColumns() }
    return held.gathered(held.dayValues.indices.filter { held.dayValues[$0] >= first && held.dayValues[$0] <= last })
  }
}
