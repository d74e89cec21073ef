import Quoin

// Monthly bars of one stock: open, high, low, close and volume.

let store = try QuoteStore(at: "quoin-store")
try store.importFiles(["data/wiki-sample.csv"])

let prices: [Aggregation] = [.first(.open), .max(.high), .min(.low), .last(.close)]
let table = try store.quotes(for: "KO").dates(from: "2017-07-01").aggregate(prices + [.sum(.volume)], by: .month)

let (bars, volumes) = (prices.map { table.doubles($0) }, table.integers(.sum(.volume)))
for row in 0..<table.rowCount {
  let bar = bars.map { column in column[row].map { "\($0)" } ?? "-" }
  print(table.periods[row], bar.joined(separator: " "), volumes[row] ?? 0)
}
