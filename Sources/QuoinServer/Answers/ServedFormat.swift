import QuandlService
import Quoin

/// The output formats that the server's own routes write, the default first.
///
/// A format of the engine is served once it has a case here, with a media type of its own.
enum ServedFormat: String, CaseIterable {
  case json, csv, ndjson, arrow

  /// The format that an `accept` header asks for.
  init(accept: String?) {
    let accept = accept ?? ""
    self =
      if !accept.contains("json"), accept.contains("text/csv") {
        .csv
      } else if accept.contains("ndjson") {
        .ndjson
      } else if accept.contains(MediaType.arrow.name) {
        .arrow
      } else {
        .json
      }
  }

  var output: OutputFormat {
    switch self {
    case .json: .json
    case .csv: .csv
    case .ndjson: .ndjson
    // A stream, for a program reads an answer from its beginning to its end.
    case .arrow: .arrows
    }
  }

  var mediaType: MediaType {
    switch self {
    case .json: .json
    case .csv: .csv
    case .ndjson: .ndjson
    case .arrow: .arrow
    }
  }

  static let mediaTypes = allCases.map(\.mediaType)
}
