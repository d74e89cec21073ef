extension ScanReport {
  /// The report as `scan --explain` shows it: lines with a name and a value.
  package var text: String {
    let filterTimes = [("prune", pruneTime), ("filter", filterTime), ("materialize", materializeTime)]
    let total = filterTimes.reduce(Duration.zero) { $0 + $1.1 }
    let lines =
      [
        ("condition", "\(predicate)")
      ] + marketValues.map { ("  finds first", "\($0)\(Self.ahead($0.rowsAhead))") }
      + conditions.enumerated().map { ("  step \($0.offset + 1)", $0.element.text) }
      + columnsAhead.map { ("  column", "\($0.name)\(Self.ahead($0.rowCount))") } + [
        ("estimate", estimate.text),
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

  private static func ahead(_ rowCount: Int) -> String {
    rowCount == 0 ? "" : ", looks ahead \(rowCount.of("row"))"
  }
}

extension QuestionCost {
  fileprivate var text: String {
    let steps = stepCount == 0 ? "" : ", \(stepCount.of("value")) computed of each"
    return "\(rowCount.of("row"))\(steps): \(Duration.seconds(seconds).asShortTime) of one thread at most"
  }
}

extension ConditionReport {
  fileprivate var text: String {
    var words = ["\(predicate)"]
    if prunedBlockCount > 0 { words.append("\(prunedBlockCount.of("block")) ruled out") }
    if wholeBlockCount > 0 { words.append("\(wholeBlockCount.of("block")) taken whole") }
    if isComputed {
      words.append(
        "computed" + (isWide ? " in float64" : "") + (rowsBefore == 0 ? "" : " from \(rows(rowsBefore)) before"))
    }
    if narrowBlockCount > 0 {
      words.append(
        "\(narrowBlockCount.of("block")) decided in float32, \(settledRowCount.of("row")) settled in float64")
    }
    for reason in WideReason.allCases {
      guard let count = wideBlockCounts[reason], count > 0 else { continue }
      words.append("\(count.of("block")) \(reason.words) computed in float64")
    }
    if rowsAfter > 0 { words.append("looks ahead \(rows(rowsAfter))") }
    return words.joined(separator: ", ")
  }

  private func rows(_ count: Int?) -> String { count.map { $0.of("row") } ?? "all rows" }
}

extension [(String, String)] {
  /// Names and values, with the values aligned.
  package var asText: String {
    let width = map(\.0.count).max() ?? 0
    return map { "\($0)\(String(repeating: " ", count: width - $0.count))  \($1)\n" }.joined()
  }
}
