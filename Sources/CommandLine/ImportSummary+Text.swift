import Console
import Quoin

extension ImportSummary {
  /// With more files, those that have nothing to report but their rows aren't listed, unless all are wanted.
  private static let listedFileCount = 20

  /// What an import did, or would do, as `quoin import` tells it.
  func text(store: String, isDryRun: Bool = false, listsAllFiles: Bool = false) -> String {
    var lines: [String] = []
    // What was passed over for what it is has a note.
    let told = Set(notes.map(\.file))
    lines += files.filter { $0.isEmpty && !told.contains($0.name) }.map { "\($0.name) is empty; it was skipped" }
    lines += files.compactMap { file in file.error.map { "\(file.name) was skipped: \($0.reason)" } }
    let files = filesRead
    if isDryRun {
      lines += plans(of: files)
    } else if files.count > 1, files.count <= Self.listedFileCount || listsAllFiles {
      lines += files.map(\.text)
    }
    lines.append(outcome(store, isPreview: isDryRun))
    lines += remarks(verb: isDryRun ? nil : "Imported")
    if !badRows.isEmpty {
      lines.append("Left out \(badRows.count.of("bad row")):")
      lines += "\(badRows)".split(separator: "\n").map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  /// The files with their columns; where the next one's are the same, they aren't repeated.
  private func plans(of files: [ImportedFile]) -> [String] {
    var (lines, shown) = ([String](), [ImportedFile.Column]())
    for file in files {
      lines.append("\(file.text), \(file.format?.rawValue ?? "no text")")
      let isShown = file.columns.elementsEqual(shown) { $0.name == $1.name && $0.use == $1.use }
      if !isShown || shown.isEmpty { lines += file.plan }
      shown = file.columns
    }
    return lines
  }
}

extension ImportedFile {
  /// `KO.csv: 12 rows of KO, 2018-01-02 to 2018-01-18: 10 new, 2 unchanged`
  fileprivate var text: String {
    var text = "\(name): \(rowCount == 0 ? "no rows" : rows)"
    if rowCount > 0 { text += ": \(counts.text)" }
    if badRowCount > 0 { text += "; \(badRowCount.of("bad row"))" }
    return text
  }

  /// How the file is read: its columns, what each is taken for, and its first cell.
  fileprivate var plan: [String] {
    var table = RecordTable([.text("column"), .text("meaning"), .text("first cell")])
    table.rows = columns.prefix(Self.shownColumnCount).map { [$0.name, $0.use.word, $0.firstCell ?? ""] }
    var lines = table.text(styled: false).split(separator: "\n").map { "  \($0)" }
    if columns.count > table.rows.count {
      lines.append("  and \((columns.count - table.rows.count).of("more column"))")
    }
    return lines
  }

  private static let shownColumnCount = 10

  private var rows: String {
    var names = firstTickers.map { "\($0)" }.joined(separator: ", ")
    if tickerCount > firstTickers.count { names += " and \((tickerCount - firstTickers.count).grouped) more" }
    let range = days.map {
      $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
    }
    return "\(rowCount.of("row")) of \(names), \(range ?? "")"
  }
}

extension ImportError {
  /// In one line; of bad rows the first.
  fileprivate var reason: String {
    switch self {
    case .rejected(let rows), .noGoodRows(let rows):
      "\(rows.count.of("bad row")), the first: \(rows.first.first?.description ?? "")"
    default: description
    }
  }
}
