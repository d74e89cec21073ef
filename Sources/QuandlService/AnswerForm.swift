import Quoin

/// The text form of an answer.
enum AnswerForm: String, CaseIterable {
  case json
  case csv
  case xml

  /// The form that a path's extension asks for, or else an `accept` header: JSON, unless only another one is accepted.
  init(of path: RequestPath, accept: String?) {
    if let form = path.form {
      self = form
    } else {
      let accepted = accept?.prefix(1024).lowercased() ?? ""
      self =
        if accepted.contains("json") {
          .json
        } else if accepted.contains("text/csv") {
          .csv
        } else if accepted.contains("application/xml"), !accepted.contains("html") {
          // Browsers accept XML too, beside HTML.
          .xml
        } else {
          .json
        }
    }
  }

  var mediaType: MediaType {
    switch self {
    case .json: .json
    case .csv: .csv
    case .xml: .xml
    }
  }

  var rows: RowText.Form {
    switch self {
    case .json: .json
    case .csv: .csv
    case .xml: .xml
    }
  }
}
