// Why a column is taken for what it is taken for.
extension ColumnPlan {
  static let told = "the options say so"
  static let namedUnknown = "its name isn't known"

  /// Why a column has its role.
  func reason(_ column: Int) -> String {
    if isTold(column) { return Self.told }
    let isIgnored = roles[column] == .ignored
    switch meaning(column) {
    case .role(let role, _)? where isIgnored && role != .ignored: return "another column is the \(role.use.word)"
    case .role?: return "its name says so"
    case .nothing? where isIgnored: return "its name says that it is nothing of a quote's"
    case .nothing?, nil: break
    }
    if isIgnored { return Self.namedUnknown }
    return roles[column] == .date ? "all its cells are days" : "its name says so, beside the others'"
  }

  /// How the columns are explained.
  ///
  /// - Parameter reason: the reason for all of them, in place of each one's own.
  func explained(_ cells: [[ImportExplanation.Column.Cell]], because reason: String? = nil)
    -> [ImportExplanation.Column]
  {
    names.indices.map { column in
      ImportExplanation.Column(
        name: names[column], use: roles[column].use,
        reason: isTold(column)
          ? Self.told : roles[column] == .ignored ? self.reason(column) : reason ?? self.reason(column),
        isUnknown: unknown.contains(column), cells: column < cells.count ? cells[column] : [])
    }
  }
}

extension CSVHeader {
  /// The tickers whose columns are shown, where each has its own.
  static let shownTickerCount = 10

  /// What the columns are, each with its first cell; where tickers stand beside each other, those of the first ten.
  func columns(_ firstCells: [String?]) -> [ImportedFile.Column] {
    func cell(_ column: Int) -> String? { column < firstCells.count ? firstCells[column] : nil }
    if wide.isEmpty {
      return plan.names.indices.map { ImportedFile.Column(plan.names[$0], plan.roles[$0], firstCell: cell($0)) }
    }
    let days = plan.names.indices.filter { plan.roles[$0] == .date }
    return days.map { ImportedFile.Column(plan.names[$0], .date, firstCell: cell($0)) }
      + wide.prefix(Self.shownTickerCount).flatMap { group in
        group.columns.map { ImportedFile.Column("\(group.ticker)", $0.role, firstCell: cell($0.index)) }
      }
  }

  /// How the columns are explained.
  func explained(_ sample: RowSample, _ form: TableBeginning.Form) -> [ImportExplanation.Column] {
    if wide.isEmpty {
      let isPlaced = [.bulk, .headerless, .ledger, .beancount].contains(form)
      return plan.explained(sample.cells, because: isPlaced ? "its place in the line says so" : nil)
    }
    let days = plan.explained([]).filter { $0.use == .date }.map { ($0.name, $0.use, $0.reason) }
    let others = wide.prefix(Self.shownTickerCount).flatMap { group in
      group.columns.map { ("\(group.ticker)", $0.role.use, "the header has its ticker") }
    }
    return zip(days + others, sample.cells).map { column, cells in
      ImportExplanation.Column(name: column.0, use: column.1, reason: column.2, isUnknown: false, cells: cells)
    }
  }
}

extension JSONTable {
  /// How the columns are explained.
  func explained(_ sample: RowSample, _ options: ImportOptions) -> [ImportExplanation.Column] {
    names.indices.map { column in
      let isTold = options.columnUses[names[column]] != nil
      let isNested = !isTold && plan.isTold(column)
      return ImportExplanation.Column(
        name: names[column], use: plan.roles[column].use,
        reason: isNested ? "its values are arrays or objects" : plan.reason(column),
        isUnknown: plan.unknown.contains(column), cells: column < sample.cells.count ? sample.cells[column] : [])
    }
  }
}
