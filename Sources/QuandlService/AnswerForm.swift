import Quoin

/// The text form of an answer.
enum AnswerForm: String, CaseIterable {
  case json
  case csv

  /// The extension of a form that Quandl wrote and the service doesn't.
  static let unsupportedExtension = "xml"

  /// The form that a path's extension asks for, or else an `accept` header: JSON, unless CSV alone is accepted.
  init(of path: RequestPath, accept: String?) throws(ServiceError) {
    if let name = path.pathExtension {
      guard let form = AnswerForm(rawValue: name) else { throw .noXML }
      self = form
    } else {
      let accepted = accept?.prefix(1024).lowercased() ?? ""
      self = accepted.contains("text/csv") && !accepted.contains("json") ? .csv : .json
    }
  }

  var mediaType: MediaType {
    switch self {
    case .json: .json
    case .csv: .csv
    }
  }

  var rows: RowText.Form {
    switch self {
    case .json: .json
    case .csv: .csv
    }
  }
}

extension ServiceError {
  static let noXML = ServiceError(.unknownFormat, "There is no XML here: ask for .json or .csv.")
}
