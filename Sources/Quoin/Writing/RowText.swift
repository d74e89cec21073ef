/// Rows as the text of Quandl's answers, in pieces of about 64 KiB that are taken away as they get full.
///
/// Volumes are floats (`1373400.0`), as Quandl's are, up to 2^53. In JSON a missing cell is `null`, and so is an infinity,
/// for JSON has no such number; in CSV a missing cell is empty.
package final class RowText {
  package enum Form: Sendable {
    /// `["2005-10-14",86.9]`, with commas between rows.
    case json
    /// `2005-10-14,86.9` and a line feed.
    case csv
  }

  private let template: RowTemplate
  private var buffer: TextBuffer
  private var isFirst = true
  private var pieces: [[UInt8]] = []

  /// - Parameter isText: for each column, whether its cells are texts (tickers, days), which JSON puts in quotes.
  package init(_ form: Form, isText: [Bool]) {
    template =
      switch form {
      case .json:
        .arrays(isText: isText, style: CellStyle(missing: "null", infinity: .missing, writesVolumeAsFloat: true))
      case .csv: .separated(by: ",", columnCount: isText.count, style: CellStyle(writesVolumeAsFloat: true))
      }
    buffer = template.makeBuffer()
  }

  /// Appends a text that stands before or behind rows.
  package func append(_ text: String) {
    // The sink throws nothing.
    try? buffer.append(text, to: keep)
  }

  /// Appends some rows, the last one first when `isReversed`. Traps when there are not as many columns as announced, or a
  /// column has fewer cells.
  package func append(_ columns: [CellColumn], rows: Range<Int>, isReversed: Bool = false) {
    try? template.write(columns, rows: rows, isReversed: isReversed, isFirst: &isFirst, into: &buffer, sink: keep)
  }

  /// Makes a last piece of what is left.
  package func finish() { try? buffer.flush(to: keep) }

  /// The piece that got full first, which it gives away; nil when none is full.
  package func takePiece() -> [UInt8]? { pieces.isEmpty ? nil : pieces.removeFirst() }

  private func keep(_ bytes: RawSpan) {
    pieces.append(unsafe bytes.withUnsafeBytes { unsafe Array($0) })
  }
}
