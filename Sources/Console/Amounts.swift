import Quoin

// Amounts for people to read, beside those of the library.

extension Duration {
  /// A time as a stopwatch shows it: `0:14`, `1:02:03`.
  package var asClock: String {
    let seconds = Int(inSeconds.rounded())
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = seconds / 60
    return minutes < 60
      ? "\(minutes):\(padded(seconds % 60))" : "\(minutes / 60):\(padded(minutes % 60)):\(padded(seconds % 60))"
  }
}

extension UpsertCounts {
  /// What the rows did to the store: `1,200 new, 3 changed (3 closes), 12 unchanged`.
  package var text: String {
    if inserted + replaced + kept == 0 { return "nothing changed" }
    let changed = changedCells.isEmpty ? "changed" : "changed (\(changedCells.text))"
    let parts = [(inserted, "new"), (replaced, changed), (unchanged, "unchanged"), (kept, "left out")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
  }
}

extension [Attribute: Int] {
  /// Counts of cells: `12 closes, 3 ex-dividends`.
  package var text: String {
    Attribute.allCases.compactMap { name in self[name].map { $0.of(name.wikiName) } }.joined(separator: ", ")
  }
}
