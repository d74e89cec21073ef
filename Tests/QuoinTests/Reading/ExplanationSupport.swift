import Testing

@testable import Quoin

extension ImportExplanation {
  /// Checks that the cells which it shows are those that the import stored.
  func expectCells(of sink: MemorySink, _ place: String) {
    let isWide = self[.ticker]?.value == "in the header"
    let rowCount = columns.map(\.cells.count).max() ?? 0
    for row in 0..<rowCount {
      func cells(_ use: ImportedFile.Column.Use) -> [Column.Cell] { columns.first { $0.use == use }?.cells ?? [] }
      // A row that lacks a cell moves the others of its column up, so only rows that have all are compared.
      guard columns.allSatisfy({ $0.use == .ignored || $0.cells.count == rowCount }) else { return }
      guard let day = cells(.date).dropFirst(row).first?.value.flatMap({ TradingDay($0) }) else { continue }
      let named = cells(.ticker).dropFirst(row).first?.value ?? self[.ticker]?.value ?? ""
      // A row without any value isn't stored.
      let isEmpty = columns.allSatisfy { column in
        if case .attribute = column.use { column.cells[row].value == "missing" } else { true }
      }
      if isEmpty { continue }
      for column in columns {
        guard case .attribute(let attribute) = column.use, let value = column.cells[row].value else { continue }
        let ticker = isWide ? column.name : named
        let stored = (try? TickerSymbol(ticker)).flatMap { sink.quotes[$0]?[day] }
        let text = stored?.text(of: attribute)
        #expect(text == value, "\(place): \(ticker) \(day) \(attribute), '\(column.cells[row].text)'")
      }
    }
  }

  /// Options that say in words what was found out.
  func pinned(_ start: ImportOptions) throws -> ImportOptions {
    var options = start
    for finding in findings {
      if let text = finding.setting, let setting = finding.subject.importSetting { try setting.set(text, in: &options) }
    }
    for column in columns { try ImportSetting.map.set("\(column.name)=\(column.use.word)", in: &options) }
    return options
  }
}

extension DailyQuoteSummary {
  /// The value as an explanation writes it.
  fileprivate func text(of attribute: Attribute) -> String {
    guard let value = self[attribute] else { return "missing" }
    if case .integer = attribute.key, value == value.rounded(), abs(value) <= 0x1p63 { return "\(volume ?? 0)" }
    return attribute.text(of: value)
  }
}
