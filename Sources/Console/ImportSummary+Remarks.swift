import Quoin

extension ImportSummary {
  /// What people should know of the rows that came, a sentence a line, with the options that help.
  ///
  /// - Parameter verb: what was done with the rows, `Imported`; nil if nothing was.
  package func remarks(verb: String?) -> [String] {
    Self.remarks(ignoredColumns: ignoredColumns, suspicious: suspicious, notes: notes, verb: verb)
  }

  /// The same for rows that came in several texts.
  package static func remarks(
    ignoredColumns: [String], suspicious: SuspiciousCounts, notes: [ImportNote] = [], verb: String?
  ) -> [String] {
    let lines = sentences(ignoredColumns: ignoredColumns, suspicious: suspicious, notes: notes, verb: verb)
    guard notes.contains(where: \.isOfSplitInPrices) else { return lines }
    let advice =
      "Where prices have a split already, --splits-in-prices stores the ratio 1; else adjusted values are divided twice."
    return lines + [advice]
  }
}
