/// The first line of a CSV file: the delimiter, and the contents of each column.
struct CSVHeader: Sendable {
  let delimiter: UInt8
  let plan: ColumnPlan

  /// Reads the header from `line`, after a byte-order mark if there is one.
  init(_ line: TextView, file: String) throws(ImportError) {
    let text = Self.withoutMark(line)
    let tabCount = text.count { $0 == UInt8(ascii: "\t") }
    let commaCount = text.count { $0 == UInt8(ascii: ",") }
    delimiter = tabCount > commaCount ? UInt8(ascii: "\t") : UInt8(ascii: ",")
    let names = Self.names(text, CSVCells(delimiter: delimiter))
    plan = try ColumnPlan(names: names, header: ShownText.sanitized(text, byteCount: 200), file: file)
  }

  private static func names(_ text: TextView, _ cells: CSVCells) -> [String] {
    var names: [String] = []
    var start = 0
    while start <= text.count {
      let (content, end) = cells.cell(of: text, from: start)
      names.append(ShownText.sanitized(text[content], byteCount: 100))
      start = end + 1
    }
    return names
  }

  static func withoutMark(_ line: TextView) -> TextView {
    line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.part(from: 3) : line
  }
}
