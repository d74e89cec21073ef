extension RowFormat {
  static let csv = RowFormat(fileExtensions: ["csv"], mediaType: "text/csv") { headings, _, sink in
    TextRowWriter(
      .separated(
        by: ",", headings,
        style: CellStyle(missing: .missingCell(amongColumns: headings.count)) { text, _ in text.asCSVCell }),
      header: headings.map(\.name.asCSVCell).joined(separator: ",") + "\n", sink: sink)
  }
}

extension RowTemplate {
  /// `FDX,2005-10-14,86.9`, and a line feed.
  static func separated(by separator: String, _ headings: [ColumnHeading], style: CellStyle) -> RowTemplate {
    let literals = headings.indices.map { $0 == 0 ? "" : separator } + ["\n"]
    return RowTemplate(headings, literals: literals, style: style)
  }
}

extension String {
  /// A missing cell of a row with so many cells. Alone it is in quotes: an empty line would be no row.
  static func missingCell(amongColumns count: Int) -> String { count == 1 ? "\"\"" : "" }

  /// In quotes when it has a comma, a quote or the end of a line (RFC 4180).
  fileprivate var asCSVCell: String {
    guard utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return self }
    return "\"\(replacing("\"", with: "\"\""))\""
  }
}
