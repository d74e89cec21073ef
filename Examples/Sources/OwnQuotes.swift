import Quoin

// Writes quotes that the program made itself: some row by row, some column by column.

let store = try QuoteStore(at: "quoin-store")

// Row by row. What isn't named is missing.
try store.upsert([
  DailyQuoteSummary(ticker: "ACME", date: "2024-01-02", open: 10, high: 11.5, low: 9.75, close: 11, volume: 120_000),
  DailyQuoteSummary(ticker: "ACME", date: "2024-01-03", close: 11.25),
])

// Column by column, for the days on which the exchange is open.
let january = (0..<31).compactMap { TradingDay("2024-01-01").advanced(by: $0) }
let days = january.filter { (1...5).contains($0.weekday) }
let columns = try QuoteColumns(
  days: days,
  doubles: [.close: days.indices.map { 20 + Double($0) / 4 }],
  integers: [.volume: days.indices.map { 1_000 * Int64($0 + 1) }])
let counts = try store.upsert(["SLOW": columns], source: "the example")
print("\(counts.inserted) rows of SLOW")

for quote in try store.allQuotes.where(.close, above: 24).limited(to: 3).fetch() {
  print(quote.ticker, quote.date, quote.close ?? .nan, quote.volume ?? 0)
}
for quote in try store.quotes(for: "ACME").fetch() {
  print(quote.ticker, quote.date, quote.open.map { "opened at \($0)" } ?? "has no open")
}
