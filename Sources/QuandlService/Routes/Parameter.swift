/// One parameter of a route: what is said of it, and how a question takes its value.
///
/// A row of `RouteQuestion.parameters` is the only place that knows a parameter, so that what is described is what is
/// read.
package struct Parameter<Question: RouteQuestion>: Sendable {
  package typealias Reader = @Sendable (Question.Source, inout Question) throws -> Void

  package let description: ParameterDescription
  /// Takes the parameter's value from where it came; leaves the question as it is when the parameter is absent.
  let read: Reader

  package init(_ description: ParameterDescription, read: @escaping Reader) {
    self.description = description
    self.read = read
  }

  package var name: String { description.name }

  /// The same parameter of a question that has this one as its part.
  package func part<Whole: RouteQuestion>(
    of place: WritableKeyPath<Whole, Question> & Sendable
  ) -> Parameter<Whole> where Whole.Source == Question.Source {
    Parameter<Whole>(description) { source, whole in try read(source, &whole[keyPath: place]) }
  }
}

/// What is said of a parameter.
package struct ParameterDescription: Sendable {
  /// What the value may be.
  package enum Values: Hashable, Sendable {
    case text
    case day
    /// Whole numbers, from a least one on if there is one.
    case number(from: Int?)
    case words([String])
  }

  package let name: String
  /// Another name that means the same.
  package let alias: String?
  package let meaning: String
  package let values: Values
  /// The value that an absent parameter has.
  package let defaultValue: String?

  package init(
    _ name: String, alias: String? = nil, _ meaning: String, _ values: Values = .text, defaultValue: String? = nil
  ) {
    self.name = name
    self.alias = alias
    self.meaning = meaning
    self.values = values
    self.defaultValue = defaultValue
  }

  /// The name and its alias.
  package var names: [String] { [name] + (alias.map { [$0] } ?? []) }
}

/// What the parameters of a route ask for.
package protocol RouteQuestion: Sendable {
  /// What the values are read from.
  associatedtype Source

  /// The question of a request without parameters.
  init()

  /// The question of a request.
  ///
  /// - Throws: what is wrong with a value, or with a name.
  init(reading source: Source) throws

  /// Every parameter, in the order in which they are read.
  static var parameters: [Parameter<Self>] { get }
}

extension RouteQuestion {
  package init(reading source: Source) throws {
    self.init()
    try read(Self.parameters, from: source)
  }

  /// Takes the values of some parameters.
  package mutating func read(_ parameters: [Parameter<Self>], from source: Source) throws {
    for parameter in parameters { try parameter.read(source, &self) }
  }

  package static var descriptions: [ParameterDescription] { parameters.map(\.description) }
}
