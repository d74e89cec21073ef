extension QuoteBatch {
  /// Reads the quotes of a text in memory as `QuoteStore.importFiles` would, ordered by ticker and day.
  ///
  /// - Parameters:
  ///   - bytes: Quandl JSON, CSV or NDJSON, not packed.
  ///   - format: the text's format, or nil to recognize it by its first bytes.
  ///   - ticker: the ticker of a text that doesn't name one in each row.
  ///   - name: the name of the text in errors.
  /// - Throws: `ImportError`. One bad row rejects the whole text.
  public init(
    parsing bytes: [UInt8], as format: QuoteFormat? = nil, ticker: TickerSymbol? = nil, name: String = "the text"
  ) throws {
    var sink = ColumnSink()
    let importer = QuoteImporter(options: ImportOptions(format: format, ticker: ticker, threads: 1))
    _ = try importer.importBytes(bytes, name: name, into: &sink)
    self.init()
    let tickers = sink.rows.keys.sorted()
    var places = ColumnBuffer<Int32>()
    for (place, ticker) in tickers.enumerated() {
      guard let rows = sink.rows[ticker] else { continue }
      places.append(contentsOf: repeatElement(Int32(place), count: rows.rowCount))
      columns.adopt(rows)
    }
    self.tickers = TickerColumn(symbols: tickers, places: places)
  }

  /// The rows of each ticker, in their order here.
  package var columnsByTicker: [TickerSymbol: QuoteColumns] {
    var result: [TickerSymbol: QuoteColumns] = [:]
    var start = 0
    for (ticker, count) in tickers.runs {
      result[ticker, default: QuoteColumns(attributes: columns.attributes)].append(
        columns, rows: start..<(start + count))
      start += count
    }
    return result
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
