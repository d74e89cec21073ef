import ArgumentParser
import Console
import Quoin

extension ImportExplanation {
  /// What a file is taken for, as `quoin import --explain` tells it: what was found out, the columns, and what stands in the way.
  func text(styled: Bool) -> String {
    var parts = ["\(file): \(summary)\n"]
    if !findings.isEmpty { parts.append(findingTable.text(styled: styled)) }
    if !columns.isEmpty { parts += [columnTable.text(styled: styled), columnAdvice] }
    var lines = notes.map { "Note: \($0)." }
    if let error { lines.append("Refused: \(error.sentence)") }
    if !lines.isEmpty { parts.append(lines.joined(separator: "\n") + "\n") }
    return parts.joined(separator: "\n")
  }

  /// `12 rows of KO, 2018-01-02 to 2018-01-18`
  private var summary: String {
    if rowCount == 0 { return error == nil ? "no rows" : "refused" }
    var names = firstTickers.map { "\($0)" }.joined(separator: ", ")
    if tickerCount > firstTickers.count { names += " and \((tickerCount - firstTickers.count).grouped) more" }
    let range = days.map { "\($0.lowerBound) to \($0.upperBound)" } ?? ""
    return "\(rowCount.of("good row")) of \(names), \(range)\(error == nil ? "" : ", but refused")"
  }

  private var findingTable: RecordTable {
    var table = RecordTable([.text("what"), .text("taken for"), .text("because"), .text("to change it")])
    table.rows = findings.map { [$0.subject.rawValue, $0.value, $0.reason, $0.subject.options] }
    return table
  }

  private var columnTable: RecordTable {
    var table = RecordTable([
      .text("column"), .text("meaning"), .text("first cells"), .text("first is read as"), .text("because"),
    ])
    table.rows = columns.map { column in
      [
        column.name, column.use.word, column.cells.map { "'\($0.text)'" }.joined(separator: " "),
        column.cells.first?.value ?? "", column.reason,
      ]
    }
    return table
  }

  /// How a column gets another meaning.
  private var columnAdvice: String {
    let example = columns.first { $0.isUnknown }.map { ", such as --map \("\($0.name)=close".shellWord)" } ?? ""
    return "To change what a column means: --map COLUMN=MEANING, or --ignore COLUMN\(example)\n"
  }
}

extension ImportExplanation.Finding.Subject {
  /// The options of `quoin import` that change it.
  fileprivate var options: String {
    let names = [importSetting].compactMap(\.self).map { "--\($0.rawValue)" }
    return (names + more).joined(separator: " ")
  }

  private var more: [String] {
    switch self {
    case .header: ["--comment", "--no-header"]
    case .ticker: ["--ticker-from", "--map"]
    case .form, .packing, .encoding, .separator, .days, .zone, .decimal, .thousands: []
    }
  }
}

extension RecordTable {
  /// The list as a table for people.
  func text(styled: Bool) -> String {
    var bytes: [UInt8] = []
    var writer = OutputFormat.table.makeWriter(columns, layout: .list(isStyled: styled)) { bytes.append($0) }
    // Nothing that can fail takes the bytes.
    try? writer.append(rows, columnCount: columns.count)
    try? writer.finish()
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ImportCommand {
  /// Explains the files, and ends with a status that says whether an import would refuse one.
  func explain(_ files: [String], _ options: ImportOptions) throws {
    let progress = Progress("reading", in: .rows)
    let all = try ImportExplanation.all(of: files, options: options) {
      progress.update($0.rowCount, part: $0.part, places: $0.files)
    }
    progress.erase()
    let output = try Output(paged: !json)
    try output.write(
      json ? try all.json : all.map { $0.text(styled: Terminal.isStyled) }.joined(separator: "\n"))
    try output.finish()
    let refused = all.count { $0.error != nil }
    if refused == 0 { return }
    StandardStreams.complain(
      all.count == 1
        ? "an import would refuse the file" : "an import would refuse \(refused) of \(all.count.of("file"))")
    throw ExitCode.failedOperation
  }
}
