// What an import did, for people to read.

extension ImportSummary {
  /// What an import did, or would do, in a sentence.
  ///
  /// - Parameters:
  ///   - store: the store in words.
  ///   - isPreview: whether nothing was stored.
  package func outcome(_ store: String, isPreview: Bool = false) -> String {
    let origin = filesRead.count == 1 ? filesRead[0].name : filesRead.count.of("file")
    let rows = "\(rowCount.of("row")) of \(tickers)"
    let nothing = isPreview ? "Nothing would change" : "Nothing changed"
    if rowCount == 0 { return "\(nothing): there are no rows in \(origin)." }
    if counts.empty == rowCount {
      return "\(nothing): the \(rowCount.of("row")) of \(origin) \(rowCount == 1 ? "has" : "have") no values."
    }
    if changedNothing, counts.kept == 0 {
      let same = rowCount - counts.empty
      if same == rowCount {
        return "\(nothing): the \(rows) from \(origin) \(rowCount == 1 ? "was" : "were") there already."
      }
      return
        "\(nothing): of the \(rows) from \(origin), \(same.grouped) \(same == 1 ? "was" : "were") there already, and "
        + "\(counts.empty.grouped) \(counts.empty == 1 ? "has" : "have") no values."
    }
    return "\(isPreview ? "Would import" : "Imported") \(rows) from \(origin) into \(store): \(counts.text)."
  }

  /// The files that weren't skipped.
  package var filesRead: [ImportedFile] { files.filter { $0.error == nil && !$0.isEmpty } }

  /// Up to five tickers by name, more by their number.
  private var tickers: String {
    var names: [TickerSymbol] = []
    for period in periods where !names.contains(period.ticker) {
      names.append(period.ticker)
      if names.count > ImportedFile.namedTickerCount { return tickerCount.of("ticker") }
    }
    return names.isEmpty ? tickerCount.of("ticker") : names.map { "\($0)" }.joined(separator: ", ")
  }

  /// What people should know of the rows that came: how many look wrong, and which columns weren't taken. A sentence a line.
  ///
  /// - Parameter verb: what was done with the rows, `Imported`; nil if nothing was.
  package func sentences(verb: String?) -> [String] {
    Self.sentences(ignoredColumns: ignoredColumns, suspicious: suspicious, notes: notes, verb: verb)
  }

  /// The same for rows that came in several texts.
  package static func sentences(
    ignoredColumns: [String], suspicious: SuspiciousCounts, notes: [ImportNote], verb: String?
  ) -> [String] {
    var lines: [String] = []
    if !suspicious.isEmpty {
      lines.append("\(verb.map { "\($0), but suspicious" } ?? "Suspicious"): \(suspicious.text).")
    }
    if !ignoredColumns.isEmpty { lines.append("Ignored columns: \(cut(ignoredColumns)).") }
    return lines + sentences(notes)
  }

  /// The first ten of a list, and the number of the others.
  private static func cut(_ names: [String]) -> String {
    let first = names.prefix(10).joined(separator: ", ")
    return names.count > 10 ? "\(first) and \((names.count - 10).grouped) more" : first
  }

  /// The notes, each once, at most ten.
  private static func sentences(_ notes: [ImportNote]) -> [String] {
    var files: [String: [String]] = [:]
    var order: [String] = []
    for note in notes {
      if files[note.text] == nil { order.append(note.text) }
      files[note.text, default: []].append(note.file)
    }
    var lines = order.prefix(10).map { text in
      let names = files[text] ?? []
      return "\(names[0])\(names.count > 1 ? " and \((names.count - 1).of("other file"))" : ""): \(text)."
    }
    if order.count > 10 { lines.append("And \((order.count - 10).of("more note")).") }
    return lines
  }
}

extension SuspiciousCounts {
  /// `2 rows with low above high, 1 row with a price of 0`.
  package var text: String {
    let parts = [
      (lowAboveHigh, "with low above high"), (closeOutsideRange, "with close outside low and high"),
      (zeroVolume, "with a volume of 0"), (zeroPrice, "with a price of 0"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0.of("row")) \($0.1)" }.joined(separator: ", ")
  }
}

extension UpsertCounts {
  /// What the rows did to the store: `1,200 new, 3 changed (3 closes), 12 unchanged`.
  package var text: String {
    if inserted + replaced + kept + empty == 0 { return "nothing changed" }
    let changed = changedCells.isEmpty ? "changed" : "changed (\(changedCells.text))"
    let parts = [
      (inserted, "new"), (replaced, changed), (unchanged, "unchanged"), (kept, "left out"), (empty, "without values"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
  }
}

extension [Attribute: Int] {
  /// Counts of cells: `12 closes, 3 ex-dividends`.
  package var text: String {
    Attribute.allCases.compactMap { name in self[name].map { $0.of(name.wikiName) } }.joined(separator: ", ")
  }
}
