extension QuoteBatch {
  /// Reads the quotes of a text in memory as `QuoteStore.importFiles` would, ordered by ticker and day. The batch has the
  /// attributes that the text has.
  ///
  /// - Parameters:
  ///   - bytes: Quandl JSON, CSV or NDJSON, not packed: `Data`, `[UInt8]`, or the `utf8` of a `String`.
  ///   - options: how to read it. The calling thread reads it alone.
  ///   - name: the name of the text in errors.
  /// - Throws: `ImportError`. One bad row rejects the whole text, unless the options say otherwise.
  public init(
    parsing bytes: some Sequence<UInt8>, options: ImportOptions = ImportOptions(), name: String = "the text"
  ) throws(ImportError) {
    self.init(try ParsedText(bytes, options, name: name))
  }

  /// Reads the quotes of a Quandl document that `JSONSerialization` has read, ordered by ticker and day.
  ///
  /// - Throws: `ImportError`; `unknownShape` has the path of what is wrong.
  package init(parsing document: [String: Any], options: ImportOptions, name: String) throws(ImportError) {
    self.init(try ParsedText(document, options, name: name))
  }

  private init(_ text: ParsedText) {
    let attributes = text.parts.reduce(into: AttributeSet()) { $0.formUnion($1.attributes) }
    self.init(attributes: attributes)
    let parsed = text.rows
    var places = ColumnBuffer<Int32>()
    for (place, (_, rows)) in parsed.enumerated() {
      places.append(contentsOf: repeatElement(Int32(place), count: rows.rowCount))
      columns.adopt(rows.having(attributes))
    }
    self.tickers = TickerColumn(symbols: parsed.map(\.0), places: places)
  }

  /// The rows of each ticker, in their order here.
  var columnsByTicker: [TickerSymbol: QuoteColumns] {
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
