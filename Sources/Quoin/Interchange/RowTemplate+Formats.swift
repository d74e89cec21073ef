extension RowTemplate {
  /// `FDX,2005-10-14,86.9`.
  static func separated(by separator: String, _ columns: [OutputColumn]) -> RowTemplate {
    let pieces = columns.indices.map { $0 == 0 ? "" : separator } + ["\n"]
    return RowTemplate(columns, pieces: pieces, style: .plain)
  }

  /// `| FDX | 2005-10-14 | 86.9 |`. An underscore inside a word, as in `BRK_A`, is no markup.
  static func markdown(_ columns: [OutputColumn]) -> RowTemplate {
    let pieces = columns.indices.map { $0 == 0 ? "| " : " | " } + [" |\n"]
    return RowTemplate(columns, pieces: pieces, style: .plain)
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
    return RowTemplate(columns, pieces: pieces, separator: separator, style: .json)
  }

  /// `["2005-10-14",86.9]`, a row of a Quandl dataset. The first column is the date.
  static func datasetRow(_ attributes: [AttributeName]) -> RowTemplate {
    let values = attributes.indices.map { $0 == 0 ? "\"," : "," }
    let pieces = ["[\""] + values + [attributes.isEmpty ? "\"]" : "]"]
    let columns = [.date] + attributes.map { OutputColumn.attribute($0) }
    return RowTemplate(columns, pieces: pieces, separator: ",", style: .dataset)
  }
}
