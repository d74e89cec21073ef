extension RowFormat {
  static let parquet = RowFormat(fileExtensions: ["parquet", "pq"], mediaType: "application/vnd.apache.parquet") {
    headings, _, sink in ParquetRowWriter(headings, sink: sink)
  }
}
