/// The order in which a ticker's rows come.
public enum DateOrder: String, CaseIterable, Hashable, Sendable, Codable {
  /// The oldest first.
  case ascending = "asc"
  /// The newest first.
  case descending = "desc"

  /// The order that a word names, in any case: `asc` or `ascending`, `desc` or `descending`; nil for any other word.
  public init?(rawValue word: String) {
    switch word.lowercased() {
    case "asc", "ascending": self = .ascending
    case "desc", "descending": self = .descending
    default: return nil
    }
  }
}
