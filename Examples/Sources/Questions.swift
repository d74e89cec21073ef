import Quoin

// Predicates, and the forms of an answer.

let store = try QuoteStore(at: "quoin-store")
try store.importFiles(["data/wiki-sample.csv"])

let busy = Predicate.range(.volume, above: 100_000_000) || .range(.exDividend, above: 0.5)
let same = try Predicate(parsing: "volume > 1e8 or ex-dividend > 0.5")
print(try store.allQuotes.where(busy).count(), "days are busy,", try store.allQuotes.where(same).count(), "as text")

do {
  _ = try Predicate(parsing: "hihg > 80")
} catch {
  print(error)
}

if let first = try store.allQuotes.where(busy).selecting(.close, .volume).fetchOne() { print("the first:", first) }

for quote in try store.allQuotes.selecting(.close).latest().quotes { print(quote) }
