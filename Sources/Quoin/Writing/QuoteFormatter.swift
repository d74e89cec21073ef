/// Writes batches of rows in one format and hands the bytes to a sink as it goes.
///
/// ```swift
/// let formatter = QuoteFormatter(.csv) { bytes in try bytes.withUnsafeBytes { try file.write($0) } }
/// for batch in batches { try formatter.append(batch) }
/// try formatter.finish()
/// ```
///
/// Numbers are in the shortest form that reads back as the same value. A missing cell is empty in CSV, TSV, Markdown
/// and the table, and `null` in JSON. An infinite price is `inf` or `-inf`; JSON has no such number, so there it is the
/// string `"inf"` or `"-inf"`. Memory stays bounded however many rows there are: one buffer of about 64 KiB, and for the
/// table its first 1,000 rows.
public final class QuoteFormatter {
  /// Takes the next bytes of the text, which are valid during the call.
  public typealias Sink = (RawSpan) throws -> Void

  private let columns: [Column]
  private var writer: any RowWriter

  /// A formatter of rows with these columns.
  ///
  /// - Parameters:
  ///   - format: the format of the text.
  ///   - columns: the columns, in this order.
  ///   - styled: whether the table's header is bold, by a terminal's escape sequence.
  ///   - sink: called with about 64 KiB at a time, and with the rest by `finish`.
  public init(
    _ format: OutputFormat, columns: [Column] = Column.all, styled: Bool = false, sink: @escaping Sink
  ) {
    self.columns = columns
    writer = format.makeWriter(columns.map(\.heading), layout: TableLayout(isStyled: styled), sink: sink)
  }

  /// Writes the batch's rows below those already written; the first call writes the header first.
  ///
  /// An attribute that the batch does not have is missing in each row. Complexity: O(rows x columns).
  ///
  /// - Throws: what the sink throws; the formatter can't be used then.
  public func append(_ batch: QuoteBatch) throws {
    guard batch.rowCount > 0 else { return }
    try writer.append(batch.cells(of: columns), rows: 0..<batch.rowCount)
  }

  /// Ends the text and hands the rest to the sink. Without any rows, header and footer stand alone.
  public func finish() throws { try writer.finish() }
}
