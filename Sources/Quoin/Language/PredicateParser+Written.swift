// What the user wrote around the place of an error, so that what to write has it too.

extension PredicateParser {
  /// What to write for a word, with what the user wrote if that can be asked, and as it is usually written if not.
  func advice(on word: ForeignWord, _ name: String, _ parts: [String: String] = [:]) -> String {
    var parts = parts
    if let place = word.words.firstIndex(of: name) { parts["n"] = "\(place + 1)" }
    let form = word.template.with(parts)
    return word.advice(form == word.form || canBeAsked(form) ? form : word.form)
  }

  /// What to write for a call of a word that isn't a function.
  func advice(on word: ForeignWord, calledBy function: PredicateToken) -> String {
    advice(on: word, spelling(function).lowercased(), word.template.places(of: writtenArguments(of: function)))
  }

  /// Whether a text means something where this one does.
  func canBeAsked(_ text: String) -> Bool { refusal(of: text) == nil }

  /// Why a text means nothing where this one would stand; nil if it means something.
  func refusal(of text: String) -> String? {
    if isProposal { return "" }
    do throws(PredicateSyntaxError) {
      var parser = try PredicateParser(text, definitions)
      (parser.isOfGroups, parser.groupColumns, parser.groupKeys) = (isOfGroups, groupColumns, groupKeys)
      parser.isProposal = true
      let phrase = try parser.phrase()
      if parser.token.kind != .end { throw parser.unexpectedContinuation() }
      if case .value(.text) = phrase { return "" }
      return nil
    } catch { return error.message }
  }

  /// The arguments of a call, as they are written; none if no parenthesis follows the function.
  func writtenArguments(of function: PredicateToken) -> [String] {
    let open = place(of: function) + 1
    guard open < tokens.count, tokens[open].kind == .openParenthesis, let close = closing(open) else { return [] }
    var (list, start, depth): ([String], Int, Int) = ([], open + 1, 0)
    for index in open + 1...close {
      switch tokens[index].kind {
      case .openParenthesis, .openBracket: depth += 1
      case .closeParenthesis where index < close, .closeBracket: depth -= 1
      case .comma where depth == 0, .closeParenthesis:
        if start < index { list.append(text(from: tokens[start], upTo: tokens[index])) }
        start = index + 1
      default: break
      }
    }
    return list
  }

  /// What stands around the next token: the value before it, all on its left and on its right, the number before it and the call.
  ///
  /// - Parameters:
  ///   - count: how many tokens it has from the next one on.
  ///   - before: how many it has before that.
  func surroundings(of count: Int = 1, startingBefore before: Int = 0) -> [String: String] {
    let here = max(place(of: token) - before, 0)
    let token = tokens[here]
    let count = count + before
    var parts: [String: String] = [:]
    let value = valueStart(before: here)
    if value < here { parts["before"] = text(from: tokens[value], upTo: token) }
    let left = sideStart(before: here)
    if left < here { parts["left"] = text(from: tokens[left], upTo: token) }
    let after = min(here + count, tokens.count - 1)
    let right = sideEnd(after: after)
    if right > after { parts["right"] = text(from: tokens[after], upTo: tokens[right]) }
    return parts
  }

  /// The call around the next token, with another text in place of the number before it and of itself.
  func enclosingCall(with number: String) -> String? {
    let here = place(of: token)
    guard let open = opening(before: here), open > 0, case .word = tokens[open - 1].kind, let close = closing(open),
      here - 1 > open, case .number = tokens[here - 1].kind
    else { return nil }
    let (start, end) = (tokens[open - 1].range.lowerBound, tokens[close].range.upperBound)
    return slice(start..<tokens[here - 1].range.lowerBound) + number + slice(token.range.upperBound..<end)
  }

  /// What a call was meant to be whose number of rows is 0: `larger(x, 0)` for `max(x, 0)`. Nil for other functions.
  func formOfTwo(_ number: PredicateToken) -> String? {
    guard let open = opening(before: place(of: number)), open > 0, case .word(let name) = tokens[open - 1].kind,
      let function = ["max": "larger", "min": "smaller"][name]
    else { return nil }
    let form = "\(function)(\(writtenArguments(of: tokens[open - 1]).joined(separator: ", ")))"
    return canBeAsked(form) ? form : nil
  }

  /// The parenthesis that is open at a place.
  private func opening(before here: Int) -> Int? {
    var (depth, open) = (0, here - 1)
    while open >= 0 {
      if tokens[open].kind == .closeParenthesis { depth += 1 }
      if tokens[open].kind == .openParenthesis {
        if depth == 0 { break }
        depth -= 1
      }
      open -= 1
    }
    return open >= 0 ? open : nil
  }

  private func slice(_ range: Range<Int>) -> String {
    String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
  }

  func place(of token: PredicateToken) -> Int {
    tokens.firstIndex { $0.range.lowerBound >= token.range.lowerBound } ?? tokens.count - 1
  }

  /// The parenthesis that closes the one at `open`.
  private func closing(_ open: Int) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].kind == .openParenthesis { depth += 1 }
      if tokens[index].kind == .closeParenthesis {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  /// Where the value begins that ends before a token: a name, a number, or a call.
  private func valueStart(before end: Int) -> Int {
    guard end > 0, tokens[end - 1].endsValue else { return end }
    guard tokens[end - 1].kind == .closeParenthesis else { return end - 1 }
    var (depth, start) = (0, end - 1)
    while start >= 0 {
      if tokens[start].kind == .closeParenthesis { depth += 1 }
      if tokens[start].kind == .openParenthesis { depth -= 1 }
      if depth == 0 { break }
      start -= 1
    }
    guard start > 0, case .word = tokens[start - 1].kind else { return max(start, 0) }
    return start - 1
  }

  func sideStart(before end: Int) -> Int {
    var (depth, start) = (0, end)
    while start > 0 {
      switch tokens[start - 1].kind {
      case .closeParenthesis: depth += 1
      case .openParenthesis where depth > 0: depth -= 1
      case .openParenthesis, .openBracket: return start
      case .and, .or, .not, .comma, .comparison, .semicolon: if depth == 0 { return start }
      default: break
      }
      start -= 1
    }
    return start
  }

  private func sideEnd(after start: Int) -> Int {
    var (depth, end) = (0, start)
    while end < tokens.count - 1 {
      switch tokens[end].kind {
      case .openParenthesis: depth += 1
      case .closeParenthesis where depth > 0: depth -= 1
      case .closeParenthesis, .closeBracket: return end
      case .and, .or, .comma, .comparison, .semicolon: if depth == 0 { return end }
      default: break
      }
      end += 1
    }
    return end
  }
}
