extension RowFormat {
  static let markdown = RowFormat(
    fileExtensions: ["md", "markdown"], mediaType: "text/markdown; charset=utf-8"
  ) { headings, _, sink in
    let style = CellStyle(escapesTickers: true) { text, _ in text.replacing(controlsWith: " ").asMarkdown }
    let literals = headings.indices.map { $0 == 0 ? "| " : " | " } + [" |\n"]
    return TextRowWriter(
      RowTemplate(headings, literals: literals, style: style),
      header: line(headings.map(\.name)) + line(headings.map { $0.isNumber ? "---:" : "---" }), sink: sink)
  }

  private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
}

extension String {
  /// The text with a backslash before each character that Markdown would take for markup. An underscore between letters or
  /// digits, as in `BRK_A`, is none.
  fileprivate var asMarkdown: String {
    let bytes = Array(utf8)
    var escaped: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isMarkup =
        byte == UInt8(ascii: "_")
        ? !(bytes.isWord(at: index - 1) && bytes.isWord(at: index + 1)) : Self.markup.contains(byte)
      if isMarkup { escaped.append(UInt8(ascii: "\\")) }
      escaped.append(byte)
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  private static let markup = Array("|\\`*[]<>&~".utf8)
}

extension [UInt8] {
  /// Whether there is a letter or a digit at `index`; other than ASCII counts as letters.
  fileprivate func isWord(at index: Int) -> Bool {
    guard indices.contains(index) else { return false }
    switch self[index] {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: return true
    default: return false
    }
  }
}
