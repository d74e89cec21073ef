/// The formats in which rows are written.
public enum OutputFormat: String, CaseIterable, Hashable, Sendable {
  /// A header and comma-separated cells; with all columns, exactly the form of a WIKI bulk file.
  case csv
  /// A header and tab-separated cells.
  case tsv
  /// One array of objects, each on a line of its own.
  case json
  /// One object per line.
  case ndjson
  /// A Markdown table.
  case markdown
  /// Aligned columns for a terminal.
  case table
  /// A file of Arrow (Feather 2), as Polars, pandas, pyarrow, R and DuckDB read it by its path. Its bytes are no text.
  case arrow
  /// A stream of Arrow's record batches, as a program reads it from a pipe. Its bytes are no text.
  case arrows
  /// A file of Parquet, which nearly every program that reads tables reads. Its bytes are no text.
  case parquet

  /// All that differs from format to format. A new format is a `RowFormat` in a file of its own, and a case with its
  /// line here.
  private var rows: RowFormat {
    switch self {
    case .csv: .csv
    case .tsv: .tsv
    case .json: .json
    case .ndjson: .ndjson
    case .markdown: .markdown
    case .table: .table
    case .arrow: .arrow
    case .arrows: .arrowStream
    case .parquet: .parquet
    }
  }

  /// Whether the bytes are a text, which a terminal can show.
  public var isText: Bool {
    switch self {
    case .csv, .tsv, .json, .ndjson, .markdown, .table: true
    case .arrow, .arrows, .parquet: false
    }
  }
}

extension OutputFormat {
  /// The format of a file with this name, by its extension in any case; nil when no format has that extension.
  package init?(fileName: String) {
    guard let fileExtension = fileName.split(separator: ".").last?.lowercased(),
      let format = Self.allCases.first(where: { $0.rows.fileExtensions.contains(fileExtension) })
    else { return nil }
    self = format
  }

  /// The media type of an HTTP response in this format.
  package var mediaType: String { rows.mediaType }

  /// A writer of rows with these columns, which hands the sink about 64 KiB at a time.
  package func makeWriter(
    _ headings: [ColumnHeading], layout: TableLayout = TableLayout(), sink: @escaping QuoteFormatter.Sink
  ) -> any RowWriter {
    rows.makeWriter(headings, layout, sink)
  }
}
