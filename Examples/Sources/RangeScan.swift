import Quoin

let store = try QuoteStore(at: "quoin-store")
try store.importFiles(["data/FDX.json"])

let hits = try store.quotes(for: .fedEx)
  .where(.high, above: 80, below: 83)
  .where(.low, above: 78, below: 82)
  .where(.adjustedHigh, above: 75, below: 85)
  .dates(from: "2005-09-01")
  .fetch()

for quote in hits { print(quote.date, quote.high ?? .nan, quote.volume ?? 0) }
