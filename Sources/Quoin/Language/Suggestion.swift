/// What someone who misspelled a name may have meant.
package enum Suggestion {
  /// The candidate that the fewest edits separate from `name`, whatever the case; nil when none is near enough.
  ///
  /// An edit inserts, deletes or replaces one character or swaps two neighbors (the "optimal string alignment"
  /// distance). Near enough is one edit for each three characters, at least one. Complexity: O(name x candidates).
  package static func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
    let typed = Array(name.lowercased().utf8)
    guard typed.count <= 64 else { return nil }
    var best: String?
    var bestDistance = max(1, typed.count / 3) + 1
    for candidate in candidates {
      let distance = editDistance(typed, Array(candidate.lowercased().utf8))
      if distance < bestDistance { (best, bestDistance) = (candidate, distance) }
    }
    return best
  }

  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        var distance = min(previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, beforePrevious[j - 1] + 1) }
        current.append(distance)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[b.count]
  }
}

extension Suggestion {
  /// How a question shows the name it asks about.
  package enum Quotes: String {
    case single = "'"
    case none = ""
  }

  /// `did you mean 'high'?`
  package static func question(_ meant: String, _ quotes: Quotes = .single) -> String {
    "did you mean \(quotes.rawValue)\(meant)\(quotes.rawValue)?"
  }

  /// `did you mean 'high'?`, asked about the candidate nearest to `name`; nil when none is near enough.
  package static func question(
    for name: String, among candidates: some Sequence<String>, _ quotes: Quotes = .single
  ) -> String? {
    nearestName(to: name, among: candidates).map { question($0, quotes) }
  }

  /// The question about the candidate nearest to `name`; when none is near enough, all of them: `there are open, high, low`,
  /// or `there are none`. The list ends with `end`.
  package static func hint(
    for name: String, among candidates: [String], _ quotes: Quotes = .single, end: String = ""
  ) -> String {
    question(for: name, among: candidates, quotes)
      ?? "there are \(candidates.isEmpty ? "none" : candidates.joined(separator: ", "))\(end)"
  }
}
