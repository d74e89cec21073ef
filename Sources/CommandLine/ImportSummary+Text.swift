import Console
import Quoin

extension ImportSummary {
  /// What an import did, as `quoin import` tells it.
  func text(store: String) -> String {
    var lines = [outcome(store)]
    if !suspicious.isEmpty { lines.append("Imported, but suspicious: \(suspicious.text).") }
    if !ignoredColumns.isEmpty {
      lines.append("Ignored unknown columns: \(ignoredColumns.joined(separator: ", ")).")
    }
    if !badRows.isEmpty {
      lines.append("Left out \(badRows.count.of("bad row")):")
      lines += "\(badRows)".split(separator: "\n").map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  private func outcome(_ store: String) -> String {
    let origin = files.count == 1 ? files[0] : files.count.of("file")
    let rows = "\(rowCount.of("row")) of \(tickerCount.of("ticker"))"
    if rowCount == 0 { return "Nothing changed: there are no rows in \(origin)." }
    if changedNothing { return "Nothing changed: the \(rows) from \(origin) were there already." }
    return "Imported \(rows) from \(origin) into '\(store)': \(counts.text)."
  }
}

extension SuspiciousCounts {
  fileprivate var text: String {
    let parts = [
      (lowAboveHigh, "with low above high"), (closeOutsideRange, "with close outside low and high"),
      (zeroVolume, "with a volume of 0"), (zeroPrice, "with a price of 0"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0.of("row")) \($0.1)" }.joined(separator: ", ")
  }
}
