/// What has to be done to the bytes of a text before its lines can be read: almost always nothing.
struct TextForm {
  enum Encoding {
    case utf8
    case utf16(isBigEndian: Bool)
  }

  private(set) var encoding = Encoding.utf8
  /// Whether a carriage return alone ends a line, as on old Macs.
  private(set) var endsLinesWithReturns = false
  /// Whether a line feed in quotation marks belongs to its cell.
  var joinsQuotedLines = false

  private var isInQuotes = false
  /// The bytes of a character in UTF-16 whose end hasn't been read yet.
  private var rest: [UInt8] = []

  /// The form of a text that begins with these bytes: at least a line, or very many bytes.
  init(of beginning: [UInt8]) {
    if let isBigEndian = Self.byteOrder(of: beginning) { encoding = .utf16(isBigEndian: isBigEndian) }
    var text = beginning
    if case .utf16 = encoding {
      var form = self
      text = form.decoded(beginning)
    }
    endsLinesWithReturns = !text.contains(UInt8(ascii: "\n")) && text.contains(UInt8(ascii: "\r"))
  }

  var isPlain: Bool {
    if case .utf8 = encoding { return !endsLinesWithReturns && !joinsQuotedLines }
    return false
  }

  var isUTF8: Bool { if case .utf8 = encoding { true } else { false } }

  /// Whether UTF-16's bytes begin with the high one; nil for another encoding. It has a mark, or a zero in every second byte.
  private static func byteOrder(of bytes: [UInt8]) -> Bool? {
    if bytes.starts(with: [0xFF, 0xFE]) { return bytes.dropFirst(2).starts(with: [0, 0]) ? nil : false }
    if bytes.starts(with: [0xFE, 0xFF]) { return true }
    guard bytes.count >= 4 else { return nil }
    let zeros = bytes.prefix(4).map { $0 == 0 }
    return zeros == [false, true, false, true] ? false : zeros == [true, false, true, false] ? true : nil
  }

  /// More bytes of the text, in UTF-8 and with line feeds.
  mutating func decoded(_ bytes: [UInt8]) -> [UInt8] {
    guard case .utf16(let isBigEndian) = encoding else { return bytes }
    let all = rest + bytes
    var units: [UInt16] = []
    units.reserveCapacity(all.count / 2)
    for index in stride(from: 0, to: all.count - 1, by: 2) {
      let (high, low) = isBigEndian ? (all[index], all[index + 1]) : (all[index + 1], all[index])
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    rest = Array(all[(units.count * 2)...])
    // The first half of a pair waits for the second.
    if let last = units.last, UTF16.isLeadSurrogate(last) {
      units.removeLast()
      rest = Array(all[(units.count * 2)...])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The byte that takes the place of the text's next one.
  mutating func normalized(_ byte: UInt8) -> UInt8 {
    if endsLinesWithReturns, byte == UInt8(ascii: "\r") { return normalized(lineFeed: UInt8(ascii: "\n")) }
    if byte == UInt8(ascii: "\n") { return normalized(lineFeed: byte) }
    if joinsQuotedLines, byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
    return byte
  }

  private func normalized(lineFeed byte: UInt8) -> UInt8 {
    joinsQuotedLines && isInQuotes ? QuotedLineBreak.sign : byte
  }
}

/// A line break in quotation marks, which belongs to its cell.
enum QuotedLineBreak {
  /// What takes its place: a vertical tab.
  static let sign: UInt8 = 0x0B

  /// Whether the lines of a table have such breaks: whether the first line with an open quotation mark and the next ones, up to the mark that
  /// closes it, are a row of so many cells.
  static func areIn(_ text: TextView, _ layout: CellLayout, columnCount: Int) -> Bool {
    guard case .delimited = layout, text.has(UInt8(ascii: "\"")) else { return false }
    var (start, open, lineCount) = (0, [UInt8](), 0)
    while start < text.count {
      let end = text.lineEnd(from: start)
      let line = text.part(start..<end)
      let isOdd = line.count { $0 == UInt8(ascii: "\"") } % 2 == 1
      if !open.isEmpty || isOdd {
        open += (open.isEmpty ? [] : [sign]) + Array(line)
        lineCount += 1
        if isOdd, lineCount > 1 { return abs(open.withText { layout.cells(of: $0).count } - columnCount) <= 1 }
        if lineCount > 100 { return false }
      }
      start = end + 1
    }
    return false
  }
}
