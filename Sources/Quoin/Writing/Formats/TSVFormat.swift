extension RowFormat {
  static let tsv = RowFormat(
    fileExtensions: ["tsv", "tab"], mediaType: "text/tab-separated-values; charset=utf-8"
  ) { headings, _, sink in
    TextRowWriter(
      .separated(
        by: "\t", headings,
        style: CellStyle(missing: .missingCell(amongColumns: headings.count)) { text, _ in
          text.replacing(controlsWith: " ")
        }),
      header: headings.map { $0.name.replacing(controlsWith: " ") }.joined(separator: "\t") + "\n", sink: sink)
  }
}
