import Console
import Quoin

/// A short list, such as that of the tickers, which can be written in every form that quotes can.
struct RecordTable {
  struct Column {
    let name: String
    var isNumber = false

    static func text(_ name: String) -> Column { Column(name: name) }
    static func number(_ name: String) -> Column { Column(name: name, isNumber: true) }
  }

  let columns: [Column]
  /// The cells' texts, those of a number as JSON writes it; nil is a missing cell.
  var rows: [[String?]] = []
  /// More rows after those, made when they are written.
  private var laterRowCount = 0
  private var laterRow: (Int) -> [String?] = { _ in [] }

  init(_ columns: [Column]) { self.columns = columns }

  /// A long list, whose rows are made one by one.
  init(_ columns: [Column], rowCount: Int, row: @escaping (Int) -> [String?]) {
    self.columns = columns
    (laterRowCount, laterRow) = (rowCount, row)
  }

  private var rowCount: Int { rows.count + laterRowCount }

  private func row(_ index: Int) -> [String?] {
    index < rows.count ? rows[index] : laterRow(index - rows.count)
  }

  func write(_ format: OutputFormat, styled: Bool = false, to output: Output) throws {
    switch format {
    case .csv: try writeLines(to: output, separator: ",", Self.csvCell)
    case .tsv: try writeLines(to: output, separator: "\t") { $0.replacing(controlsWith: " ") }
    case .markdown: try writeMarkdown(to: output)
    case .json: try writeJSON(to: output)
    case .ndjson: for index in 0..<rowCount { try output.write(object(row(index)) + "\n") }
    case .table: try writeTable(styled: styled, to: output)
    }
  }

  private func writeLines(to output: Output, separator: String, _ cell: (String) -> String) throws {
    try output.write(columns.map { cell($0.name) }.joined(separator: separator) + "\n")
    for index in 0..<rowCount {
      try output.write(row(index).map { cell($0 ?? "") }.joined(separator: separator) + "\n")
    }
  }

  private func writeMarkdown(to output: Output) throws {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    try output.write(line(columns.map(\.name)))
    try output.write(line(columns.map { $0.isNumber ? "---:" : "---" }))
    for index in 0..<rowCount {
      try output.write(line(row(index).map { ($0 ?? "").replacing(controlsWith: " ").replacing("|", with: "\\|") }))
    }
  }

  private func writeJSON(to output: Output) throws {
    guard rowCount > 0 else { return try output.write("[]\n") }
    try output.write("[\n")
    for index in 0..<rowCount { try output.write(object(row(index)) + (index + 1 < rowCount ? ",\n" : "\n")) }
    try output.write("]\n")
  }

  private func object(_ row: [String?]) -> String {
    let members = zip(columns, row).map { column, cell in
      let value = cell.map { column.isNumber && $0.isJSONNumber ? $0 : $0.asJSONString } ?? "null"
      return "\(column.name.asJSONString):\(value)"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func csvCell(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  private func writeTable(styled: Bool, to output: Output) throws {
    let cells = (0..<rowCount).map { index in row(index).map { ($0 ?? "").replacing(controlsWith: "?") } }
    let widths = columns.indices.map { index in
      cells.reduce(columns[index].name.count) { max($0, $1[index].count) }
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { index in
        let padding = String(repeating: " ", count: widths[index] - cells[index].count)
        return columns[index].isNumber ? padding + cells[index] : cells[index] + padding
      }
      return String(padded.joined(separator: "  ").trimmingEnd)
    }
    let header = line(columns.map(\.name))
    try output.write((styled ? "\u{1b}[1m\(header)\u{1b}[0m" : header) + "\n")
    try output.write(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n")
    for row in cells { try output.write(line(row) + "\n") }
  }
}

extension String {
  fileprivate var trimmingEnd: Substring {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Whether JSON can write it as a number: it has no `inf`.
  fileprivate var isJSONNumber: Bool { !hasSuffix("inf") && !hasSuffix("nan") }

  /// With a mark for each control character, which a terminal or a line-wise form must not be sent.
  fileprivate func replacing(controlsWith mark: Unicode.Scalar) -> String {
    var text = UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.properties.generalCategory == .control ? mark : scalar) }
    return String(text)
  }

  fileprivate var asJSONString: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      default:
        if scalar.value < 0x20 {
          let hex = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }
}
