/// The order in which rows are wanted.
package enum RowOrder {
  /// Each ticker's by date, which is how they are stored.
  case date(DateOrder)
  /// All of them by the first key, those that it doesn't tell apart by the second, and so on; then by ticker and date.
  case keys([RowKey])

  /// The order that `text` spells: `desc`, `date desc`, `change(close)`, `volume desc, date`.
  ///
  /// ```
  /// order = [ "asc" | "desc" ]                  each ticker's rows by date
  ///       | key { "," key }
  /// key   = ( "date" | "ticker" | sum ) [ "asc" | "desc" ]
  /// ```
  ///
  /// - Throws: `PredicateSyntaxError`.
  package init(parsing text: String, _ definitions: Definitions = Definitions()) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text, definitions)
    if let order = parser.onlyDirection() {
      self = .date(order)
    } else {
      self = .keys(
        try parser.order { parser throws(PredicateSyntaxError) in try parser.rowKey() }.map { RowKey($0, $1) })
    }
  }

  /// The same order for the rows of these tickers: that of the store if it is the same. Nil stands for all tickers.
  package func simplified(for tickers: [TickerSymbol]?) -> RowOrder {
    guard case .keys(var keys) = self else { return self }
    let areRising = tickers.map { zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } } ?? true
    if tickers?.count == 1 {
      keys.removeAll { $0.value == .ticker }
    } else if areRising, keys[0] == RowKey(.ticker) {
      keys.removeFirst()
    } else {
      return self
    }
    // A ticker has one row a day.
    if keys.isEmpty { return .date(.ascending) }
    return keys[0].value == .period(.day) ? .date(keys[0].order) : self
  }

  /// Whether one of its keys is the ticker, as it is for the first rows of each.
  var isByTicker: Bool {
    if case .keys(let keys) = self { keys.contains { $0.value == .ticker || $0.value == .askedTicker } } else { false }
  }

  /// The keys that are computed.
  package var expressions: [QuoteExpression] {
    if case .keys(let keys) = self { keys.compactMap(\.expression) } else { [] }
  }
}

extension TopRows {
  /// What `text` spells: `3 by change(close) per day`, from the largest value on, or `3 by close asc per ticker, year`.
  ///
  /// ```
  /// top = count "by" ( sum | "date" ) [ "asc" | "desc" ] "per" key { "," key }
  /// ```
  ///
  /// Keys are those of groups, of all tickers together unless the ticker is one of them.
  ///
  /// - Throws: `PredicateSyntaxError`.
  package init(parsing text: String, _ definitions: Definitions = Definitions()) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text, definitions)
    self = try parser.topRows()
  }

  /// The order in which the rows are listed: group by group.
  package var rowOrder: RowOrder {
    .keys(grouping.keys.map { RowKey(groupedBy: $0) } + [RowKey(.expression(expression), order)])
  }
}

extension QuoteQuery {
  /// Keeps those of the selected quotes that come first in their group.
  package func top(_ rows: TopRows) -> QuoteQuery {
    top(rows.count, by: rows.expression, rows.order, per: rows.grouping)
  }
}

extension PredicateParser {
  /// The direction that is all of the text.
  func onlyDirection() -> DateOrder? {
    var rest = self
    guard let direction = rest.direction(), rest.token.kind == .end else { return nil }
    return direction
  }

  /// `asc` or `desc`, if one of them comes.
  mutating func direction() -> DateOrder? {
    guard case .word(let word) = token.kind, let order = DateOrder(rawValue: word) else { return nil }
    advance()
    return order
  }

  /// Keys with commas between them, each with its direction: `volume desc, date`.
  mutating func order<Key>(
    _ key: (inout PredicateParser) throws(PredicateSyntaxError) -> Key
  ) throws(PredicateSyntaxError) -> [(Key, DateOrder)] {
    try list("'asc', 'desc', a comma or the end", among: ["asc", "desc"]) { parser throws(PredicateSyntaxError) in
      let key = try key(&parser)
      return (key, parser.direction() ?? .ascending)
    }
  }

  fileprivate mutating func rowKey() throws(PredicateSyntaxError) -> RowKey.Value {
    let start = token
    let phrase = try phrase()
    switch phrase {
    case .value(.date): return .period(.day)
    case .value(.ticker): return .ticker
    default: return .expression(try sorted(phrase, from: start))
    }
  }

  /// What rows or groups are ordered by. A number is the same for all: `2` is no column.
  func sorted(_ phrase: Phrase, from start: PredicateToken) throws(PredicateSyntaxError) -> QuoteExpression {
    let expression = try expression(phrase, from: start)
    if expression.isConstant {
      throw error("a number orders nothing; name the column, as in \(isOfGroups ? "count" : "volume") desc", at: start)
    }
    return expression
  }

  fileprivate mutating func topRows() throws(PredicateSyntaxError) -> TopRows {
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
    let expression =
      switch try rowKey() {
      case .expression(let expression): expression
      case .period: QuoteExpression.calendar(.dayNumber)
      case .ticker, .askedTicker: throw error("the first rows by their ticker are those of one ticker alone", at: token)
      }
    let order = direction() ?? .descending
    guard token.isWord("per") else {
      throw error(
        "expected 'per day', 'per ticker' or other groups; for the first rows of all, give an order and the limit "
          + "\(count)", at: token)
    }
    advance()
    let start = token
    let keys = try groupingKeys().keys
    guard !keys.isEmpty else {
      throw error("for the first rows of all, give an order and the limit \(count)", at: start)
    }
    return TopRows(count: Int(count), expression: expression, order: order, grouping: Grouping(keys))
  }
}
