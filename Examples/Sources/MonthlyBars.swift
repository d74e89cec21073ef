import Quoin

// Monthly bars of one stock: open, high, low, close and volume.

let store = try QuoteStore(at: "quoin-store")
try store.importFiles(["data/wiki-sample.csv"])

let bar: [Aggregation] = [.first(.open), .max(.high), .min(.low), .last(.close), .sum(.volume)]
let table = try store.quotes(for: "KO").dates(from: "2017-07-01").aggregate(bar, by: .month)

for row in 0..<table.rowCount {
  let values = table.columns.map { $0.text(at: row) ?? "" }
  print(table.periods[row], values.joined(separator: " "))
}
