import Quoin

extension Suggestion {
  /// How a sentence about an unknown name ends, `; did you mean high?`; nil if no known name is near.
  ///
  /// - Parameter shown: how the nearest name is written.
  package static func didYouMean(
    _ name: some StringProtocol, among known: some Sequence<String>, shown: (String) -> String = { $0 }
  ) -> String? {
    nearestName(to: String(name), among: known).map { "; " + question(shown($0), .none) }
  }
}
