extension Suggestion {
  /// The most tickers that a question names.
  private static let tickerCountMax = 5

  /// The tickers that someone may have meant by `name`, which none of them is: those that differ from it only in `.`, `-` and
  /// `_`; then those that only have a suffix more or less, as `AAPL.US` and `CL=F` have; if there are none of either, the
  /// nearest one; and if there is none, those that abbreviate it, as `FDX` does `FedEx`.
  ///
  /// - Parameter tickers: all tickers, ascending.
  /// - Returns: a few at most. Complexity: O(name x tickers).
  package static func tickers(for name: String, among tickers: [TickerSymbol]) -> [TickerSymbol] {
    let beginning = name.utf8.prefix(Limits.tickerByteCount + 1)
    let wanted = beginning.map { TickerSymbol.folded(TickerSymbol.canonical($0) ?? $0) }
    var (alike, longer): ([TickerSymbol], [TickerSymbol]) = ([], [])
    for ticker in tickers where TickerSymbol.folded(ticker[0]) == wanted.first {
      let found = ticker.utf8.map(TickerSymbol.folded)
      if found == wanted {
        alike.append(ticker)
      } else if found.differsBySuffix(from: wanted) {
        longer.append(ticker)
      }
    }
    let meant = (alike + longer).prefix(tickerCountMax)
    guard meant.isEmpty else { return Array(meant) }
    let nearest = nearestName(to: name, among: tickers.lazy.map(\.description))
    return nearest.flatMap { try? TickerSymbol($0) }.map { [$0] } ?? abbreviations(of: name, among: tickers)
  }

  /// The tickers whose letters a name has in this order, as those of `FedEx` and `Microsoft` are: the longest ones.
  private static func abbreviations(of name: String, among tickers: [TickerSymbol]) -> [TickerSymbol] {
    let letters = name.utf8.prefix(100).compactMap(TickerSymbol.canonical)
    let found = tickers.filter { ticker in
      guard ticker.utf8.count >= 3, ticker[0] == letters.first else { return false }
      var rest = letters[...]
      return ticker.utf8.allSatisfy { letter in
        guard let place = rest.firstIndex(of: letter) else { return false }
        rest = rest[(place + 1)...]
        return true
      }
    }
    let longest = found.map(\.utf8.count).max() ?? 0
    return Array(found.filter { $0.utf8.count == longest }.prefix(tickerCountMax))
  }

  /// `A%` for `A*`; nil for what is no pattern of tickers.
  private static func pattern(of name: String) -> String? {
    guard name.contains(where: { "*?%".contains($0) }), name.utf8.count <= 32,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "*?%._-".contains($0)) })
    else { return nil }
    return name.replacing("*", with: "%").replacing("?", with: "_")
  }

  /// `did you mean BRK-A or BRK.A?`, asked about the tickers that `name` may mean; nil if there are none.
  ///
  /// - Parameter prefix: what stands before each of them.
  package static func question(
    forTicker name: String, among tickers: [TickerSymbol], prefix: String = ""
  ) -> String? {
    if let pattern = pattern(of: name) { return "a pattern is a condition: ticker like '\(pattern)'" }
    let names = self.tickers(for: name, among: tickers).map { prefix + $0.description }
    guard let last = names.last else { return nil }
    let others = names.dropLast().joined(separator: ", ")
    return question(others.isEmpty ? last : "\(others) or \(last)", .none)
  }
}

extension [UInt8] {
  /// Whether one of both is the other and a suffix, which begins with something other than a letter or a digit.
  fileprivate func differsBySuffix(from other: [UInt8]) -> Bool {
    let (short, long) = count < other.count ? (self, other) : (other, self)
    guard !short.isEmpty, short.count < long.count, long.starts(with: short) else { return false }
    switch long[short.count] {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return false
    default: return true
    }
  }
}
