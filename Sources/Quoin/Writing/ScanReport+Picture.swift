extension ScanReport {
  /// A line for each of some tickers, with a character for each of its blocks or for several: what became of them. Empty if there is
  /// nothing to show.
  ///
  /// - Parameter width: how many characters a line may have.
  package func picture(width: Int) -> String {
    guard !tickers.isEmpty else { return "" }
    let names = tickers.map { "\($0.ticker)" }
    let nameWidth = names.map(\.count).max() ?? 0
    let room = max(1, width - nameWidth - 2)
    let lines = zip(tickers, names).map { ticker, name in
      name + String(repeating: " ", count: nameWidth - name.count + 2) + ticker.line(room) + "\n"
    }
    let rest = tickerCount - tickers.count
    return
      "\nblocks of each ticker by date: · ruled out, ░ without a row that matches, ▁ to █ with few or only such rows"
      + (tickers.contains { $0.fates.contains(.notReached) } ? ", - not reached" : "") + "\n" + lines.joined()
      + (rest > 0 ? "and \(rest.of("more ticker"))\n" : "")
  }
}

extension TickerScanReport {
  /// The blocks as `count` characters, or fewer.
  fileprivate func line(_ count: Int) -> String {
    let columnCount = min(count, fates.count)
    var line = ""
    for column in 0..<columnCount {
      let blocks = fates[(column * fates.count / columnCount)..<((column + 1) * fates.count / columnCount)]
      line.unicodeScalars.append(Self.character(blocks))
    }
    return line
  }

  /// What stands for some blocks: the share of rows that match, in those that were looked at.
  private static func character(_ fates: ArraySlice<Fate>) -> Unicode.Scalar {
    var (matching, all) = (0, 0)
    for case .lookedAt(let count, let rowCount) in fates { (matching, all) = (matching + count, all + rowCount) }
    guard all > 0 else { return fates.contains(.notReached) ? "-" : "·" }
    guard matching > 0 else { return "░" }
    return Unicode.Scalar(0x2580 + UInt32(max(1, min(8, (matching * 8 + all - 1) / all)))) ?? "█"
  }
}
