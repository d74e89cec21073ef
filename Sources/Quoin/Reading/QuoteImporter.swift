/// Reads files of quotes and hands their rows to a sink, ticker by ticker.
///
///     for each file:
///       text -> `ParsedRows`, a chunk at a time -> the rows of each ticker
///       when enough rows are held: hand over every complete ticker
///       hand over the rest
///     handing a ticker over: order its rows by day; a day with two different values is a bad row; upsert
///
/// A bad row doesn't stop the reading, so that all bad rows are counted. But unless they are to be skipped, no further rows
/// go to the sink, and the import ends with `ImportError.rejected`. The caller has to undo what the sink got before.
struct QuoteImporter {
  var options = ImportOptions()
  var tuning = ImportTuning()
  /// The import's threads; nil for a crew of the reader's own, of `options.threads`.
  var crew: Crew?
  /// Called at most ten times a second.
  var progress: ((ImportProgress) -> Void)?

  /// Imports the files in this order; a directory stands for the files in it, and `-` for standard input. A day twice with
  /// different values is refused across all files.
  func importFiles(_ paths: [String], into sink: inout some QuoteSink) throws(ImportError) -> ImportSummary {
    try importSources(paths.map { .path($0) }, into: &sink)
  }

  /// The same for files of which some are in memory.
  func importSources(_ sources: [ImportSource], into sink: inout some QuoteSink) throws(ImportError) -> ImportSummary {
    var run = self.run()
    let inputs = try ImportSource.expanded(sources, endingAtMissing: !options.skipsBadFiles)
    run.summary.notes += inputs.notes
    run.meter.fileCount = inputs.files.count
    for source in inputs.files {
      try run.importFile(source, into: &sink)
      run.meter.finishedFileCount += 1
    }
    return try run.finish()
  }

  /// Imports a text in memory, which isn't packed.
  ///
  /// - Parameter name: the name of the text in errors.
  func importBytes(
    _ bytes: [UInt8], name: String, into sink: inout some QuoteSink
  ) throws(ImportError) -> ImportSummary {
    var run = self.run()
    try run.importBytes(bytes, name: name, into: &sink)
    return try run.finish()
  }

  private func run() -> ImportRun {
    ImportRun(
      options: options, tuning: tuning, crew: crew ?? Crew(threadCount: options.threads), progress: progress)
  }
}
