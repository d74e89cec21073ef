extension Snapshot {
  /// One snapshot of all tickers of several, none of which may be in two of them.
  ///
  /// - Returns: the snapshot, or a ticker that is in two, with the places of these.
  static func joining(_ parts: [Snapshot]) -> Result<Snapshot, RepeatedTicker> {
    var manifest = Manifest()
    var files: [Result<ColumnFile, StoreError>] = []
    var records: [(part: Int, record: TickerRecord, firstFile: Int)] = []
    for (index, part) in parts.enumerated() {
      records += part.manifest.tickers.map { (index, $0, files.count) }
      files += part.files
      manifest.files += part.manifest.files
      manifest.generation &+= part.manifest.generation
      manifest.committedAt = max(manifest.committedAt, part.manifest.committedAt)
    }
    records.sort { ($0.record.symbol, $0.part) < ($1.record.symbol, $1.part) }
    for ((earlier, ticker, _), (part, other, _)) in zip(records, records.dropFirst())
    where ticker.symbol == other.symbol {
      return .failure(RepeatedTicker(symbol: ticker.symbol, parts: (earlier, part)))
    }
    for (part, record, firstFile) in records {
      let runs = parts[part].manifest.runs[record.firstRun..<(record.firstRun + record.runCount)]
      manifest.tickers.append(
        TickerRecord(
          symbol: record.symbol, firstRun: manifest.runs.count, runCount: runs.count,
          createdGeneration: record.createdGeneration))
      for var run in runs {
        run.fileIndex += firstFile
        manifest.runs.append(run)
      }
    }
    // Bars of one length still meet by period.
    let period = parts.allSatisfy { $0.barPeriod == parts[0].barPeriod } ? parts.first?.barPeriod : nil
    return .success(Snapshot(manifest: manifest, files: files, barsOf: period))
  }

  /// A ticker that is in two of the snapshots that are joined.
  struct RepeatedTicker: Error {
    let symbol: TickerSymbol
    let parts: (Int, Int)
  }
}
