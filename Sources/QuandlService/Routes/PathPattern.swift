/// The path of a route: words, and variables in braces, as in `/api/v3/datasets/{database}/{dataset}`.
package struct PathPattern: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let description: String
  private let words: [Word]

  private enum Word: Sendable {
    case fixed(Substring)
    /// Any word but an empty one.
    case variable(Substring)
  }

  package init(stringLiteral text: String) {
    description = text
    words = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { word in
      word.hasPrefix("{") ? .variable(word.dropFirst().dropLast()) : .fixed(word)
    }
  }

  package var variables: [String] {
    words.compactMap { if case .variable(let name) = $0 { String(name) } else { nil } }
  }

  /// The fixed word at an index; nil if there is a variable, or no word.
  func fixedWord(at index: Int) -> String? {
    guard index < words.count, case .fixed(let word) = words[index] else { return nil }
    return String(word)
  }

  func matches(_ path: RequestPath) -> Bool { matches(path.words) }

  func matches(_ candidates: [Substring]) -> Bool {
    guard candidates.count == words.count else { return false }
    return zip(words, candidates).allSatisfy { word, candidate in
      switch word {
      case .fixed(let word): word == candidate
      case .variable: !candidate.isEmpty
      }
    }
  }

  /// The value of a variable in a path that matches; nil when the pattern has no such variable.
  package func value(of variable: String, in path: RequestPath) -> String? {
    for (word, value) in zip(words, path.words) {
      if case .variable(let name) = word, name == variable { return String(value) }
    }
    return nil
  }

  /// The path whose variables have these values, in their order.
  func path(_ values: String...) -> String {
    var rest = values[...]
    let parts = words.map { word in
      switch word {
      case .fixed(let word): word
      case .variable: rest.popFirst()?[...] ?? ""
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
