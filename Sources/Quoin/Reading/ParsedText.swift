/// The quotes of a text in memory: all that an import would bring, and its summary, without a store.
struct ParsedText: Sendable {
  /// The rows of one ticker that have the same attributes in the text.
  struct Part {
    let ticker: TickerSymbol
    /// Rows with rising days and all attributes.
    let columns: QuoteColumns
    let attributes: AttributeSet
  }

  /// The rows, by ticker.
  let parts: [Part]
  /// What was read. Nothing is counted as new or replaced.
  let summary: ImportSummary
  /// The origin of the rows, for the records of imports.
  let source: String
  let mode: UpsertMode
  /// How the store is to pack its blocks, if that is to change.
  let packing: BlockPacking?

  /// - Parameters:
  ///   - bytes: Quandl JSON, CSV or NDJSON, not packed.
  ///   - name: the name of the text in errors.
  init(_ bytes: some Sequence<UInt8>, _ options: ImportOptions, name: String) throws(ImportError) {
    var options = options
    options.source = options.source ?? "Swift"
    packing = options.packing
    (source, mode) = (options.source ?? "", options.mode)
    // All rows are held until the end, so the sink gets each day once.
    let tuning = ImportTuning(bufferRowCount: .max, groupedRowCount: .max)
    let importer = QuoteImporter(options: options, tuning: tuning, crew: .alone)
    var sink = PartSink()
    var summary = try importer.importBytes(Array(bytes), name: name, into: &sink)
    summary.counts = UpsertCounts()
    self.summary = summary
    parts = sink.parts.sorted { $0.ticker < $1.ticker }
  }

  /// - Parameter document: one that `JSONSerialization` has read.
  init(_ document: [String: Any], _ options: ImportOptions, name: String) throws(ImportError) {
    var options = options
    options.format = .json
    try self.init(JSONObjectText.bytes(of: document, name: name), options, name: name)
  }
}

extension ParsedText {
  /// The rows of each ticker, by ticker, with rising days.
  var rows: [(ticker: TickerSymbol, columns: QuoteColumns)] {
    var rows: [(ticker: TickerSymbol, columns: QuoteColumns)] = []
    for part in parts {
      if rows.last?.ticker != part.ticker { rows.append((part.ticker, QuoteColumns())) }
      rows[rows.count - 1].columns.adopt(part.columns)
    }
    for index in rows.indices { rows[index].columns = rows[index].columns.sortedByDay }
    return rows
  }
}

/// A sink that collects the rows in memory.
private struct PartSink: QuoteSink {
  private(set) var parts: [ParsedText.Part] = []

  mutating func upsert(
    _ ticker: TickerSymbol, _ columns: QuoteColumns, _ mode: UpsertMode, present: AttributeSet
  ) -> UpsertCounts {
    parts.append(ParsedText.Part(ticker: ticker, columns: columns, attributes: present))
    return UpsertCounts(inserted: columns.rowCount)
  }

  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) -> QuoteColumns { QuoteColumns() }
}
