extension QuoteBatch {
  /// Reads the quotes of a text in memory as `QuoteStore.importFiles` would, ordered by ticker and day.
  ///
  /// - Parameters:
  ///   - bytes: Quandl JSON, CSV or NDJSON, not packed: `Data`, `[UInt8]`, or the `utf8` of a `String`.
  ///   - options: how to read it. The calling thread reads it alone.
  ///   - name: the name of the text in errors.
  /// - Throws: `ImportError`. One bad row rejects the whole text, unless the options say otherwise.
  public init(
    parsing bytes: some Sequence<UInt8>, options: ImportOptions = ImportOptions(), name: String = "the text"
  ) throws(ImportError) {
    self.init()
    for (ticker, rows) in try ParsedText(bytes, options, name: name).rows {
      tickerValues.append(contentsOf: ColumnBuffer(repeating: ticker, count: rows.rowCount))
      columns.adopt(rows)
    }
  }

  /// The rows of each ticker, in their order here.
  package var columnsByTicker: [TickerSymbol: QuoteColumns] {
    var result: [TickerSymbol: QuoteColumns] = [:]
    var start = 0
    while start < rowCount {
      let end = tickerValues[start...].firstIndex { $0 != tickerValues[start] } ?? rowCount
      result[tickerValues[start], default: QuoteColumns(attributes: columns.attributes)].append(
        columns, rows: start..<end)
      start = end
    }
    return result
  }
}
