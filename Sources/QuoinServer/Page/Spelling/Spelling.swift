import Quoin

/// A question as a program asks it.
enum SpelledQuestion: Sendable, Equatable {
  /// What to paste.
  case text(String)
  /// A sentence that says why the program can't ask this.
  case cannot(String)
}

/// Spells a question for other programs. Each answers with the rows of `quoin scan`, in its order.
struct Spelling {
  let question: QuoteQuestion
  /// The fields that are given, as the user typed them but in one line each, in the order of the table.
  let texts: [QuestionText]

  /// - Throws: `QuestionError` when a text says nothing, or texts don't go together.
  init(_ texts: [QuestionText]) throws(QuestionError) {
    let lines = texts.map { (name: $0.name, text: $0.text.oneLine) }.filter { !$0.text.isEmpty }
    question = try QuoteQuestion(lines)
    self.texts = QuestionField.all.flatMap { field in lines.filter { $0.name == field.name } }
  }

  /// The text of a field; empty if it isn't given.
  subscript(name: QuestionField.Name) -> String { texts.first { $0.name == name }?.text ?? "" }

  var tickers: [TickerSymbol] { question.tickers ?? [] }

  /// The conditions as they were typed.
  var conditionTexts: [String] { texts.filter { $0.name == .where }.map(\.text) }

  /// An expression of the question, as it was typed if possible.
  ///
  /// - Parameter typed: a part of the question that begins with it, and ends with a name or a direction.
  static func text(of expression: QuoteExpression, in typed: some StringProtocol) -> String {
    let text = String(typed).oneLine
    let start = text.replacing(/\s+(?:as\s+\S+|asc|desc)$/.ignoresCase(), with: "")
    return (try? QuoteExpression(parsing: start)) == expression ? start : "\(expression)"
  }

  /// The columns' expressions, those that are computed.
  func expressions(of columns: [QuoteFormatter.Column.Listed]) -> [String?] {
    guard let listed = try? ListedColumn.list(parsing: self[.columns]), listed.count == columns.count else {
      return columns.map { $0.expression.map { "\($0)" } }
    }
    return listed.map { $0.expression == nil ? nil : $0.text.oneLine }
  }

  /// All conditions as one; nil if there is none.
  var condition: String? { Self.joined(conditionTexts) }

  /// A condition that all of some have to hold for; nil if there is none.
  static func joined(_ conditions: [String]) -> String? {
    conditions.count > 1 ? conditions.map { "(\($0))" }.joined(separator: " and ") : conditions.first
  }
}

extension String {
  /// The text in one line: what separates lines separates words of the query language too.
  var oneLine: String {
    let words = String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    return String(words.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The text; nil if it is empty.
  var presence: String? { isEmpty ? nil : self }
}
