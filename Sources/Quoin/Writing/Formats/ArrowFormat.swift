extension RowFormat {
  static let arrow = RowFormat(
    fileExtensions: ["arrow", "feather", "ipc"], mediaType: "application/vnd.apache.arrow.file"
  ) { headings, _, sink in ArrowRowWriter(headings, isFile: true, sink: sink) }

  static let arrowStream = RowFormat(
    fileExtensions: ["arrows"], mediaType: "application/vnd.apache.arrow.stream"
  ) { headings, _, sink in ArrowRowWriter(headings, isFile: false, sink: sink) }
}
