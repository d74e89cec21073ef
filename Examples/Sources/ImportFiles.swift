import Quoin

// Imports two files in one commit, then shows what an import says of rows that can't be right.

let store = try QuoteStore(at: "quoin-store")
let summary = try store.importFiles(["data/FDX.json", "data/wiki-sample.csv"])
print("\(summary.rowCount) rows of \(summary.tickerCount) tickers, \(summary.counts.inserted) of them new")

for ticker in try store.tickerSummaries() {
  print(ticker.ticker, ticker.firstDay, ticker.lastDay, ticker.rowCount)
}

do {
  try store.importFiles(["data/README.md"])
} catch {
  print(error)
}

// An import is all or nothing: the store still has what it had.
print("\(store.summary.rowCount) rows, generation \(store.generation)")
