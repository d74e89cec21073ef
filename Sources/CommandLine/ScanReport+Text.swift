import Console
import Quoin

extension ScanReport {
  /// The report as `scan --explain` shows it.
  var text: String {
    let filterTimes = [("prune", pruneTime), ("filter", filterTime), ("materialize", materializeTime)]
    let total = filterTimes.reduce(Duration.zero) { $0 + $1.1 }
    let lines =
      [
        ("condition", "\(predicate)"),
        ("tickers", tickerCount.grouped),
        ("files", fileCount.grouped),
        ("blocks", blockCount.grouped),
        ("  ruled out", "\(prunedBlockCount.grouped) by their statistics"),
        ("  taken whole", "\(wholeBlockCount.grouped) by their statistics"),
        ("  compared", "\(filteredBlockCount.grouped) value by value"),
        ("bytes read", readByteCount.asBytes),
        ("rows", rowCount.grouped),
        ("time", total.asShortTime),
      ] + filterTimes.map { ("  \($0.0)", $0.1.asShortTime) }
    return lines.asText
  }
}

extension [(String, String)] {
  /// Names and values, with the values aligned.
  var asText: String {
    let width = map(\.0.count).max() ?? 0
    return map { "\($0)\(String(repeating: " ", count: width - $0.count))  \($1)\n" }.joined()
  }
}
