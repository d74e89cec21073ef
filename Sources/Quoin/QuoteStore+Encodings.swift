/// How some blocks of a column are stored.
package struct EncodingSummary: Hashable, Sendable {
  /// The column as files name it: `date`, `open`, `adj_close`.
  package let column: String
  /// `constant`, `runs`, `scaled`, `plain`, `daySet` or `derived`: see "How a store lies on disk" in `docs/architecture/storage.md`.
  package let encoding: String
  /// `raw`, `lz4`, or `lz4Planes` for LZ4 over byte planes.
  package let storage: String
  /// Blocks of the column with this encoding and storage.
  package internal(set) var blockCount = 0
  /// Rows in those blocks.
  package internal(set) var rowCount = 0
  /// Stored bytes of the blocks, including their headers.
  package internal(set) var byteCount = 0
}

extension QuoteStore {
  /// How each column is stored: an entry for each encoding and storage of its blocks, the largest first. Reads every block.
  /// Blocks the calling thread.
  ///
  /// - Throws: `StoreError` if a block is damaged.
  package func encodingSummaries() throws(StoreError) -> [EncodingSummary] { try encodingSummaries(stoppedBy: nil) }

  func encodingSummaries(stoppedBy cancellation: Cancellation?) throws(StoreError) -> [EncodingSummary] {
    let snapshot = snapshot
    var summaries: [EncodingSummary] = []
    for section in ColumnSection.all {
      var found: [String: EncodingSummary] = [:]
      for run in snapshot.manifest.runs {
        try cancellation?.check()
        let file = try snapshot.file(run.fileIndex)
        guard file.has(section) else { continue }
        let reader = try SectionReader(file, section)
        for index in run.blocks {
          let header = try reader.block(index).header
          let (encoding, storage) = ("\(header.encoding)", "\(header.storage)")
          var summary =
            found[encoding + storage]
            ?? EncodingSummary(column: section.description, encoding: encoding, storage: storage)
          summary.blockCount += 1
          summary.rowCount += header.rowCount
          summary.byteCount += reader.byteCount(index)
          found[encoding + storage] = summary
        }
      }
      summaries += found.values.sorted {
        ($0.byteCount, $0.encoding, $0.storage) > ($1.byteCount, $1.encoding, $1.storage)
      }
    }
    return summaries
  }
}
