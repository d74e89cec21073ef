import Quoin

/// A question of the page, as the address has it. Texts are as the user typed them.
struct AskedQuestion: Sendable, Equatable {
  /// Empty for the whole market.
  var tickers: [TickerSymbol] = []
  var first: TradingDay?
  var last: TradingDay?
  /// All of them have to hold.
  var conditions: [String] = []
  /// A list such as `date, close, mean(close, 20) as ma`; empty for all 14 columns.
  var columns = ""
  /// A list such as `mean(close), sum(volume)`; empty if rows are asked for.
  var aggregates = ""
  /// The groups of the aggregates, as `/api/v1/aggregate` takes them.
  var by = ""
  var having = ""
  /// What rows or groups are ordered by: `date desc`, `volume desc`, `mean(close) desc`.
  var order = ""
  var limit: Int?
}

/// A question as a program asks it.
enum SpelledQuestion: Sendable, Equatable {
  /// What to paste.
  case text(String)
  /// A sentence that says why the program can't ask this.
  case cannot(String)
}

/// Spells a question for other programs. Each answers with the rows of `quoin scan`, in its order.
struct Spelling {
  /// With its texts in one line each.
  let question: AskedQuestion
  let subject: Subject

  /// What is asked for.
  enum Subject {
    case rows([QuoteFormatter.Column.Listed], RowOrder)
    case groups(GroupQuestion, Grouping?)
  }

  /// - Throws: `Refusal` when a text of the question says nothing.
  init(_ asked: AskedQuestion) throws(Refusal) {
    var question = asked
    question.conditions = asked.conditions.map(\.oneLine).filter { !$0.isEmpty }
    for text in [\AskedQuestion.columns, \.aggregates, \.by, \.having, \.order] {
      question[keyPath: text] = asked[keyPath: text].oneLine
    }
    for condition in question.conditions {
      do throws(PredicateSyntaxError) { _ = try Predicate(parsing: condition) } catch {
        throw Refusal.wrongParameter("where: \(error)")
      }
    }
    subject = question.aggregates.isEmpty ? try Self.rows(question) : try Self.groups(question)
    self.question = question
  }

  private static func rows(_ question: AskedQuestion) throws(Refusal) -> Subject {
    let all = QuoteFormatter.Column.all.map { QuoteFormatter.Column.Listed($0, nil) }
    return .rows(
      question.columns.isEmpty ? all : try QuoteFormatter.Column.listed(question.columns, of: "columns"),
      question.order.isEmpty ? .date(.ascending) : try RowOrder(served: question.order))
  }

  private static func groups(_ question: AskedQuestion) throws(Refusal) -> Subject {
    .groups(
      try GroupQuestion(
        served: question.aggregates, having: question.having.presence, order: question.order.presence),
      question.by.isEmpty ? nil : try Grouping.served(question.by))
  }

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
    guard let listed = try? ListedColumn.list(parsing: question.columns), listed.count == columns.count else {
      return columns.map { $0.expression.map { "\($0)" } }
    }
    return listed.map { $0.expression == nil ? nil : $0.text.oneLine }
  }

  /// All conditions as one; nil if there is none.
  var condition: String? { Self.joined(question.conditions) }

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
