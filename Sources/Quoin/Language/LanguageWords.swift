/// The names of the language, for whoever completes them.
package enum LanguageWords {
  /// The functions of rows, each once.
  package static let functions = LanguageReference.entries.reduce(into: [String]()) { names, entry in
    if entry.kind != .aggregate, !names.contains(entry.name) { names.append(entry.name) }
  }

  /// The functions of groups.
  package static let aggregates = AggregateFunction.all.map(\.name)

  /// The functions of a kind.
  package static func words(_ kind: LanguageEntry.Kind) -> [String] {
    LanguageReference.entries.filter { $0.kind == kind }.map(\.name)
  }
}
