/// A function of the language: its name, and what people read of it. Its family says how it is called and what it amounts to.
///
/// All that is known of a function stands in one place, in the list of its family. Functions are objects, so two are the same if they
/// are the same object, and a question that has many of them stays small.
protocol Function: AnyObject, Hashable, Sendable, CustomStringConvertible {
  /// All of the family, in the order in which they are listed.
  static var all: [Self] { get }
  var name: String { get }
  /// What it is, in a sentence.
  var meaning: String { get }
  /// A call that can be asked as it stands.
  var example: String { get }
  /// What others call exactly this. The language takes these names too.
  var synonyms: [String] { get }
}

extension Function {
  static func named(_ name: String) -> Self? { all.first { $0.name == name } }

  static func == (a: Self, b: Self) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  var description: String { name }
}
