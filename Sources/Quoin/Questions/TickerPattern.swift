/// Which tickers a condition is about. Tickers are in upper case, so the texts that they are compared with are too.
enum TickerPattern: Hashable, Sendable {
  case oneOf(Set<String>)
  /// SQL's LIKE: `%` stands for any characters, `_` for any one.
  case like(String)

  static func matching(oneOf tickers: some Sequence<String>) -> TickerPattern {
    .oneOf(Set(tickers.map { $0.uppercased() }))
  }

  static func matching(like pattern: String) -> TickerPattern { .like(pattern.uppercased()) }

  func matches(_ ticker: TickerSymbol) -> Bool {
    switch self {
    case .oneOf(let tickers): tickers.contains("\(ticker)")
    case .like(let pattern): Self.matches(Array("\(ticker)".utf8), Array(pattern.utf8))
    }
  }

  /// Goes along the pattern; at a mismatch, the last `%` takes one more character. Complexity: O(text x pattern).
  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (place, index) = (0, 0)
    var star: (index: Int, place: Int)?
    while place < text.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "%") {
        star = (index, place)
        index += 1
      } else if index < pattern.count, pattern[index] == UInt8(ascii: "_") || pattern[index] == text[place] {
        (place, index) = (place + 1, index + 1)
      } else if let last = star {
        star = (last.index, last.place + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "%") }
  }
}

extension TickerPattern: CustomStringConvertible {
  /// The condition in the query language.
  var description: String {
    switch self {
    case .oneOf(let tickers):
      tickers.count == 1
        ? "ticker = \(Self.quoted(tickers.first ?? ""))"
        : "ticker in (\(tickers.sorted().map(Self.quoted).joined(separator: ", ")))"
    case .like(let pattern): "ticker like \(Self.quoted(pattern))"
    }
  }

  private static func quoted(_ text: String) -> String { text.contains("'") ? "\"\(text)\"" : "'\(text)'" }
}
