/// Rows as the text of Quandl's answers, in chunks of about 64 KiB that can be taken as they fill up.
///
/// Volumes are floats (`1373400.0`), as Quandl's are, up to 2^53. In JSON missing cells and infinities are `null`, because
/// JSON has no infinities; in CSV a missing cell is empty.
package final class RowText {
  package enum Form: Sendable {
    /// `["2005-10-14",86.9]`, with commas between rows.
    case json
    /// `2005-10-14,86.9` and a line feed.
    case csv
  }

  /// The chunks that are full, oldest first.
  private final class Chunks {
    var full: [[UInt8]] = []
  }

  private let template: RowTemplate
  private let chunks = Chunks()
  private var buffer: TextBuffer
  private var isFirst = true

  /// - Parameter isText: for each column, whether its cells are texts (tickers, days), which JSON puts in quotes.
  package init(_ form: Form, isText: [Bool]) {
    let headings = isText.map { ColumnHeading("", $0 ? .word : .number) }
    template =
      switch form {
      case .json:
        .arrays(headings, style: CellStyle(missing: "null", infinity: .missing, writesVolumeAsFloat: true))
      case .csv: .separated(by: ",", headings, style: CellStyle(writesVolumeAsFloat: true))
      }
    let chunks = chunks
    buffer = TextBuffer { chunks.full.append(bytes(of: $0)) }
  }

  /// Appends a text that stands above or below rows.
  package func append(_ text: String) {
    // The sink doesn't throw.
    try? buffer.append(text)
  }

  /// Appends some rows, the last one first when `isReversed`. Traps when there isn't a column for each of `isText`, or a
  /// column has fewer cells.
  package func append(_ columns: [CellColumn], rows: Range<Int>, isReversed: Bool = false) {
    try? template.write(columns, rows: rows, isReversed: isReversed, isFirst: &isFirst, to: &buffer)
  }

  /// Makes the last chunk of the text that is left.
  package func finish() { try? buffer.flush() }

  /// Removes the oldest full chunk and returns it; nil when no chunk is full.
  package func takeChunk() -> [UInt8]? { chunks.full.isEmpty ? nil : chunks.full.removeFirst() }
}
