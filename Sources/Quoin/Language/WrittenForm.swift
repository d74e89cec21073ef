/// What to write in place of a word, with places for what somebody wrote: `crosses({2:mean(close, 50)}, {1:close})`.
///
/// A place has a key and what stands there if nothing is known. The keys are
/// - `1`, `2`, ...: the arguments of a call;
/// - `before`: the value before a word; `left` and `right`: all that is on its sides; `call`: the call around it;
/// - `count` and `suffix`: the number before a word, and its letter; `n`: which of the words it is.
struct WrittenForm: Sendable {
  private struct Piece {
    /// The text before the place.
    let text: String
    let key: String
    let usual: String
  }

  private let pieces: [Piece]
  private let end: String
  /// With what stands there if nothing is known.
  let usual: String

  init(_ template: String) {
    var (pieces, rest): ([Piece], Substring) = ([], template[...])
    while let open = rest.firstIndex(of: "{"), let close = rest.firstIndex(of: "}") {
      let place = rest[open..<close].dropFirst().split(separator: ":", maxSplits: 1)
      pieces.append(Piece(text: String(rest[..<open]), key: String(place[0]), usual: String(place[1])))
      rest = rest[close...].dropFirst()
    }
    (self.pieces, end) = (pieces, String(rest))
    usual = pieces.map { $0.text + $0.usual }.joined() + rest
  }

  /// With what somebody wrote. Parentheses stand around what isn't one value, unless there are some, or a comma or comparison, already.
  func with(_ parts: [String: String]) -> String {
    var text = ""
    for (index, piece) in pieces.enumerated() {
      text += piece.text
      let after = index + 1 < pieces.count ? pieces[index + 1].text : end
      guard let part = parts[piece.key] else {
        text += piece.usual
        continue
      }
      let isBounded =
        (text.isEmpty || text.hasSuffix("(") || text.hasSuffix(", ") || "<>=".contains(text.dropLast().last ?? " "))
        && (after.isEmpty || "),".contains(after.first ?? " ")
          || [" <", " >", " =", " !", " is"].contains { after.hasPrefix($0) })
      text += isBounded || Self.isOneValue(part) ? part : "(\(part))"
    }
    return text + end
  }

  /// The arguments of a call by their places. A number goes to the first place for a number, for whoever writes `sma(20)` means the close.
  func places(of arguments: [String]) -> [String: String] {
    var usual: [Int: String] = [:]
    for piece in pieces { if let place = Int(piece.key) { usual[place] = piece.usual } }
    let skipsFirst =
      arguments.first.map { Double($0) != nil } ?? false && usual[1].map { Double($0) == nil } ?? false
      && usual[2].map { Double($0) != nil } ?? false
    let first = skipsFirst ? 2 : 1
    return Dictionary(uniqueKeysWithValues: arguments.enumerated().map { ("\($0 + first)", $1) })
  }

  /// Whether a text is a name, a number, a call or something in parentheses.
  private static func isOneValue(_ text: String) -> Bool {
    var depth = 0
    for (index, character) in text.enumerated() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0, index > 0 || "+-".contains(character), " +-*/^<>=,".contains(character) { return false }
    }
    return true
  }
}
