import Quoin

extension Spelling {
  /// A program in Swift that prints the rows as CSV.
  ///
  /// - Parameter store: its path.
  func swift(store: String) -> SpelledQuestion {
    if let missing = missing([.let, .top], in: "The Swift library") { return missing }
    if question.isOfLatest, case .values = question.order {
      return .cannot("The Swift library has the last rows of tickers in the order of tickers alone.")
    }
    let query: String
    let printing: String
    if let groups = question.groups {
      guard groups.condition == nil, groups.order == nil else {
        return .cannot("The Swift library has no conditions on groups, and no order of them but that of their keys.")
      }
      guard (try? Aggregation.list(parsing: self[.aggregates])) != nil else {
        return .cannot("The Swift library has aggregates, but nothing that is computed from them.")
      }
      query = self.query(limited(.date(.ascending)))
      printing = printingGroups(by: question.grouping)
    } else {
      query = self.query(selecting(columns) + limited(question.order))
      printing = self.printing(columns, question.order)
    }
    return .text(
      """
      import Quoin

      let store = try QuoteStore(at: \(store.swiftLiteral), mustExist: true)\(view)
      \(query)
      \(printing)
      """)
  }

  /// What makes the view that the question is asked of.
  private var view: String {
    var text = ""
    if let day = question.asOf {
      text += ".asOf(\("\(day)".swiftLiteral)\(question.trustsSplits ? ", trustingSplits: true" : ""))"
    }
    if let period = question.barPeriod {
      text += ".resampled(by: .\(period)\(question.barLabel == .periodEnd ? ", label: .periodEnd" : ""))"
    }
    return text
  }

  /// The query of the tickers, days and conditions, with further calls.
  private func query(_ calls: [String]) -> String {
    let tickers = tickers.map { "\($0)".swiftLiteral }.joined(separator: ", ")
    var lines = conditionTexts.map { ".where(Predicate(parsing: \($0.swiftLiteral)))" }
    let days = [("from", question.firstDay), ("to", question.lastDay)].compactMap { name, day in
      day.map { "\(name): \"\($0)\"" }
    }
    if !days.isEmpty { lines.append(".dates(\(days.joined(separator: ", ")))") }
    lines += calls
    let canFail = lines.contains { $0.contains("(parsing: ") }
    let quotes = tickers.isEmpty ? "allQuotes" : "quotes(for: \(tickers))"
    let start = "let query = \(canFail ? "try " : "")store.\(quotes)"
    return ([start] + lines).joined(separator: "\n  ")
  }

  private func selecting(_ columns: [QuoteFormatter.Column.Listed]) -> [String] {
    if question.columns == nil { return [] }
    let attributes = AttributeSet(columns.compactMap(\.column.attribute))
    let names = Attribute.allCases.filter(attributes.contains).map { ".\($0)" }.joined(separator: ", ")
    return [".selecting(\(names.isEmpty ? "[]" : names))"]
      + zip(columns, expressions(of: columns)).compactMap { column, expression in
        expression.map { ".computing(\(column.column.name.swiftLiteral), \(Self.parsed($0)))" }
      }
  }

  private func limited(_ order: RowOrder) -> [String] {
    let isDescending = if case .date(.descending) = order { true } else { false }
    return (isDescending ? [".ordered(.descending)"] : [])
      + (question.offset > 0 ? [".offset(by: \(question.offset))"] : [])
      + (question.limit.map { [".limited(to: \($0))"] } ?? [])
  }

  private static func parsed(_ expression: String) -> String { "QuoteExpression(parsing: \(expression.swiftLiteral))" }

  private func printing(_ columns: [QuoteFormatter.Column.Listed], _ order: RowOrder) -> String {
    let list = columns.map { column, _ in
      switch column {
      case .ticker: ".ticker"
      case .date: ".date"
      case .attribute(let name): ".attribute(.\(name))"
      case .computed(let name): ".computed(\(name.swiftLiteral))"
      }
    }
    let isAll = columns.map(\.column) == QuoteFormatter.Column.all
    let rows =
      switch order {
      case .date: question.isOfLatest ? "table.append(query.latest())" : "query.forEachBatch { try table.append($0) }"
      case .values(let expression, let order):
        "table.append(query.sorted(by: \(Self.parsed(Self.text(of: expression, in: self[.order]))), .\(order)))"
      }
    return """
      let table = QuoteFormatter(.csv\(isAll ? "" : ", columns: [\(list.joined(separator: ", "))]")) { bytes in
        bytes.withUnsafeBytes { print(String(decoding: $0, as: UTF8.self), terminator: "") }
      }
      try \(rows)
      try table.finish()
      """
  }

  private func printingGroups(by grouping: Grouping?) -> String {
    let by = grouping.map { ", by: Grouping(\($0.keys.map { ".\($0)" }.joined(separator: ", ")))" } ?? ""
    let keys = (grouping?.keys ?? []).map { key in
      switch key {
      case .ticker: #"table.tickers.map { "\($0)" }"#
      case .weekday: #"table.weekdays.map { "\($0)" }"#
      case .day, .week, .month, .quarter, .halfYear, .year: #"table.periods(.\#(key)).map { "\($0)" }"#
      }
    }
    let start = keys.isEmpty ? "" : "[\(keys.joined(separator: ", "))] + "
    return #"""
      let aggregates = try Aggregation.list(parsing: \#(self[.aggregates].swiftLiteral))
      let table = try query.aggregate(aggregates\#(by))
      let columns = \#(start)aggregates.map { aggregate in
        let (days, integers, doubles) = (table.days(aggregate), table.integers(aggregate), table.doubles(aggregate))
        return (0..<table.rowCount).map { row -> String in
          if let day = days[row] { return "\(day)" }
          if let integer = integers[row] { return "\(integer)" }
          return doubles[row].map { "\($0)" } ?? ""
        }
      }
      for row in 0..<table.rowCount { print(columns.map { $0[row] }.joined(separator: ",")) }
      """#
  }
}
