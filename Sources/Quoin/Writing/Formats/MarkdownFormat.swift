extension RowFormat {
  static let markdown = RowFormat(
    fileExtensions: ["md", "markdown"], mediaType: "text/markdown; charset=utf-8"
  ) { headings, _, sink in
    // An underscore inside a word, as in `BRK_A`, is no markup.
    let style = CellStyle { text, _ in text.replacing(controlsWith: " ").replacing("|", with: "\\|") }
    let literals = headings.indices.map { $0 == 0 ? "| " : " | " } + [" |\n"]
    return TextRowWriter(
      RowTemplate(headings, literals: literals, style: style),
      header: line(headings.map(\.name)) + line(headings.map { $0.isNumber ? "---:" : "---" }), sink: sink)
  }

  private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
}
