import Quoin

/// Takes the parameters of a request one by one, and complains of what is left, for a misspelled condition that went
/// unnoticed would select everything.
struct QueryReader {
  private var values: [String: [String]] = [:]
  private let known: [String]

  /// - Parameter known: the names that the request may have.
  /// - Throws: `Refusal` when it has others.
  init(_ query: [(name: String, value: String)], known: [String]) throws(Refusal) {
    self.known = known
    for (name, value) in query where name != "api_key" && !value.isEmpty {
      guard known.contains(name) else { throw Self.unknown(name, known) }
      values[name, default: []].append(value)
    }
  }

  /// The value of a parameter that may be given once.
  func value(_ name: String) throws(Refusal) -> String? {
    let values = values[name] ?? []
    guard values.count < 2 else { throw .wrongParameter("'\(name)' is given \(values.count) times; give it once") }
    return values.first
  }

  /// The elements of a list with commas, which may also be given in several parts.
  func list(_ name: String) -> [String]? {
    values[name]?.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  /// All values of a parameter.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The one of some words that a parameter has, the first when it has none.
  func word<Word: RawRepresentable<String>>(_ name: String, of words: [Word]) throws(Refusal) -> Word? {
    guard let text = try value(name) else { return nil }
    guard let word = words.first(where: { $0.rawValue == text }) else {
      throw .wrongParameter("\(name)=\(text.prefix(40)): write one of \(words.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  private static func unknown(_ name: String, _ known: [String]) -> Refusal {
    let nearest = Suggestion.nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
    return .wrongParameter(
      "there is no parameter '\(name.prefix(40))'; " + (nearest ?? "there are \(known.joined(separator: ", "))"))
  }
}

extension OutputFormat {
  /// The forms that the server writes, the one it prefers first.
  static let served: [OutputFormat] = [.json, .csv, .ndjson]

  /// The form that a request asks for by its parameter or else by its header.
  init(_ query: QueryReader, accept: String?) throws(Refusal) {
    if let format = try query.word("format", of: Self.served) {
      self = format
    } else if let accept, !accept.contains("json"), accept.contains("text/csv") {
      self = .csv
    } else if let accept, accept.contains("ndjson") {
      self = .ndjson
    } else {
      self = .json
    }
  }

  var mediaType: String {
    switch self {
    case .csv: MediaType.csv
    case .ndjson: MediaType.ndjson
    default: MediaType.json
    }
  }
}
