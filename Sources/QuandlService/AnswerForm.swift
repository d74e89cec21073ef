import Quoin

/// The text form of an answer.
enum AnswerForm: String, CaseIterable {
  case json
  case csv

  /// The form that a path's extension asks for, or else an `accept` header: JSON, unless CSV alone is accepted.
  init(extension form: AnswerForm?, accept: String?) {
    let accepted = accept?.prefix(1024).lowercased() ?? ""
    self = form ?? (accepted.contains("text/csv") && !accepted.contains("json") ? .csv : .json)
  }

  var headers: [(name: String, value: String)] {
    switch self {
    case .json: [("content-type", "application/json; charset=utf-8")]
    case .csv: [("content-type", "text/csv; charset=utf-8")]
    }
  }

  var rows: RowText.Form {
    switch self {
    case .json: .json
    case .csv: .csv
    }
  }
}
