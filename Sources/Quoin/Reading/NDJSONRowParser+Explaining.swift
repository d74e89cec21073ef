// The first rows, to be explained.
extension NDJSONRowParser {
  /// The first rows of a text, read as all are.
  mutating func sample(of text: TextView) -> RowSample {
    let rows = ParsedRows(capacity: RowSample.rowCount)
    var lines: [[(name: [UInt8], cell: String)]] = []
    RowSample.withFirstLines(of: text) { text in
      _ = try? parse(text, firstLine: 1, into: rows)
      let read = ReadRows(rows)
      var (start, number) = (0, 1)
      while start < text.count, lines.count < RowSample.rowCount {
        let end = text.lineEnd(from: start)
        if read.rowCount == 0 || read.row(at: number) != nil { lines.append(Self.cells(text.part(start..<end))) }
        (start, number) = (end + 1, number + 1)
      }
    }
    let (read, roles) = (ReadRows(rows), keys.map(\.role))
    var sample = RowSample(columnCount: keys.count)
    for (index, line) in lines.enumerated() {
      let texts = names.map { name in line.first { $0.name == name }?.cell }
      sample.add(texts, roles, index < read.rowCount ? index : nil, of: read)
    }
    return sample
  }

  /// The members of a line's object as they are shown; none if it is no object.
  private static func cells(_ line: TextView) -> [(name: [UInt8], cell: String)] {
    var checker = JSONChecker(line)
    do throws(JSONFault) { if try checker.checkAll() == 0 { return [] } } catch { return [] }
    return JSONNode(sequence: line).firstElement.map(cells) ?? []
  }

  static func cells(of object: JSONNode) -> [(name: [UInt8], cell: String)] {
    object.members.prefix(Limits.memberNameCount).compactMap { key, value in
      RowSample.shown(value).map { (Array(key.string.utf8), $0) }
    }
  }

  /// How the columns so far are explained.
  func explained(_ sample: RowSample, _ options: ImportOptions) -> [ImportExplanation.Column] {
    let plan = ColumnPlan(
      guessing: JSONColumnName.plain(columns.map(\.name)), uses: options.columnUses)
    return columns.indices.map { column in
      let use = columns[column].use
      let isTold = options.columnUses[columns[column].name] != nil
      let isUnknown = use == .ignored && !isTold && plan.meaning(column) == nil
      let reason =
        isTold
        ? ColumnPlan.told
        : use == plan.roles[column].use ? plan.reason(column) : use == .ignored ? "no row needs it" : "its name says so"
      return ImportExplanation.Column(
        name: columns[column].name, use: use, reason: reason, isUnknown: isUnknown,
        cells: column < sample.cells.count ? sample.cells[column] : [])
    }
  }
}
