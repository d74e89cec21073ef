extension Snapshot {
  /// Checks that each volume is a float64 if some have a fraction: those of files without fractions too, because answers have
  /// volumes of one type.
  ///
  /// - Throws: `inexactVolume`.
  func checkVolumes(_ scratch: BlockScratch) throws(StoreError) {
    guard hasFractions else { return }
    for ticker in manifest.tickers.indices {
      for run in manifest.runs(ofTickerAt: ticker) {
        let file = try file(run.fileIndex)
        guard !file.hasFractions, file.has(.volume) else { continue }
        let directory = try file.directory(.volume)
        for block in run.blocks where Int64(bits: directory.maximum(block)) > 1 << 53 {
          var rows = QuoteColumns(attributes: [.volume])
          try file.appendRows(ofBlock: block, to: &rows, scratch)
          rows = rows.withFractions(0..<rows.rowCount)
          if let row = rows.firstInfiniteVolume(0..<rows.rowCount) {
            throw .inexactVolume(ticker: symbols[ticker], day: rows.dayValues[row])
          }
        }
      }
    }
  }
}
