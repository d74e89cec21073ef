import Quoin

/// Where LZ4 pays: the same table written without it, with it where Quoin keeps it, and with it wherever it saves a byte;
/// how each column is stored then, and how long questions take.
struct CompressionCases {
  let path: String
  let rowCount: Int
  let stopwatch: Stopwatch

  private var choices: [(name: String, choice: EncodingChoice)] {
    var everywhere = EncodingChoice(largestCompressedShare: 1)
    everywhere.largestCompressedScaledShare = 1
    return [
      ("without LZ4", EncodingChoice(storages: [.raw])), ("LZ4 where it pays", EncodingChoice()),
      ("LZ4 wherever it saves", everywhere),
    ]
  }

  func run() throws {
    for (name, choice) in choices {
      let store = try QuoteStore(at: "\(path)/\(name)", encodings: choice)
      if store.generation == 0 { try store.generate(tickerCount: max(1, rowCount / 4800), rowCount: rowCount) }
      for summary in try store.encodingSummaries() { report(summary, name) }
      try ReferenceQueries(store: store, threads: 1, stopwatch: stopwatch, suffix: ", \(name)")
        .run(["Q2", "Q3", "Q5", "Q6", "Q9"])
    }
  }

  /// The answer is blocks, rows, bytes.
  private func report(_ summary: EncodingSummary, _ name: String) {
    var answer = Answer(count: summary.blockCount)
    answer.append(Int128(summary.rowCount))
    answer.append(Int128(summary.byteCount))
    let query = "\(summary.column) \(summary.encoding) \(summary.storage), \(name)"
    Record(engine: "quoin", query: query, answer: answer, times: []).print()
  }
}
