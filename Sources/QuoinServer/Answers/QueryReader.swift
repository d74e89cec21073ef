import QuandlService
import Quoin

/// The parameters of a request to one of the server's own routes.
///
/// Unknown names are refused: a misspelled condition that was ignored would select everything.
struct QueryReader {
  private var values: [String: [String]] = [:]
  /// The request's `accept` header.
  let accept: String?

  /// - Parameter known: the names that the request may have.
  /// - Throws: `Refusal` when it has others.
  init(_ request: ServiceRequest, known: [String]) throws(Refusal) {
    accept = request.accept
    for (name, value) in try request.query + Self.posted(request) where !Self.credentials.contains(name) {
      guard known.contains(name) else { throw Refusal.unknownParameter(name, among: known) }
      // A form sends all its fields, and those that are empty ask for nothing.
      if !value.isEmpty { values[name, default: []].append(value) }
    }
    if let name = request.namesAlone.first(where: known.contains) {
      throw .wrongParameter("'\(name)' has no value; write \(name)=, with the value, or leave it out")
    }
  }

  /// The names under which Quandl's clients send their key along.
  static let credentials = ["api_key", "auth_token"]

  /// The value of a parameter that may be given once.
  func value(_ name: String) throws(Refusal) -> String? {
    let values = values[name] ?? []
    guard values.count < 2 else { throw .wrongParameter("'\(name)' is given \(values.count) times; give it once") }
    return values.first
  }

  /// All values of a parameter.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The names and values of the object that a POST sends. A list gives a name several values.
  private static func posted(_ request: ServiceRequest) throws(Refusal) -> [(name: String, value: String)] {
    guard request.method == .post else { return [] }
    do { return try ServiceRequest.values(posted: request.body) } catch {
      throw .wrongParameter(
        #"the body isn't a JSON object of names and values, such as {"tickers": "FDX", "where": "high > 80"}"#)
    }
  }
}

/// What the parameters of one of the server's own routes ask for.
protocol ServerQuestion: RouteQuestion where Source == QueryReader {}

extension ServerQuestion {
  /// - Throws: `Refusal` when a parameter is unknown or wrong.
  init(_ request: ServiceRequest) throws {
    try self.init(reading: QueryReader(request, known: Self.parameters.map(\.name)))
  }
}

// The kinds of parameters, as rows of a question's table.

extension Parameter where Question.Source == QueryReader {
  /// A text that may be given once.
  static func text(
    _ name: String, _ meaning: String, _ values: ParameterDescription.Values = .text,
    default defaultValue: String? = nil, take: @escaping @Sendable (inout Question, String) throws -> Void
  ) -> Self {
    Self(ParameterDescription(name, meaning, values, defaultValue: defaultValue)) { query, question in
      if let text = try query.value(name) { try take(&question, text) }
    }
  }

  /// A text that may be given several times.
  static func texts(
    _ name: String, _ meaning: String, take: @escaping @Sendable (inout Question, String) throws -> Void
  ) -> Self {
    Self(ParameterDescription(name, meaning)) { query, question in
      for text in query.all(name) { try take(&question, text) }
    }
  }

  /// Texts with commas between them, which may be given in several parts.
  static func list(
    _ name: String, _ meaning: String, take: @escaping @Sendable (inout Question, [String]) throws -> Void
  ) -> Self {
    Self(ParameterDescription(name, meaning)) { query, question in
      let parts = query.all(name)
      guard !parts.isEmpty else { return }
      try take(
        &question, parts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) })
    }
  }

  static func day(
    _ name: String, _ meaning: String, take: @escaping @Sendable (inout Question, TradingDay) throws -> Void
  ) -> Self {
    text(name, meaning, .day) { question, text in
      try take(&question, TradingDay(served: text, of: name))
    }
  }

  /// One of some words.
  static func choice<Choice>(
    _ name: String, among type: Choice.Type, default defaultValue: Choice, _ meaning: String,
    take: @escaping @Sendable (inout Question, Choice) throws -> Void
  ) -> Self where Choice: RawRepresentable<String> & CaseIterable & SendableMetatype {
    let words = Choice.allCases.map(\.rawValue)
    let description = ParameterDescription(name, meaning, .words(words), defaultValue: defaultValue.rawValue)
    return Self(description) { query, question in
      guard let text = try query.value(name) else { return }
      guard let choice = Choice(rawValue: text) else {
        throw Refusal.wrongParameter("\(name)=\(text.prefix(40)): write one of \(words.joined(separator: ", "))")
      }
      try take(&question, choice)
    }
  }

  /// The form of the answer: the one of the parameter, else that of the `accept` header, else JSON.
  static func format(_ place: WritableKeyPath<Question, ServedFormat> & Sendable) -> Self {
    let chosen = choice(
      "format", among: ServedFormat.self, default: .json, "The form of the answer, else that of the accept header."
    ) { $0[keyPath: place] = $1 }
    return Self(chosen.description) { query, question in
      question[keyPath: place] = ServedFormat(accept: query.accept)
      try question.read([chosen], from: query)
    }
  }
}

extension TradingDay {
  /// The day that a parameter spells.
  init(served text: String, of parameter: String) throws(Refusal) {
    guard let day = TradingDay(text) else {
      throw .wrongParameter(
        "\(parameter)=\(text.prefix(40)) isn't a date; write it as YYYY-MM-DD, such as 2005-10-14")
    }
    self = day
  }
}
