extension RowTemplate {
  /// `FDX,2005-10-14,86.9`.
  static func separated(by separator: String, columnCount: Int, style: CellStyle = .plain) -> RowTemplate {
    let pieces = (0..<columnCount).map { $0 == 0 ? "" : separator } + ["\n"]
    return RowTemplate(pieces: pieces, style: style)
  }

  /// `| FDX | 2005-10-14 | 86.9 |`. An underscore inside a word, as in `BRK_A`, is no markup.
  static func markdown(_ columns: [OutputColumn]) -> RowTemplate {
    let pieces = columns.indices.map { $0 == 0 ? "| " : " | " } + [" |\n"]
    return RowTemplate(pieces: pieces, style: .plain)
  }

  /// `{"ticker":"FDX","date":"2005-10-14","open":86.9}`, each ended or separated by a line feed.
  static func objects(_ columns: [OutputColumn], end: String, separator: String) -> RowTemplate {
    var pieces: [String] = []
    var quote = ""  // of the cell before
    for (index, column) in columns.enumerated() {
      let nextQuote = column.isNumber ? "" : "\""
      pieces.append("\(quote)\(index == 0 ? "{" : ",")\"\(column.name)\":\(nextQuote)")
      quote = nextQuote
    }
    pieces.append((columns.isEmpty ? "{" : quote) + "}" + end)
    return RowTemplate(pieces: pieces, separator: separator, style: .json)
  }

  /// `["2005-10-14",86.9]`, separated by commas: a row of Quandl's JSON. `isText` says which cells are in quotes.
  static func arrays(isText: [Bool], style: CellStyle) -> RowTemplate {
    var pieces: [String] = []
    var quote = ""  // of the cell before
    for isText in isText {
      let nextQuote = isText ? "\"" : ""
      pieces.append("\(quote)\(pieces.isEmpty ? "[" : ",")\(nextQuote)")
      quote = nextQuote
    }
    pieces.append((pieces.isEmpty ? "[" : quote) + "]")
    return RowTemplate(pieces: pieces, separator: ",", style: style)
  }
}
