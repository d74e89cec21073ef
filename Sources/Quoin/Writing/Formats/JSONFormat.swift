extension RowFormat {
  static let json = RowFormat(
    fileExtensions: ["json"], mediaType: "application/json; charset=utf-8"
  ) { headings, _, sink in
    TextRowWriter(
      .objects(headings, end: "", separator: ",\n"), header: "[\n", footer: "\n]\n", emptyText: "[]\n", sink: sink)
  }

  static let ndjson = RowFormat(
    fileExtensions: ["ndjson", "jsonl"], mediaType: "application/x-ndjson"
  ) { headings, _, sink in
    TextRowWriter(.objects(headings, end: "\n", separator: ""), sink: sink)
  }
}

extension RowTemplate {
  /// `{"ticker":"FDX","date":"2005-10-14","open":86.9}`, and what ends or separates the rows.
  static func objects(_ headings: [ColumnHeading], end: String, separator: String) -> RowTemplate {
    RowTemplate(
      headings, literals: quoting(headings, open: "{", close: "}" + end) { $0.name.asJSONString + ":" },
      separator: separator, style: .json)
  }

  /// `["2005-10-14",86.9]`, separated by commas: a row of Quandl's JSON.
  static func arrays(_ headings: [ColumnHeading], style: CellStyle) -> RowTemplate {
    RowTemplate(
      headings, literals: quoting(headings, open: "[", close: "]") { _ in "" }, separator: ",", style: style)
  }

  /// The literals of a row of JSON, with `label` before each cell and the quotes around each word.
  private static func quoting(
    _ headings: [ColumnHeading], open: String, close: String, label: (ColumnHeading) -> String
  ) -> [String] {
    var literals = [open]
    for (index, heading) in headings.enumerated() {
      let quote = heading.kind == .word ? "\"" : ""
      literals[index] += (index > 0 ? "," : "") + label(heading) + quote
      literals.append(quote)
    }
    literals[headings.count] += close
    return literals
  }
}
