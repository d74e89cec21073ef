/// How the lines of a table are cut into cells.
enum CellLayout: Hashable, Sendable {
  /// At each sign, except in quotation marks.
  case delimited(UInt8)
  /// At spaces and tabs, however many.
  case spaces
  /// The price directives of Ledger, `P 2024-01-19 AAA $42.88`: the day, the ticker, the price.
  case ledger
  /// Those of Beancount, `2024-01-19 price AAA 42.88 USD`.
  case beancount

  /// The sign between cells.
  var delimiter: UInt8 { if case .delimited(let sign) = self { sign } else { UInt8(ascii: " ") } }

  /// Where the contents of a line's cells are.
  func cells(of line: TextView) -> [Range<Int>] {
    switch self {
    case .delimited(let sign):
      let cells = CSVCells(delimiter: sign)
      var (ranges, start) = ([Range<Int>](), 0)
      while start <= line.count {
        let (content, end) = cells.cell(of: line, from: start)
        ranges.append(content)
        start = end + 1
      }
      return ranges
    case .spaces: return Self.words(of: line).map { CSVCells.unquoted($0, of: line) }
    case .ledger: return Self.directive(line, day: 1, key: 0, "P")
    case .beancount: return Self.directive(line, day: 0, key: 1, "price")
    }
  }

  /// The words of a line; quotation marks keep one together.
  private static func words(of line: TextView) -> [Range<Int>] {
    var (ranges, start, isQuoted) = ([Range<Int>](), Int?.none, false)
    for (index, byte) in line.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      let isSpace = !isQuoted && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t"))
      if isSpace, let first = start { ranges.append(first..<index) }
      start = isSpace ? nil : start ?? index
    }
    if let start { ranges.append(start..<line.count) }
    return ranges
  }

  /// The day, the ticker and the price of a directive; no cells if the line is none.
  private static func directive(_ line: TextView, day: Int, key: Int, _ word: String) -> [Range<Int>] {
    let words = words(of: line)
    guard words.count >= 4, line.part(words[key]).elementsEqual(word.utf8) else { return [] }
    // A time may stand between the day and the ticker.
    let isTime = line.part(words[2]).contains(UInt8(ascii: ":"))
    let name = isTime ? 3 : 2
    guard words.count > name + 1 else { return [] }
    return [
      words[day], CSVCells.unquoted(words[name], of: line),
      words[name + 1].lowerBound..<words[words.count - 1].upperBound,
    ]
  }
}
