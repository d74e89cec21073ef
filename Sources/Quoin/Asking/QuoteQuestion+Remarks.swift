// What a user should know of an answer that is right, and perhaps not what was meant.

extension QuoteQuestion {
  /// What should be told beside an answer: that quotes are compared with others of their day where there are no others.
  ///
  /// - Parameter all: the tickers of the store.
  package func remarks(among all: [TickerSymbol]) -> [QuestionSentence] {
    let named = Set(tickers ?? [])
    var remarks: [QuestionSentence] = []
    let tickersOfConditions = Set(conditions.flatMap(\.namedTickers))
    for ticker in tickersOfConditions.isEmpty ? [] : tickersOfConditions.subtracting(all.map(\.description)).sorted() {
      let question = Suggestion.question(forTicker: ticker, among: all).map { "; \($0)" } ?? ""
      remarks.append("there are no quotes of '\(ticker.prefix(40))', which a condition names\(question)")
    }
    if named.isEmpty || all.count < 2 { return remarks }
    if isAmongOthers, named.count == 1, let ticker = named.first {
      remarks.append(
        isOfJoin
          ? "\(ticker) is alone among the quotes of each day, because the rows of a join are those of one ticker"
          : """
          \(ticker) is alone among the quotes of each day, because no other ticker is asked for; to compare it with all, ask for \
          all, with \(.where) "ticker = '\(ticker)'"
          """)
    }
    for ticker in rankedElsewhere.subtracting(named).sorted() {
      remarks.append(
        "\(ticker) has no rank among the quotes of a day, because the tickers that are asked for don't include it")
    }
    return remarks
  }
}

extension Predicate {
  /// The texts with which it compares the ticker.
  fileprivate var namedTickers: [String] {
    if areRanges { return [] }
    let steps = QuoteExpression.truth(self).program?.steps ?? []
    return steps.flatMap { step -> [String] in
      if case .isTicker(.oneOf(let names)) = step.operation { Array(names) } else { [] }
    }
  }
}
