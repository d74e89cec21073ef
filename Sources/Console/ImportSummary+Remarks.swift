import Quoin

extension ImportSummary {
  /// What people should know of the rows that came: how many look wrong, and which columns weren't taken. A sentence a line.
  ///
  /// - Parameter verb: what was done with the rows, `Imported`; nil if nothing was.
  package func remarks(verb: String?) -> [String] {
    Self.remarks(ignoredColumns: ignoredColumns, suspicious: suspicious, notes: notes, verb: verb)
  }

  /// The same for rows that came in several texts.
  package static func remarks(
    ignoredColumns: [String], suspicious: SuspiciousCounts, notes: [ImportNote] = [], verb: String?
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
    if notes.contains(where: \.isOfSplitInPrices) {
      lines.append(
        "Where prices have a split already, --splits-in-prices stores the ratio 1; else adjusted values are divided twice."
      )
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
