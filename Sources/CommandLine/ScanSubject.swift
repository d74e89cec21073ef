import Quoin

/// What a command asks of, before the user's options say more.
struct ScanSubject {
  /// Nil for all.
  var tickers: [TickerSymbol]?
  /// Tickers whose values the question takes, beside those of its rows.
  var others: [TickerSymbol] = []
  /// What all options may use.
  var names = Definitions()
  /// What every row meets.
  var condition: Predicate?
  /// The columns without --columns.
  var columns: [QuoteFormatter.Column.Listed] = QuoteFormatter.Column.all.map { ($0, nil) }
  /// Makes bars of the rows, of some tickers or all.
  var resample: (QuoteStore, [TickerSymbol]?) throws -> QuoteStore = { store, _ in store }

  init(tickers: [TickerSymbol]?) { self.tickers = tickers }
}
