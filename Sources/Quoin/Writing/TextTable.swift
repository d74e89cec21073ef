/// Aligned columns for a terminal: a header, a rule, then rows; numbers stand with their points below each other.
///
/// The first rows are held back to find the widths (the header's included); later rows keep them, and a cell that is
/// wider shifts the rest of its line.
struct TextTable {
  private let columns: [OutputColumn]
  private let styled: Bool
  private let cells = CellWriter(.plain)
  /// The cells that are held back, row by row, one after the other; and where each ends.
  private var heldBytes: [UInt8] = []
  private var heldEnds: [Int] = []
  private var widths: [Width]
  private var hasBegun = false

  /// A column's width in characters: of the cell up to its point, and from its point on.
  private struct Width {
    var whole = 0
    var fraction = 0
    var total: Int { whole + fraction }
  }

  init(_ columns: [OutputColumn], styled: Bool) {
    self.columns = columns
    self.styled = styled
    widths = columns.map { _ in Width() }
  }

  mutating func append(_ batch: QuoteBatch, into buffer: inout TextBuffer, sink: QuoteFormatter.Sink) throws {
    let cells = batch.columns.cells(of: columns, tickers: batch.tickerValues)
    try unsafe cells.withSources(rowCount: batch.rowCount) { sources in
      for row in 0..<batch.rowCount {
        unsafe hold(sources, row: row)
        if hasBegun || heldEnds.count >= Limits.tableMeasuredRowCount * columns.count {
          try release(into: &buffer, sink: sink)
        }
      }
    }
  }

  mutating func finish(into buffer: inout TextBuffer, sink: QuoteFormatter.Sink) throws {
    try release(into: &buffer, sink: sink)
  }

  private mutating func hold(_ sources: [CellSource], row: Int) {
    for column in columns.indices {
      let start = heldBytes.count
      heldBytes.append(contentsOf: repeatElement(0, count: DecimalFormatter.byteCountMax))
      let byteCount = unsafe heldBytes.withUnsafeMutableBytes { bytes in
        guard let out = unsafe bytes.baseAddress.map({ unsafe $0 + start }) else { return 0 }
        return unsafe cells.write(sources[column], row: row, to: out) - out
      }
      heldBytes.removeLast(DecimalFormatter.byteCountMax - byteCount)
      heldEnds.append(heldBytes.count)
    }
  }

  /// Writes the rows held back, before the first of them the header.
  private mutating func release(into buffer: inout TextBuffer, sink: QuoteFormatter.Sink) throws {
    if !hasBegun {
      hasBegun = true
      measure()
      try buffer.append(header, to: sink)
    }
    var start = 0
    var line: [UInt8] = []
    for (index, end) in heldEnds.enumerated() {
      let column = index % columns.count
      append(heldBytes[start..<end], ofColumn: column, to: &line)
      start = end
      if column == columns.count - 1 {
        Self.endLine(&line)
        try buffer.append(line, to: sink)
        line.removeAll(keepingCapacity: true)
      }
    }
    heldBytes.removeAll(keepingCapacity: true)
    heldEnds.removeAll(keepingCapacity: true)
  }

  private mutating func measure() {
    var start = 0
    for (index, end) in heldEnds.enumerated() {
      let column = index % columns.count
      let split = split(heldBytes[start..<end], ofColumn: column)
      widths[column].whole = max(widths[column].whole, split.whole)
      widths[column].fraction = max(widths[column].fraction, split.fraction)
      start = end
    }
    for (index, column) in columns.enumerated() {
      widths[index].whole = max(widths[index].whole, column.name.utf8.count - widths[index].fraction)
    }
  }

  private func split(_ cell: ArraySlice<UInt8>, ofColumn column: Int) -> Width {
    guard columns[column].isNumber, let point = cell.firstIndex(of: UInt8(ascii: ".")) else {
      return Width(whole: cell.count, fraction: 0)
    }
    return Width(whole: point - cell.startIndex, fraction: cell.endIndex - point)
  }

  /// Numbers stand to the right of their column, with room for the longest fraction; texts stand to the left.
  private func append(_ cell: ArraySlice<UInt8>, ofColumn column: Int, to line: inout [UInt8]) {
    let split = split(cell, ofColumn: column)
    let width = widths[column]
    let (before, after) =
      columns[column].isNumber
      ? (width.whole - split.whole, width.fraction - split.fraction) : (0, width.total - split.total)
    if column > 0 { Self.pad(&line, 2) }
    Self.pad(&line, before)
    line.append(contentsOf: cell)
    Self.pad(&line, after)
  }

  private var header: [UInt8] {
    var names: [UInt8] = []
    var rule: [UInt8] = []
    for (index, column) in columns.enumerated() {
      if index > 0 {
        Self.pad(&names, 2)
        Self.pad(&rule, 2)
      }
      let padding = widths[index].total - column.name.utf8.count
      if column.isNumber { Self.pad(&names, padding) }
      names.append(contentsOf: column.name.utf8)
      if !column.isNumber { Self.pad(&names, padding) }
      rule.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: widths[index].total))
    }
    Self.endLine(&names)
    rule.append(UInt8(ascii: "\n"))
    return styled ? Array("\u{1b}[1m".utf8) + names.dropLast() + Array("\u{1b}[0m\n".utf8) + rule : names + rule
  }

  private static func pad(_ line: inout [UInt8], _ count: Int) {
    line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, count)))
  }

  private static func endLine(_ line: inout [UInt8]) {
    while line.last == UInt8(ascii: " ") { line.removeLast() }
    line.append(UInt8(ascii: "\n"))
  }
}
