/// The unchanging text of a row: the literals between which its cells stand.
///
/// A row is `literals[0] cell literals[1] cell ... literals.last`. Names before a cell and the quotes around a ticker or a
/// day are in the literals.
struct RowTemplate {
  private let headings: [ColumnHeading]
  private let style: CellStyle
  /// What stands between two rows.
  private let separator: Literal
  private let literals: [Literal]
  /// The bytes that must be free to write one row without its texts.
  private let byteCountMax: Int

  init(_ headings: [ColumnHeading], literals: [String], separator: String = "", style: CellStyle) {
    precondition(literals.count == headings.count + 1, "\(literals.count) literals for \(headings.count) cells")
    self.headings = headings
    self.style = style
    self.separator = Literal(separator)
    self.literals = literals.map { Literal($0) }
    byteCountMax =
      headings.count * DecimalFormatter.byteCountMax
      + self.literals.reduce(self.separator.byteCountMax) { $0 + $1.byteCountMax }
  }

  /// Writes some rows, the last one first when `isReversed`. `isFirst` says that no row has been written yet; it is
  /// updated. Traps when there isn't a column for each cell, or a column has fewer cells.
  func write(
    _ columns: [CellColumn], rows: Range<Int>, isReversed: Bool = false, isFirst: inout Bool,
    to buffer: inout TextBuffer
  ) throws {
    precondition(columns.count == headings.count, "\(columns.count) columns for \(headings.count) cells")
    let columns = style.formatted(columns, headings)
    let textColumns = columns.filter(\.isTexts)
    for index in rows {
      let row = isReversed ? rows.lowerBound + rows.upperBound - 1 - index : index
      let byteCountMax = textColumns.reduce(byteCountMax) { $0 + $1.textByteCount(row) }
      try buffer.append(upTo: byteCountMax) { out, start in
        var end = isFirst ? start : separator.write(to: &out, at: start)
        for index in columns.indices {
          end = literals[index].write(to: &out, at: end)
          end = style.write(columns[index], row: row, to: &out, at: end)
        }
        return literals[columns.count].write(to: &out, at: end)
      }
      isFirst = false
    }
  }
}

/// A text that is written often, as words of 16 bytes.
private struct Literal {
  private let first: UInt128
  private let byteCount: Int
  private let others: [UInt128]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    let words = stride(from: 0, to: bytes.count, by: 16).map { start in
      bytes[start...].prefix(16).reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }.littleEndian
    }
    (first, byteCount, others) = (words.first ?? 0, bytes.count, Array(words.dropFirst()))
  }

  /// The bytes that must be free to write it.
  var byteCountMax: Int { 16 * (1 + others.count) }

  @inline(__always)
  func write(to out: inout MutableRawSpan, at start: Int) -> Int {
    out.storeBytes(of: first, toByteOffset: start, as: UInt128.self)
    if byteCount > 16 { writeOthers(to: &out, at: start &+ 16) }
    return start &+ byteCount
  }

  @inline(never)
  private func writeOthers(to out: inout MutableRawSpan, at start: Int) {
    for (index, word) in others.enumerated() {
      out.storeBytes(of: word, toByteOffset: start + 16 * index, as: UInt128.self)
    }
  }
}
