extension RowFormat {
  static let table = RowFormat(
    fileExtensions: [], mediaType: "text/plain; charset=utf-8"
  ) { headings, layout, sink in
    TextTable(headings, layout, sink: sink)
  }
}
