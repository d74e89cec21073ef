/// Turns batches of rows into text of one format and hands the bytes to a sink as it goes.
///
/// ```swift
/// let formatter = QuoteFormatter(.csv) { bytes in try bytes.withUnsafeBytes { try unsafe file.write($0) } }
/// for batch in batches { try formatter.append(batch) }
/// try formatter.finish()
/// ```
///
/// Numbers are in the shortest form that reads back as the same value. A missing cell is empty in CSV, TSV, Markdown
/// and the table, and `null` in JSON. An infinite price is `inf` or `-inf`; JSON has no such number, so there it is the
/// string `"inf"` or `"-inf"`. Memory stays bounded however many rows pass: one buffer of about 64 KiB, and for the table
/// its first `Limits.tableMeasuredRowCount` rows.
public final class QuoteFormatter {
  /// Takes the next bytes of the text; they are valid during the call.
  public typealias Sink = (RawSpan) throws -> Void

  private let sink: Sink
  private let columns: [OutputColumn]
  private let rows: RowTemplate
  private let header: String
  private let footer: String
  /// The whole text when there are no rows, where it is not header and footer.
  private let emptyText: String?
  private var table: TextTable?
  private var buffer: TextBuffer
  private var hasBegun = false
  private var isFirstRow = true

  /// A formatter of rows with these columns.
  ///
  /// - Parameter styled: whether the table's header is bold, by a terminal's escape sequence.
  /// - Parameter sink: called with about 64 KiB at a time, and with the rest by `finish`.
  public init(
    _ format: OutputFormat, columns: [OutputColumn] = OutputColumn.all, styled: Bool = false, sink: @escaping Sink
  ) {
    self.sink = sink
    self.columns = columns
    let names = columns.map(\.name)
    var texts = (header: "", footer: "", empty: String?.none)
    switch format {
    case .csv:
      rows = .separated(by: ",", columnCount: columns.count)
      texts.header = names.joined(separator: ",") + "\n"
    case .tsv:
      rows = .separated(by: "\t", columnCount: columns.count)
      texts.header = names.joined(separator: "\t") + "\n"
    case .json:
      rows = .objects(columns, end: "", separator: ",\n")
      texts = ("[\n", "\n]\n", "[]\n")
    case .ndjson:
      rows = .objects(columns, end: "\n", separator: "")
    case .markdown:
      rows = .markdown(columns)
      let rules = columns.map { $0.isNumber ? "---:" : "---" }
      texts.header = "| \(names.joined(separator: " | ")) |\n| \(rules.joined(separator: " | ")) |\n"
    case .table:
      rows = .separated(by: "", columnCount: columns.count)
      table = TextTable(columns, styled: styled)
    }
    (header, footer, emptyText) = texts
    buffer = rows.makeBuffer()
  }

  /// Writes the batch's rows behind those before; the first call writes the header first.
  ///
  /// An attribute that the batch does not have is missing in each row. Complexity: O(rows x columns).
  ///
  /// - Throws: what the sink throws; the formatter is of no use then.
  public func append(_ batch: QuoteBatch) throws {
    guard batch.rowCount > 0 else { return }
    if table != nil {
      try table?.append(batch, into: &buffer, sink: sink)
      return
    }
    try begin()
    let cells = batch.columns.cells(of: columns, tickers: batch.tickerValues)
    try rows.write(cells, rows: 0..<batch.rowCount, isFirst: &isFirstRow, into: &buffer, sink: sink)
  }

  /// Ends the text and hands the rest to the sink; without any rows, header and footer stand alone.
  public func finish() throws {
    if table != nil {
      try table?.finish(into: &buffer, sink: sink)
    } else if isFirstRow, let emptyText {
      try buffer.append(emptyText, to: sink)
    } else {
      try begin()
      try buffer.append(footer, to: sink)
    }
    try buffer.flush(to: sink)
  }

  private func begin() throws {
    guard !hasBegun else { return }
    hasBegun = true
    try buffer.append(header, to: sink)
  }
}
