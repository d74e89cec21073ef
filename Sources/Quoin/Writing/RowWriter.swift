/// Writes rows in one output format.
///
/// Rows come as columns, so that a columnar format needs no detour. A format whose rows are text between fixed literals is a
/// `TextRowWriter`.
package protocol RowWriter {
  /// Writes rows below those already written. Traps when there isn't a column for each heading, or a column has fewer
  /// cells.
  ///
  /// - Throws: what the sink throws; the writer can't be used then.
  mutating func append(_ columns: [CellColumn], rows: Range<Int>) throws

  /// Writes what follows the last row, and hands the rest to the sink. Nothing may be appended after it.
  mutating func finish() throws
}

/// An output format: the names of its files, and what writes its rows.
struct RowFormat: Sendable {
  /// The file name extensions that stand for the format, in lower case.
  let fileExtensions: [String]
  /// The media type of an HTTP response in this format.
  let mediaType: String
  /// Makes a writer of rows with these columns.
  let makeWriter: @Sendable ([ColumnHeading], TableLayout, @escaping QuoteFormatter.Sink) -> any RowWriter
}

/// Writes rows whose cells stand between fixed literals, one row after the other.
struct TextRowWriter: RowWriter {
  private let template: RowTemplate
  private let header: String
  private let footer: String
  /// The whole text when there are no rows.
  private let emptyText: String
  private var buffer: TextBuffer
  private var isFirst = true

  /// - Parameter emptyText: the whole text when there are no rows; nil for header and footer.
  init(
    _ template: RowTemplate, header: String = "", footer: String = "", emptyText: String? = nil,
    sink: @escaping QuoteFormatter.Sink
  ) {
    self.template = template
    (self.header, self.footer, self.emptyText) = (header, footer, emptyText ?? header + footer)
    buffer = TextBuffer(sink: sink)
  }

  mutating func append(_ columns: [CellColumn], rows: Range<Int>) throws {
    guard !rows.isEmpty else { return }
    if isFirst { try buffer.append(header) }
    try template.write(columns, rows: rows, isFirst: &isFirst, to: &buffer)
  }

  mutating func finish() throws {
    try buffer.append(isFirst ? emptyText : footer)
    try buffer.flush()
  }
}
