import Quoin

// Writes a CSV file of its own form from batches of columns, in memory that doesn't grow with the store.

let store = try QuoteStore(at: "quoin-store")
try store.importFiles(["data/wiki-sample.csv"])

let query = store.quotes(for: "AAPL", "MSFT")
  .selecting(.high, .low, .close)
  .dates(from: "2018-03-23")

print("symbol;day;swing in %;close")
let cursor = query.cursor()
while let batch = try cursor.next() {
  let (high, low, close) = (batch.columns.doubles(.high), batch.columns.doubles(.low), batch.columns.doubles(.close))
  for row in 0..<batch.rowCount {
    let swing = ((high[row] / low[row] - 1) * 1000).rounded() / 10
    print(batch.tickers[row], batch.columns.days[row], swing, close[row], separator: ";")
  }
}
