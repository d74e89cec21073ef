// What a user should know of an answer that is right, and perhaps not what was meant.

extension QuoteQuestion {
  /// What should be told beside an answer: that quotes are compared with others of their day where there are no others.
  ///
  /// - Parameter all: the tickers of the store.
  package func remarks(among all: [TickerSymbol]) -> [QuestionSentence] {
    let named = Set(tickers ?? [])
    if named.isEmpty || all.count < 2 { return [] }
    var remarks: [QuestionSentence] = []
    if isByDay, named.count == 1, let ticker = named.first {
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
