/// Why a question can't be asked, and which of its fields is wrong.
public struct QuestionError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The text of the field means nothing.
    case text
    /// Each field is right by itself, but they don't go together.
    case combination
  }

  package let kind: Kind
  /// The field that is wrong.
  public let field: QuestionField.Name
  /// What is wrong, without the name of the field; an error of the language has three lines.
  package let sentence: QuestionSentence
  /// What the language says of the text; nil if it is something else.
  package let syntax: PredicateSyntaxError?

  /// The text of a field isn't of the language.
  init(_ field: QuestionField.Name, _ error: PredicateSyntaxError) {
    (kind, self.field, sentence, syntax) = (.text, field, "\(error.description)", error)
  }

  /// The text of a field means nothing.
  init(_ field: QuestionField.Name, text sentence: QuestionSentence) {
    (kind, self.field, self.sentence, syntax) = (.text, field, sentence, nil)
  }

  /// A field doesn't go with others.
  init(_ field: QuestionField.Name, against sentence: QuestionSentence) {
    (kind, self.field, self.sentence, syntax) = (.combination, field, sentence, nil)
  }

  /// A sentence that begins with the field; of a text of the language, lines that show the place come after it.
  public var description: String { text() }

  /// `where: expected a number` or `having needs aggregates`, with the names of fields as somebody spells them.
  package func text(spelling: (QuestionField.Name) -> String = { $0.rawValue }) -> String {
    "\(spelling(field))\(kind == .text ? ": " : " ")\(sentence.text(spelling: spelling))"
  }
}

/// A sentence that names fields of a question, which the command, HTTP and other languages spell in ways of their own.
package struct QuestionSentence: Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Part: Sendable {
    case words(String)
    case field(QuestionField.Name)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }
    package mutating func appendInterpolation(_ name: QuestionField.Name) { parts.append(.field(name)) }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.words(value.description))
    }
  }

  /// Of what is asked of groups.
  static let needsAggregates: QuestionSentence = "needs \(.aggregates), such as 'mean(close)'"

  private let parts: [Part]

  package init(stringLiteral text: String) { parts = [.words(text)] }
  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  package func text(spelling: (QuestionField.Name) -> String) -> String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .field(let name): spelling(name)
      }
    }.joined()
  }
}
