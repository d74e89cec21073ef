/// How a table for a terminal is laid out.
package struct TableLayout: Sendable {
  /// Whether the header is bold, by a terminal's escape sequence.
  var isStyled = false
  /// Whether the points of a column's numbers stand below each other; otherwise their last digits do.
  var alignsPoints = true
  /// The rows that are held back to find the widths of the columns.
  var measuredRowCount = Limits.tableMeasuredRowCount

  /// How many characters a line may have, nil for any number. The last columns are left out if they don't fit, and named below.
  package var width: Int?
  /// How many digits numbers have after the point; nil for as few as read back as the same value.
  package var digitCount: Int?
  /// Whether the thousands of numbers are separated.
  package var groupsThousands = false

  package init(isStyled: Bool = false) { self.isStyled = isStyled }

  /// The layout of a short list: every row counts for the widths.
  package static func list(isStyled: Bool) -> TableLayout {
    var layout = TableLayout(isStyled: isStyled)
    layout.becomeList()
    return layout
  }

  package mutating func becomeList() { (alignsPoints, measuredRowCount) = (false, .max) }

  /// The cells as this layout writes numbers.
  func formatted(_ column: CellColumn, _ heading: ColumnHeading) -> CellColumn {
    guard heading.isNumber, digitCount != nil || groupsThousands else { return column }
    switch column.withWholeShares {
    case .doubles(let values): return .texts(values.map { $0.isNaN ? "" : text($0) })
    case .shares(let values): return .texts(values.map { $0.isNaN ? "" : text($0) })
    case .integers(let values):
      return .texts(values.map { $0 == .missing ? "" : groupsThousands ? $0.grouped : "\($0)" })
    // A whole number stays one.
    case .texts(let texts):
      return .texts(
        texts.map { text in
          guard let text else { return "" }
          if let whole = Int(text) { return groupsThousands ? whole.grouped : text }
          return Double(text).map(self.text) ?? text
        })
    case .tickers, .days, .absent: return column
    }
  }

  private func text(_ value: Double) -> String {
    if let digitCount { return value.isFinite ? value.fixed(digitCount, grouped: groupsThousands) : "\(value)" }
    return "\(value)".groupingThousands
  }
}

/// Aligned columns for a terminal: a header, a rule, then rows. Texts stand at the left of their column, numbers at the
/// right.
///
/// The first rows are held back to find the widths (the header's included). Later rows keep these widths, and a cell that is
/// wider shifts the rest of its line.
struct TextTable: RowWriter {
  private let headings: [ColumnHeading]
  private let layout: TableLayout
  private let style = CellStyle { text, _ in text.replacing(controlsWith: "?") }
  private var buffer: TextBuffer
  /// The cells that are held back, row by row, one after the other; and where each ends.
  private var held = GrowingText()
  private var heldEnds: [Int] = []
  private var heldRowCount = 0
  private var widths: [Width]
  private var hasBegun = false
  /// How many columns fit the width.
  private var shownCount: Int

  /// A column's width in characters: of the cell up to its point, and from its point on.
  private struct Width {
    var whole = 0
    var fraction = 0
    var total: Int { whole + fraction }
  }

  init(_ headings: [ColumnHeading], _ layout: TableLayout, sink: @escaping QuoteFormatter.Sink) {
    (self.headings, self.layout) = (headings, layout)
    buffer = TextBuffer(sink: sink)
    widths = headings.map { _ in Width() }
    shownCount = headings.count
  }

  mutating func append(_ columns: [CellColumn], rows: Range<Int>) throws {
    precondition(columns.count == headings.count, "\(columns.count) columns for \(headings.count) headings")
    let columns = style.formatted(zip(columns, headings).map { layout.formatted($0, $1) }, headings)
    for row in rows {
      hold(columns, row: row)
      if hasBegun || heldRowCount >= layout.measuredRowCount { try release() }
    }
  }

  mutating func finish() throws {
    try release()
    let left = headings[shownCount...].map(\.name)
    if !left.isEmpty { try buffer.append("\(left.count.of("more column")): \(left.joined(separator: ", "))\n") }
    try buffer.flush()
  }

  private mutating func hold(_ columns: [CellColumn], row: Int) {
    for column in columns {
      held.append(upTo: max(DecimalFormatter.byteCountMax, column.textByteCount(row))) { out, start in
        style.write(column, row: row, to: &out, at: start)
      }
      heldEnds.append(held.byteCount)
    }
    heldRowCount += 1
  }

  /// Writes the rows held back, and the header above the first of them.
  private mutating func release() throws {
    if !hasBegun {
      hasBegun = true
      measure()
      try buffer.append(header[...])
    }
    var line: [UInt8] = []
    for (column, cell) in heldCells() where column < shownCount {
      append(cell, ofColumn: column, to: &line)
      if column == shownCount - 1 {
        Self.endLine(&line)
        try buffer.append(line[...])
        line.removeAll(keepingCapacity: true)
      }
    }
    held.removeAll()
    heldEnds.removeAll(keepingCapacity: true)
    heldRowCount = 0
  }

  /// The cells that are held back, each with the index of its column.
  private func heldCells() -> some Sequence<(column: Int, cell: ArraySlice<UInt8>)> {
    heldEnds.indices.lazy.map { [heldEnds, headings, bytes = held.bytes] index in
      (index % headings.count, bytes[(index > 0 ? heldEnds[index - 1] : 0)..<heldEnds[index]])
    }
  }

  private mutating func measure() {
    for (column, cell) in heldCells() {
      let split = split(cell, ofColumn: column)
      widths[column].whole = max(widths[column].whole, split.whole)
      widths[column].fraction = max(widths[column].fraction, split.fraction)
    }
    for (index, heading) in headings.enumerated() {
      widths[index].whole = max(widths[index].whole, heading.name.count - widths[index].fraction)
    }
    if let width = layout.width { shownCount = columnCount(fitting: width) }
  }

  /// How many columns fit a line; the first one is shown in any case.
  private func columnCount(fitting width: Int) -> Int {
    var (count, taken) = (0, 0)
    for column in widths {
      taken += column.total + (count > 0 ? 2 : 0)
      if taken > width, count > 0 { break }
      count += 1
    }
    return count
  }

  private func split(_ cell: ArraySlice<UInt8>, ofColumn column: Int) -> Width {
    guard headings[column].isNumber, layout.alignsPoints, let point = cell.firstIndex(of: UInt8(ascii: ".")) else {
      return Width(whole: cell.characterCount, fraction: 0)
    }
    return Width(whole: point - cell.startIndex, fraction: cell.endIndex - point)
  }

  private func append(_ cell: ArraySlice<UInt8>, ofColumn column: Int, to line: inout [UInt8]) {
    let split = split(cell, ofColumn: column)
    let width = widths[column]
    let (before, after) =
      headings[column].isNumber
      ? (width.whole - split.whole, width.fraction - split.fraction) : (0, width.total - split.total)
    if column > 0 { Self.pad(&line, 2) }
    Self.pad(&line, before)
    line.append(contentsOf: cell)
    Self.pad(&line, after)
  }

  private var header: [UInt8] {
    var names: [UInt8] = []
    var rule: [UInt8] = []
    for (index, heading) in headings.prefix(shownCount).enumerated() {
      if index > 0 {
        Self.pad(&names, 2)
        Self.pad(&rule, 2)
      }
      let padding = widths[index].total - heading.name.count
      if heading.isNumber { Self.pad(&names, padding) }
      names.append(contentsOf: heading.name.utf8)
      if !heading.isNumber { Self.pad(&names, padding) }
      rule.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: widths[index].total))
    }
    Self.endLine(&names)
    rule.append(UInt8(ascii: "\n"))
    return layout.isStyled
      ? Array("\u{1b}[1m".utf8) + names.dropLast() + Array("\u{1b}[0m\n".utf8) + rule : names + rule
  }

  private static func pad(_ line: inout [UInt8], _ count: Int) {
    line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, count)))
  }

  private static func endLine(_ line: inout [UInt8]) {
    while line.last == UInt8(ascii: " ") { line.removeLast() }
    line.append(UInt8(ascii: "\n"))
  }
}

extension ArraySlice<UInt8> {
  /// How many characters this UTF-8 has.
  fileprivate var characterCount: Int {
    allSatisfy { $0 < 0x80 } ? count : String(decoding: self, as: UTF8.self).count
  }
}
