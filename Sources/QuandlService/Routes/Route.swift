/// One route of an API: the paths that it answers, everything that is said of it, and its answer.
///
/// This is the only place that knows a route. Dispatch, the method check, the labels of metrics
/// and the OpenAPI document all read it.
package final class Route<Answer: Sendable>: Sendable {
  /// The operation's name in OpenAPI: `datasetData`.
  package let name: String
  package let pattern: PathPattern
  package let summary: String
  /// The methods that are answered. HEAD is answered wherever GET is.
  package let methods: [ServiceRequest.Method]
  /// The parameters of the query. A POST sends them as one JSON object.
  package let parameters: [ParameterDescription]
  /// The forms in which the answer comes, the default first.
  package let mediaTypes: [MediaType]
  package let answer: Answer

  package init(
    _ name: String, _ pattern: PathPattern, _ summary: String, methods: [ServiceRequest.Method] = [.get],
    parameters: [ParameterDescription] = [], mediaTypes: [MediaType], answer: Answer
  ) {
    self.name = name
    self.pattern = pattern
    self.summary = summary
    self.methods = methods
    self.parameters = parameters
    self.mediaTypes = mediaTypes
    self.answer = answer
  }

  /// The same route with another kind of answer.
  package func answered<Other>(by answer: Other) -> Route<Other> {
    Route<Other>(
      name, pattern, summary, methods: methods, parameters: parameters, mediaTypes: mediaTypes,
      answer: answer)
  }
}

extension Sequence {
  /// The route that answers a path; nil when there is none.
  package func route<Answer>(of path: RequestPath) -> Route<Answer>? where Element == Route<Answer> {
    first { $0.pattern.matches(path) }
  }
}
