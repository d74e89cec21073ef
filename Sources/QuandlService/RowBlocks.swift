import Quoin

/// Rows of an answer, written 1,024 at a time.
struct RowBlocks {
  private let columns: [CellColumn]
  private var rest: Range<Int>
  private let isReversed: Bool

  private static let rowsPerBlock = 1024

  /// No rows.
  init() { self.init([], rows: 0..<0) }

  /// Some rows of these columns, in reverse order if `isReversed`.
  init(_ columns: [CellColumn], rows: Range<Int>, isReversed: Bool = false) {
    self.columns = columns
    rest = rows
    self.isReversed = isReversed
  }

  /// Appends the next rows to a text; returns false at the end.
  mutating func write(to text: RowText) -> Bool {
    guard !rest.isEmpty else { return false }
    let next = isReversed ? rest.suffix(Self.rowsPerBlock) : rest.prefix(Self.rowsPerBlock)
    text.append(columns, rows: next, isReversed: isReversed)
    rest = isReversed ? rest.dropLast(next.count) : rest.dropFirst(next.count)
    return true
  }
}
