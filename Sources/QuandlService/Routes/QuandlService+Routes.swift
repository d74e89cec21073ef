import Quoin

/// What the parameters of one of the service's routes ask for.
protocol ServiceQuestion: RouteQuestion where Source == Parameters {}

/// How the service answers a route.
package struct ServiceHandler: Sendable {
  let answer: @Sendable (ServiceCall) throws -> ServiceAnswer
}

extension QuandlService {
  /// How every path of the API begins.
  package static let pathPrefix = "/api/v3/"

  /// Every route of the API. The file of its family has a route's description and its answer.
  package static let routes: [Route<ServiceHandler>] = datasetRoutes + databaseRoutes + tableRoutes

  /// The answer to a path that no route has.
  package static func unknownPath(_ path: RequestPath) -> ServiceError {
    guard path.isOfService, !path.words.isEmpty else {
      return ServiceError(
        .unknownRoute, "There is nothing at \(quoted(path.text)): paths begin with \(pathPrefix).")
    }
    let hint = knownPath(near: path).map { "; did you mean \($0)?" }
    return ServiceError(.unknownRoute, "There is nothing at \(quoted(path.text))\(hint ?? ".")")
  }

  /// The path with one word replaced by the one that was probably meant.
  private static func knownPath(near path: RequestPath) -> String? {
    for (index, word) in path.words.enumerated() {
      let known = routes.compactMap { $0.pattern.fixedWord(at: index) }
      guard let nearest = Suggestion.nearestName(to: String(word), among: known) else { continue }
      var words = path.words
      words[index] = nearest[...]
      if routes.contains(where: { $0.pattern.matches(words) }) { return "/" + words.joined(separator: "/") }
    }
    return nil
  }
}

extension Route where Answer == ServiceHandler {
  /// A route whose parameters ask for something: what it describes is what its answer is given.
  convenience init<Question: ServiceQuestion>(
    _ name: String, _ pattern: PathPattern, _ summary: String, methods: [ServiceRequest.Method] = [.get],
    asking question: Question.Type, mediaTypes: [MediaType],
    answer: @escaping @Sendable (ServiceCall, Question) throws -> ServiceAnswer
  ) {
    self.init(
      name, pattern, summary, methods: methods, parameters: Question.descriptions, mediaTypes: mediaTypes,
      answer: ServiceHandler { call in try answer(call, Question(reading: call.parameters)) })
  }

  /// A route without parameters.
  convenience init(
    _ name: String, _ pattern: PathPattern, _ summary: String, mediaTypes: [MediaType],
    answer: @escaping @Sendable (ServiceCall) throws -> ServiceAnswer
  ) {
    self.init(
      name, pattern, summary, mediaTypes: mediaTypes, answer: ServiceHandler(answer: answer))
  }
}
