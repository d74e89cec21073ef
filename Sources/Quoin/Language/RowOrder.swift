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
    } else if words.first == "date", words.count <= 2, let order = DateOrder(rawValue: words.count == 2 ? words[1] : "asc") {
      self = .date(order)
    } else {
      var parser = try PredicateParser(text, definitions)
      let (expression, isDescending) = try parser.order()
      self = .values(expression, isDescending ? .descending : .ascending)
    }
  }
}
