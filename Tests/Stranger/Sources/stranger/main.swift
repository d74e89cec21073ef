import Quoin

// The four steps of the README, in somebody else's program: open, put in, ask, print.
let store = try QuoteStore(at: CommandLine.arguments[1])
try store.upsert([
  DailyQuoteSummary(ticker: "FDX", date: "2005-10-13", high: 84.1, low: 82.6, volume: 1_512_300, adjustedLow: 76.9),
  DailyQuoteSummary(ticker: "FDX", date: "2005-10-14", high: 81.7, low: 79.9, volume: 1_373_400, adjustedLow: 74.4),
])
let hits = try store.quotes(for: "FDX")
  .where(.high, above: 80, below: 83)
  .where(.adjustedLow, in: 70...75)
  .dates(from: "2005-01-03")
  .fetch()
for quote in hits { print(quote.ticker, quote.date, quote.high ?? .nan, quote.volume ?? 0) }
guard hits.count == 1, hits[0].date == "2005-10-14" else { fatalError("\(hits.count) quotes instead of 1") }
