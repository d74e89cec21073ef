import Quoin

// A factor in plain Swift over columns: each stock's return over the last 60 trading days, the strongest first.

let store = try QuoteStore(at: "quoin-store")
try store.importFiles(["data/wiki-sample.csv"])

/// The last close divided by the one `days` rows earlier, less 1; nil where either is missing.
func momentum(of ticker: TickerSymbol, over days: Int) throws -> Double? {
  let query = store.quotes(for: ticker).selecting(.adjustedClose)
  let closes = try query.fetchColumns().columns.doubles(.adjustedClose)
  guard closes.count > days, let last = closes.last else { return nil }
  let change = last / closes[closes.count - 1 - days] - 1
  return change.isNaN ? nil : change
}

var ranking: [(ticker: TickerSymbol, momentum: Double)] = []
for ticker in store.tickers {
  if let momentum = try momentum(of: ticker, over: 60) { ranking.append((ticker, momentum)) }
}
for entry in ranking.sorted(by: { $0.momentum > $1.momentum }) {
  print(entry.ticker, (entry.momentum * 1000).rounded() / 10, "%")
}
