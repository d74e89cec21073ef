import Quoin

/// A mistake in a question, in the form of Quandl's errors: a code, a status, and a sentence that says what is wrong,
/// where, and what would be right.
package struct ServiceError: Error, Equatable {
  /// Quandl's code, whose third letter gives the class: `C` for not found, `S` for a bad request, `L` for a limit, `M`
  /// for the service's own failure.
  package enum Code: String, Sendable {
    case unknownRoute = "QECx01"
    case unknownCode = "QECx02"
    case missingValue = "QESx02"
    case badParameter = "QESx04"
    case unknownFormat = "QESx05"
    case badCursor = "QESx06"
    case unknownColumn = "QESx08"
    case tooLarge = "QELx08"
    case internalFailure = "QEMx01"

    var status: Int {
      switch self {
      case .unknownRoute, .badCursor: 400
      case .unknownCode: 404
      case .unknownFormat: 406
      case .tooLarge: 413
      case .missingValue, .badParameter, .unknownColumn: 422
      case .internalFailure: 500
      }
    }
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A parameter can't have this value.
  static func badValue(_ value: String, of name: String, _ expectation: String) -> ServiceError {
    ServiceError(.badParameter, "\(name) can't be \(quoted(value)): \(expectation).")
  }

  /// A filter has no value. A script whose variable is empty would get the whole table.
  static func noValue(of name: String, _ comparison: TableComparison) -> ServiceError {
    ServiceError(
      .missingValue,
      "You are missing a value after operator '\(comparison.rawValue)'. Give \(quoted(name)) one, or leave it out.")
  }

  /// A parameter has a value that isn't among its choices.
  static func badChoice(_ value: String, of name: String, among choices: [String]) -> ServiceError {
    let question = Suggestion.question(for: value, among: choices, .none)
    let hint = question.map { "; \($0)" } ?? ": it is one of \(choices.joined(separator: ", "))."
    return ServiceError(.badParameter, "\(name) can't be \(quoted(value))\(hint)")
  }

  package var answer: ServiceAnswer {
    let error: JSONValue = ["quandl_error": ["code": .string(code.rawValue), "message": .string(message)]]
    return ServiceAnswer(status: code.status, json: error)
  }
}

/// A text from outside as part of a sentence: in quotes, and cut off if it is long.
func quoted(_ text: String) -> String {
  let beginning = text.prefix(60)
  return "'\(beginning)\(beginning.endIndex < text.endIndex ? "..." : "")'"
}
