/// Rows as the text of Quandl's answers or of a page, in chunks of about 64 KiB that can be taken as they fill up.
///
/// Volumes are floats (`1373400.0`), as Quandl's are, up to 2^53. In JSON missing cells and infinities are `null`, because
/// JSON has no infinities, and `nil` in XML; in CSV a missing cell is empty.
package final class RowText {
  package enum Form: Sendable {
    /// `["2005-10-14",86.9]`, with commas between rows.
    case json
    /// `2005-10-14,86.9` and a line feed; `""` for a missing cell alone.
    case csv
    /// `<datum type="date">2005-10-14</datum><datum type="float">86.9</datum>` inside a `datum`.
    case xml
    /// `<tr><td>2005-10-14</td><td class="number">86.9</td></tr>` and a line feed.
    case html
  }

  /// The chunks that are full, oldest first.
  private final class Chunks {
    var full: [[UInt8]] = []
  }

  private let form: Form
  private let template: RowTemplate
  private let chunks = Chunks()
  private var buffer: TextBuffer
  private var isFirst = true

  /// - Parameter isText: for each column, whether its cells are texts (tickers, days), which JSON puts in quotes.
  package init(_ form: Form, isText: [Bool]) {
    let headings = isText.map { ColumnHeading("", $0 ? .word : .number) }
    self.form = form
    template =
      switch form {
      case .json:
        .arrays(headings, style: CellStyle(missing: "null", infinity: .missing, writesVolumeAsFloat: true))
      case .csv:
        .separated(
          by: ",", headings,
          style: CellStyle(missing: .missingCell(amongColumns: headings.count), writesVolumeAsFloat: true))
      // The cells, which `appendXML` puts into elements.
      case .xml: .separated(by: ",", headings, style: CellStyle(infinity: .missing, writesVolumeAsFloat: true))
      case .html: .elements(headings)
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
  /// column has fewer cells; of no rows there may be no columns.
  package func append(_ columns: [CellColumn], rows: Range<Int>, isReversed: Bool = false) {
    if rows.isEmpty { return }
    guard form != .xml else { return appendXML(columns, rows: rows, isReversed: isReversed) }
    try? template.write(columns, rows: rows, isReversed: isReversed, isFirst: &isFirst, to: &buffer)
  }

  private func appendXML(_ columns: [CellColumn], rows: Range<Int>, isReversed: Bool) {
    let tags = columns.map { column in
      switch column {
      case .days: #"<datum type="date">"#
      case .tickers, .texts: "<datum>"
      case .doubles, .shares, .integers, .absent: #"<datum type="float">"#
      }
    }
    let lines = Chunks()
    var text = TextBuffer { lines.full.append(bytes(of: $0)) }
    try? template.write(columns, rows: rows, isReversed: isReversed, isFirst: &isFirst, to: &text)
    try? text.flush()
    for line in lines.full.joined().split(separator: UInt8(ascii: "\n")) {
      let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      let data = zip(tags, cells).map { tag, cell in
        cell.isEmpty ? #"<datum nil="true"/>"# : tag + String(decoding: cell, as: UTF8.self).xmlEscaped + "</datum>"
      }
      append(#"<datum type="array">"# + data.joined() + "</datum>")
    }
  }

  /// Makes the last chunk of the text that is left.
  package func finish() { try? buffer.flush() }

  /// Removes the oldest full chunk and returns it; nil when no chunk is full.
  package func takeChunk() -> [UInt8]? { chunks.full.isEmpty ? nil : chunks.full.removeFirst() }
}

extension RowTemplate {
  /// The rows of a table.
  fileprivate static func elements(_ headings: [ColumnHeading]) -> RowTemplate {
    let starts = headings.enumerated().map { index, heading in
      (index == 0 ? "<tr>" : "</td>") + (heading.isNumber ? "<td class=\"number\">" : "<td>")
    }
    return RowTemplate(
      headings, literals: starts + ["</td></tr>\n"],
      style: CellStyle(escapesTickers: true) { text, _ in text.xmlEscaped })
  }
}

extension String {
  /// The text as the contents of an XML element.
  package var xmlEscaped: String {
    guard utf8.contains(where: { "&<>".utf8.contains($0) }) else { return self }
    return replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
