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
    var parser = try PredicateParser(text, definitions)
    if let order = parser.dateOrder() {
      self = .date(order)
    } else {
      let (expression, isDescending) = try parser.order()
      self = .values(expression, isDescending ? .descending : .ascending)
    }
  }
}

/// The first rows of each day by the values of an expression.
package struct TopRows: Sendable {
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
  /// The order that `date`, a direction or both spell, when there is nothing else.
  fileprivate func dateOrder() -> DateOrder? {
    var rest = self
    if rest.token.isWord("date") { rest.advance() }
    guard let direction = rest.direction() else {
      return rest.token.kind == .end && token.kind != .end ? .ascending : nil
    }
    return rest.token.kind == .end ? direction : nil
  }

  /// `asc` or `desc`, if one of them comes.
  private mutating func direction() -> DateOrder? {
    guard case .word(let word) = token.kind, let order = DateOrder(rawValue: word) else { return nil }
    advance()
    return order
  }

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
    return (expression, direction() ?? usual)
  }

  fileprivate mutating func topRows() throws(PredicateSyntaxError) -> (Int, QuoteExpression, DateOrder) {
    guard case .number(let literal) = token.kind, case .at(let count) = literal.exactNumber.integerPosition, count > 0
    else { throw error("the first rows of each day are written '3 by change(close) per day'", at: token) }
    advance()
    guard token.isWord("by") else {
      let rows = count == 1 ? "row" : "rows"
      throw error(
        "the first \(count) \(rows) by what? Write '\(count) by change(close) per day'; for those of all days, order rows by "
          + "'volume desc' with the limit \(count)", at: token)
    }
    advance()
    let (expression, order) = try ordering(.descending)
    guard token.isWord("per"), following.isWord("day") else {
      throw error(
        "expected 'per day'; for the first rows of all days, give an order and the limit \(count)", at: token)
    }
    advance()
    advance()
    guard token.kind == .end else { throw expected("the end") }
    return (Int(count), expression, order)
  }
}
