/// Cuts a line of CSV into cells.
///
/// A cell ends at the delimiter or at the line's end. Spaces around it don't count. A cell that begins with a quotation mark
/// ends at the next single quotation mark, and delimiters inside belong to it. Line breaks never belong to a cell.
struct CSVCells {
  let delimiter: UInt8

  /// The cell that starts at `start`: the range of its content, and the index of its delimiter (or of the line's end).
  func cell(of line: TextView, from start: Int) -> (content: Range<Int>, end: Int) {
    var first = start
    while first < line.count, isSpace(line[first]) { first += 1 }
    // Excel writes ="0700" for a text that looks like a number.
    if first + 1 < line.count, line[first] == UInt8(ascii: "="), line[first + 1] == Self.quote { first += 1 }
    if first < line.count, line[first] == Self.quote,
      let quoted = quotedCell(of: line, openedAt: first)
    {
      return quoted
    }
    var end = first
    while end < line.count, line[end] != delimiter { end += 1 }
    return (trimmed(first..<end, of: line), end)
  }

  /// The quoted cell, or nil if the closing quotation mark is missing or is followed by something other than a delimiter.
  private func quotedCell(of line: TextView, openedAt open: Int) -> (content: Range<Int>, end: Int)? {
    guard let close = closingQuote(of: line, openedAt: open) else { return nil }
    var end = close + 1
    while end < line.count, isSpace(line[end]) { end += 1 }
    guard end == line.count || line[end] == delimiter else { return nil }
    var first = open + 1
    while first < close, isSpace(line[first]) { first += 1 }
    let content = trimmed(first..<close, of: line)
    // The same of Excel's, in quotation marks: "=""0700""".
    let text = line.part(content)
    if text.starts(with: Array("=\"\"".utf8)), text.count >= 5, text[text.count - 1] == Self.quote,
      text[text.count - 2] == Self.quote
    {
      return ((content.lowerBound + 3)..<(content.upperBound - 2), end)
    }
    return (content, end)
  }

  private func closingQuote(of line: TextView, openedAt open: Int) -> Int? {
    var index = open + 1
    while index < line.count {
      if line[index] == Self.quote {
        guard index + 1 < line.count, line[index + 1] == Self.quote else { return index }
        index += 1
      }
      index += 1
    }
    return nil
  }

  private func trimmed(_ range: Range<Int>, of line: TextView) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, isSpace(line[end - 1]) { end -= 1 }
    return range.lowerBound..<end
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") && delimiter != byte
  }

  /// A range without the quotation marks around it.
  static func unquoted(_ range: Range<Int>, of line: TextView) -> Range<Int> {
    guard range.count >= 2, line[range.lowerBound] == quote, line[range.upperBound - 1] == quote else { return range }
    return (range.lowerBound + 1)..<(range.upperBound - 1)
  }

  private static let quote = UInt8(ascii: "\"")
}
