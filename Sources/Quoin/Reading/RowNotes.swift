/// What a reader noticed of lines that are no rows, and of cells that needed a decision, to be told at the end.
struct RowNotes {
  /// Numbers with a suffix for a power of ten: `12.35M`.
  var roundedCellCount = 0
  /// Volumes with a fraction that were rounded, as the caller wants.
  var roundedVolumeCount = 0
  /// Volumes with a fraction that are stored with it.
  var fractionalVolumeCount = 0
  /// Rows that end before the header does.
  var shortRowCount = 0
  /// Lines of separators alone, and lines that repeat the header.
  var emptyRowCount = 0
  var repeatedHeaderCount = 0
  /// Lines that may be a footer: their places and first bytes. They are bad rows if a row follows them.
  var footers: [(line: Int, text: String)] = []

  static func += (notes: inout RowNotes, more: RowNotes) {
    notes.roundedCellCount += more.roundedCellCount
    notes.roundedVolumeCount += more.roundedVolumeCount
    notes.fractionalVolumeCount += more.fractionalVolumeCount
    notes.shortRowCount += more.shortRowCount
    notes.emptyRowCount += more.emptyRowCount
    notes.repeatedHeaderCount += more.repeatedHeaderCount
    notes.footers += more.footers
  }
}
