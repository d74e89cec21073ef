/// A function of the language, as people look it up.
package struct LanguageEntry: Sendable {
  /// What a function is computed from.
  package enum Kind: String, CaseIterable, Sendable {
    case row
    case date
    case earlierRows = "earlier rows"
    case window
    case indicator
    case condition
    case sameDay = "same day"
    case aggregate
  }

  package let kind: Kind
  package let name: String
  package let meaning: String
  /// A call that can be asked as it stands.
  package let example: String
  /// What others call exactly this. These names are taken too.
  package let synonyms: [String]

  /// Whether a name is this one's, or a synonym, but for underscores and what others put before their functions of windows.
  func isCalled(likely name: String) -> Bool {
    let prefix = ["rolling_", "ts_", "ta_"].first(where: name.hasPrefix) ?? ""
    let letters = name.dropFirst(prefix.count).filter { $0 != "_" }
    return ([self.name] + synonyms).contains { $0.filter { $0 != "_" } == letters }
  }
}

/// All functions, each with a sentence and an example.
package enum LanguageReference {
  package static let entries =
    of(.row, RowFunction.named) + [choice] + CalendarField.allCases.map(date) + of(.earlierRows, ShiftFunction.all)
    + of(.window, WindowFunction.all) + of(.indicator, Indicator.all) + of(.condition, FlagFunction.all) + [
      daysSince, crossing,
    ]
    + of(.sameDay, DayFunction.all) + of(.aggregate, AggregateFunction.all)

  private static func of(_ kind: LanguageEntry.Kind, _ functions: [some Function]) -> [LanguageEntry] {
    functions.map {
      LanguageEntry(kind: kind, name: $0.name, meaning: $0.meaning, example: $0.example, synonyms: $0.synonyms)
    }
  }

  private static func date(_ field: CalendarField) -> LanguageEntry {
    LanguageEntry(
      kind: .date, name: field.rawValue, meaning: field.meaning, example: "\(field.rawValue)(date)",
      synonyms: field.synonyms)
  }

  private static let choice = LanguageEntry(
    kind: .row, name: "if",
    meaning: "The second value where the condition holds, else the third, or nothing; missing where that is unknown.",
    example: "if(close > open, 1, 0)", synonyms: ["iif", "iff", "ifelse", "if_else", "where"])

  private static let daysSince = LanguageEntry(
    kind: .condition, name: "days_since",
    meaning: "How many days of the calendar ago the condition held last; 0 if it holds.",
    example: "days_since(ex-dividend > 0)", synonyms: [])

  private static let crossing = LanguageEntry(
    kind: .condition, name: "crosses",
    meaning: "Whether the first value is above the second one, and wasn't in the row before.",
    example: "crosses(close, mean(close, 200))", synonyms: ["crossover", "crosses_above"])

  /// What a function of rows, or of groups, is called here that others call so; the word itself if nobody does. A word for one of
  /// groups is also one for that of rows that has the same name, and the other way round.
  static func name(of word: String, isOfGroups: Bool) -> String {
    (isOfGroups ? namesOfGroups : namesOfRows)[word] ?? word
  }

  private static let namesOfRows = names { $0.kind != .aggregate }
  private static let namesOfGroups = names { $0.kind == .aggregate }

  private static func names(_ isOfKind: (LanguageEntry) -> Bool) -> [String: String] {
    let own = entries.filter(isOfKind)
    let names = Set(own.map(\.name))
    let shared = entries.filter { !isOfKind($0) && names.contains($0.name) }
    var synonyms: [String: String] = [:]
    for entry in own + shared {
      for word in entry.synonyms where !names.contains(word) && synonyms[word] == nil { synonyms[word] = entry.name }
    }
    return synonyms
  }

  /// What to write for a name by itself that is no attribute; nil if nobody is known to use it.
  static func advice(on name: String) -> String? {
    let name = name.lowercased()
    return ForeignWord.named(name, .name)?.advice ?? example(of: name).map { "write \($0)" }
  }

  /// A call of a function of rows that has this name, or that others call so.
  static func example(of word: String) -> String? {
    let name = name(of: word, isOfGroups: false)
    return entries.first { $0.kind != .aggregate && $0.name == name }?.example
  }
}
