import Quoin

/// What a command asks before the user's options say more.
struct ScanSubject {
  var question = QuoteQuestion()
  /// The fields that options of this command alone give.
  var texts: [QuestionText] = []
  var names = OptionNames()
  /// Tickers that the store must have, beside those of the rows.
  var others: [TickerSymbol] = []

  init(tickers: [TickerSymbol]?, groupedBy groups: String? = nil) {
    question.tickers = tickers
    texts.add(.by, groups)
  }
}
