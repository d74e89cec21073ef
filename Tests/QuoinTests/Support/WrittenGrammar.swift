/// The table of signs in `docs/language.md`: which bind more tightly, and how they join.
struct WrittenGrammar {
  enum Join {
    case left, right, chain, once
  }

  /// The signs between operands, `is` and `not between` among them, and their ranks; 1 binds most tightly.
  private(set) var between: [String: (rank: Int, join: Join)] = [:]
  /// The signs before operands, and their ranks.
  private(set) var before: [String: Int] = [:]
  /// The texts that the documentation says mean the same.
  private(set) var equals: [(String, String)] = []

  var signs: [String] { Array(Set(between.keys).union(before.keys)) }
  var lowestRank: Int { between.values.map(\.rank).max() ?? 0 }

  /// Nil if there is no such table.
  init?() {
    guard let page = WrittenPage("docs/language.md").contents,
      let start = page.firstRange(of: "\n## The grammar\n")?.upperBound,
      let end = page[start...].firstRange(of: "\n## ")?.lowerBound
    else { return nil }
    let lines = page[start..<end].split(separator: "\n").map { $0.replacing("\\|", with: "\u{1}") }
    for line in lines {
      equals += line.matches(of: #/`([^`]+)` is `([^`]+)`/#).map { (String($0.1), String($0.2)) }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
      guard cells.count == 5, let rank = Int(cells[1]) else { continue }
      for sign in cells[2].split(separator: "`").map({ String($0.replacing("\u{1}", with: "|")) }) where sign != " " {
        switch cells[3] {
        case let text where text.hasPrefix("before"): before[sign] = rank
        case let text where text.hasPrefix("from the right"): between[sign] = (rank, .right)
        case let text where text.hasPrefix("a chain"): between[sign] = (rank, .chain)
        case let text where text.hasPrefix("once"): between[sign] = (rank, .once)
        default: between[sign] = (rank, .left)
        }
      }
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
