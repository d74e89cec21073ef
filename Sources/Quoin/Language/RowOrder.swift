/// The order in which rows are wanted.
package enum RowOrder {
  /// Each ticker's by date.
  case date(DateOrder)
  /// All of them by the values of an expression.
  case values(QuoteExpression, DateOrder)

  /// The order that `text` spells: `asc`, `desc`, `date desc`, `volume desc`, `change(close)`.
  ///
  /// - Throws: `PredicateSyntaxError`.
  package init(parsing text: String, _ definitions: Definitions = Definitions()) throws(PredicateSyntaxError) {
    let words = text.split(separator: " ").map { $0.lowercased() }
    if words.count == 1, let order = DateOrder(rawValue: words[0]) {
      self = .date(order)
    } else if words.first == "date", words.count <= 2,
      let order = DateOrder(rawValue: words.count == 2 ? words[1] : "asc")
    {
      self = .date(order)
    } else {
      var parser = try PredicateParser(text, definitions)
      let (expression, isDescending) = try parser.order()
      self = .values(expression, isDescending ? .descending : .ascending)
    }
  }
}

/// The first rows of each day by the values of an expression.
package struct TopRows {
  package let count: Int
  package let expression: QuoteExpression
  package let order: DateOrder

  /// What `text` spells: `3 by change(close) per day`, from the largest value on, or `3 by close asc per day`.
  ///
  /// - Throws: `PredicateSyntaxError`.
  package init(parsing text: String, _ definitions: Definitions = Definitions()) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text, definitions)
    (count, expression, order) = try parser.topRows()
  }
}

extension QuoteQuery {
  /// Keeps those of the selected quotes that come first on their day.
  package func top(_ rows: TopRows) -> QuoteQuery { topOfDay(rows.count, by: rows.expression, rows.order) }
}

extension PredicateParser {
  /// An expression, and whether the largest come first: `volume desc`.
  mutating func order() throws(PredicateSyntaxError) -> (expression: QuoteExpression, isDescending: Bool) {
    let (expression, order) = try ordering(.ascending)
    guard token.kind == .end else { throw expected("'asc', 'desc' or the end", among: ["asc", "desc"]) }
    return (expression, order == .descending)
  }

  private mutating func ordering(
    _ usual: DateOrder
  ) throws(PredicateSyntaxError) -> (expression: QuoteExpression, order: DateOrder) {
    let start = token
    let phrase = try phrase()
    let expression = try expression(phrase, from: start)
    guard token.isWord("desc") || token.isWord("asc") else { return (expression, usual) }
    return (expression, advance().isWord("desc") ? .descending : .ascending)
  }

  fileprivate mutating func topRows() throws(PredicateSyntaxError) -> (Int, QuoteExpression, DateOrder) {
    guard case .number(let literal) = token.kind, case .at(let count) = literal.exactNumber.integerPosition, count > 0
    else { throw error("the first rows of each day are written '3 by change(close) per day'", at: token) }
    advance()
    guard token.isWord("by") else {
      let rows = count == 1 ? "row" : "rows"
      throw error(
        "the first \(count) \(rows) by what? Write '\(count) by change(close) per day', or --order 'volume desc' --limit \(count) "
          + "for those of all days", at: token)
    }
    advance()
    let (expression, order) = try ordering(.descending)
    guard token.isWord("per"), following.isWord("day") else {
      throw error(
        "expected 'per day'; for the first rows of all days, write --order and --limit \(count)", at: token)
    }
    advance()
    advance()
    guard token.kind == .end else { throw expected("the end") }
    return (Int(count), expression, order)
  }
}
