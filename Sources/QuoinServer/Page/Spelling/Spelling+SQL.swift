import Quoin

extension Spelling {
  /// The command `quoin sql` with a statement: of the table `quotes` if SQL has words for the question, else of a function that takes
  /// the query language.
  ///
  /// - Parameter store: its path.
  func sql(store: String) -> SpelledQuestion {
    if let (name, _) = texts.first(where: { !Self.known.contains($0.name) }) {
      return .cannot("SQL has no word for '\(name.rawValue)'.")
    }
    if !tickers.isEmpty, question.isByDay {
      return .cannot("'by day' compares the tickers that are asked for, but the whole market in SQL.")
    }
    if question.grouping?.keys.contains(where: { $0.expression != nil }) == true {
      return .cannot(
        "SQL's words for groups are tickers, weekdays and periods; for others write quoin_aggregate yourself.")
    }
    let statement =
      question.groups.map { groups($0, question.grouping) } ?? rows(question.listedColumns, question.order)
    guard let statement else {
      return .cannot(
        "A function of SQL has at most 16 values and one period; the question asks for more."
      )
    }
    let path = store.hasPrefix("-") ? "=\(store.shellWord)" : " \(store.shellWord)"
    return .text("quoin sql \(statement.shellWord) --store\(path)")
  }

  /// The fields for which SQL has words. Threads change no answer.
  private static let known: Set<QuestionField.Name> = [
    .tickers, .where, .from, .to, .columns, .aggregates, .by, .having, .order, .limit, .offset, .threads,
  ]

  /// The most values that a function answers.
  private static let mostValues = 16

  // MARK: Rows

  private func rows(_ columns: [QuoteFormatter.Column.Listed], _ order: RowOrder) -> String? {
    var values = Values()
    var sortKeys: [String] = []
    var dateOrder = DateOrder.ascending
    let isOfTable =
      question.conditions.isEmpty && !question.days.isRelative && columns.allSatisfy { $0.expression == nil }
      && order.isOfColumn
    let places = zip(columns, expressions(of: columns)).map { listed, expression in
      let column = listed.column
      return switch column {
      case .ticker, .date: column.name
      case .attribute(let name) where isOfTable: name.identifier
      case .attribute(let name): values.place(of: name.wikiName, as: name.identifier)
      case .computed(let name): values.place(of: expression ?? name, as: name.sqlLiteral)
      }
    }
    switch order {
    case .date(let order): dateOrder = order
    case .keys(let keys):
      for key in keys {
        let value =
          switch key.value {
          case .period: "date"
          case .ticker, .askedTicker: "ticker"
          case .expression(let expression):
            (isOfTable ? expression.attribute?.identifier : nil)
              ?? values.place(of: keys.count > 1 ? "\(expression)" : Self.text(of: expression, in: self[.order]))
          }
        sortKeys.append(Self.sorted(value, key.order == .descending))
      }
    }
    guard values.texts.count <= Self.mostValues else { return nil }
    // The function's rows come ticker by ticker, by rising date.
    if isOfTable || !sortKeys.isEmpty || dateOrder == .descending || !isAscending {
      sortKeys += [tickerOrder, dateOrder == .descending ? "date desc" : "date"]
    }
    let selected = isOfTable && question.columns == nil ? "*" : places.joined(separator: ", ")
    if isOfTable { return "select \(selected) from quotes" + filter(sqlConditions) + end(sortKeys) }
    // A function has to be asked for a value.
    let list = values.texts.isEmpty ? "date" : values.texts.joined(separator: ", ")
    let source = Self.call("quoin_columns", [list, Self.joined(conditions)])
    return "select \(selected) from \(source)" + end(sortKeys)
  }

  /// Tickers and days as conditions of SQL.
  private var sqlConditions: [String] {
    tickerConditions + days.map { "date \($0) '\($1)'" }
  }

  /// All conditions, and tickers and days as some, in the query language.
  private var conditions: [String] {
    tickerConditions + days.map { "date \($0) \($1)" } + conditionTexts
  }

  /// The tickers, as both languages say it.
  private var tickerConditions: [String] {
    let tickers = tickers.map { "\($0)".sqlLiteral }
    switch tickers.count {
    case 0: return []
    case 1: return ["ticker = \(tickers[0])"]
    default: return ["ticker in (\(tickers.joined(separator: ", ")))"]
    }
  }

  private var days: [(sign: String, day: DayMark)] {
    [(">=", question.days.first), ("<=", question.days.last)].compactMap { sign, day in day.map { (sign, $0) } }
  }

  private var isAscending: Bool { zip(tickers, tickers.dropFirst()).allSatisfy { $0 < $1 } }

  /// What brings the tickers into the order in which they are asked for.
  private var tickerOrder: String {
    if isAscending { return "ticker" }
    let places = tickers.enumerated().map { "when \("\($1)".sqlLiteral) then \($0)" }
    return "case ticker \(places.joined(separator: " ")) end"
  }

  // MARK: Groups

  private func groups(_ groups: GroupQuestion, _ grouping: Grouping?) -> String? {
    let keys = grouping?.keys ?? []
    guard keys.count(where: { $0.period != nil }) <= 1 else { return nil }
    let names = groups.columns.map(\.name)
    var list = [self[.aggregates]]
    func add(_ text: String, as name: String) -> String {
      list.append("\(text) as \(Self.unused(name, names))")
      return "value\(names.count + list.count - 1)"
    }
    var wanted: [String] = []
    if groups.condition != nil { wanted = [add("if(\(self[.having]), 1, 0)", as: "is_wanted") + " = 1"] }
    var sortKeys: [String] = []
    for (index, sortKey) in groups.order.enumerated() {
      let value =
        switch sortKey.value {
        case .key(let key): key.period == nil ? key.name : "period"
        case .expression(let expression): add("\(expression)", as: "sort_key\(index == 0 ? "" : "\(index + 1)")")
        }
      sortKeys.append(Self.sorted(value, sortKey.isDescending))
    }
    guard names.count + list.count - 1 <= Self.mostValues else { return nil }
    // Groups come in the order of their keys.
    if !sortKeys.isEmpty || keys.contains(.ticker) && !isAscending {
      sortKeys += keys.map { $0 == .ticker ? tickerOrder : $0 == .weekday ? "weekday" : "period" }
    }
    let places =
      keys.map { $0.period == nil ? $0.name : "period as \($0.name.sqlLiteral)" }
      + names.enumerated().map { "value\($0 + 1) as \($1.sqlLiteral)" }
    let arguments: [String?] = [list.joined(separator: ", "), self[.by].presence, Self.joined(conditions)]
    return "select \(places.joined(separator: ", ")) from \(Self.call("quoin_aggregate", arguments))" + filter(wanted)
      + end(sortKeys)
  }

  /// A name that none of others is.
  private static func unused(_ name: String, _ others: [String]) -> String {
    others.contains { $0.lowercased() == name } ? unused(name + "_", others) : name
  }

  // MARK: Parts of a statement

  private static func call(_ function: String, _ arguments: [String?]) -> String {
    let given = arguments.prefix((arguments.lastIndex { $0 != nil } ?? -1) + 1)
    return "\(function)('quotes', \(given.map { $0?.sqlLiteral ?? "null" }.joined(separator: ", ")))"
  }

  private static func sorted(_ value: String, _ isDescending: Bool) -> String {
    "\(value)\(isDescending ? " desc" : "") nulls last"
  }

  private func filter(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " where \(conditions.joined(separator: " and "))"
  }

  private func end(_ sortKeys: [String]) -> String {
    let (limit, offset) = (question.limit, question.offset)
    // An offset needs a limit before it; below 0 it is none.
    return (sortKeys.isEmpty ? "" : " order by \(sortKeys.joined(separator: ", "))")
      + (limit != nil || offset > 0 ? " limit \(limit ?? -1)" : "") + (offset > 0 ? " offset \(offset)" : "")
  }
}

/// The values that a function is asked for, each once.
private struct Values {
  private(set) var texts: [String] = []

  /// The column that has the value of an expression, with another name if one is given.
  mutating func place(of expression: String, as name: String? = nil) -> String {
    // In a list of columns, a number by itself would be a column's name.
    let isWord = expression.utf8.allSatisfy { $0.isLetterOrDigit || "._".utf8.contains($0) }
    let text = isWord && QuoteFormatter.Column(named: expression) == nil ? "(\(expression))" : expression
    let index = texts.firstIndex(of: text) ?? texts.count
    if index == texts.count { texts.append(text) }
    return "value\(index + 1)" + (name.map { " as \($0)" } ?? "")
  }
}

extension RowOrder {
  /// Whether the order is by date or by an attribute.
  fileprivate var isOfColumn: Bool {
    switch self {
    case .date: true
    case .keys: expressions.allSatisfy { $0.attribute != nil }
    }
  }
}

extension QuoteExpression {
  /// The attribute, if that is all.
  fileprivate var attribute: Attribute? { Attribute.allCases.first { self == .attribute($0) } }
}
