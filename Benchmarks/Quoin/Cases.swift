import Quoin

/// A question whose time is worth knowing, and how many rows it has to find.
struct Case: Sendable {
  let name: String
  let question: String
  /// Runs the question and returns the number of rows that it found.
  let run: @Sendable (QuoteStore) throws -> Int
}

extension Case {
  /// The reference queries, from one ticker to the whole market and from few rows to nearly all.
  static let all: [Case] = [
    Case(name: "Q1", question: "one ticker, 4 ranges, all columns") {
      try fourRanges($0.quotes(for: "AAPL")).fetch().count
    },
    Case(name: "Q2", question: "market, 4 ranges, all columns") {
      try fourRanges($0.allQuotes).fetchColumns().rowCount
    },
    Case(name: "Q3", question: "market, 80 < close < 81, count") {
      try $0.allQuotes.where(.close, above: 80, below: 81).count()
    },
    Case(name: "Q4", question: "market, close > 0.0001, count") {
      try $0.allQuotes.where(.close, above: 0.0001).count()
    },
    Case(name: "Q5", question: "market, volume > 3,000,000 and close < 5, all columns") {
      try $0.allQuotes.where(.volume, above: 3_000_000).where(.close, below: 5).fetchColumns().rowCount
    },
    Case(name: "Q6", question: "market, 11 one-sided ranges that nearly all rows pass, count") {
      try elevenRanges($0.allQuotes).count()
    },
    Case(name: "Q7", question: "2008-09-01 to 2009-03-31 and close < 10, all columns") {
      try $0.allQuotes.where(.close, below: 10).dates(from: "2008-09-01", to: "2009-03-31").fetchColumns().rowCount
    },
    Case(name: "Q8", question: "20 < adj_close < 40: mean close, sum volume") {
      let query = $0.allQuotes.where(.adjustedClose, above: 20, below: 40)
      let (close, volume) = (try query.aggregate(.close), try query.aggregate(.volume))
      return close.mean != nil && volume.sum > 0 ? close.count : 0
    },
    Case(name: "Q9", question: "ex-dividend > 0, all columns") {
      try $0.allQuotes.where(.exDividend, above: 0).fetchColumns().rowCount
    },
    Case(name: "Q12", question: "one day of every ticker, all columns") {
      try $0.allQuotes.dates(from: "2010-06-10", to: "2010-06-10").fetchColumns().rowCount
    },
  ]

  private static func fourRanges(_ query: QuoteQuery) -> QuoteQuery {
    query.where(.high, in: 80...83).where(.low, in: 78...82).where(.adjustedHigh, in: 75...85)
      .where(.adjustedLow, in: 70...80)
  }

  private static func elevenRanges(_ query: QuoteQuery) -> QuoteQuery {
    let prices = Attribute<Double>.all.filter { $0 != .exDividend }
    let query = prices.reduce(query) { $0.where($1, above: 0.00001) }
    return query.where(.volume, above: -1).where(.adjustedVolume, above: -1)
  }
}
