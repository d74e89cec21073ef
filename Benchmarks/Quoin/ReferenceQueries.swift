import Quoin

/// The reference queries as Quoin's users write them. What they ask, and how fast they have to be, says `queries.py`.
struct ReferenceQueries {
  let store: QuoteStore
  let threads: Int
  var stopwatch = Stopwatch()
  /// What the record adds to the queries' names.
  var suffix = ""

  var market: QuoteQuery { store.allQuotes.threads(threads) }

  /// Times those of the queries that are in `names`; all when it is empty.
  func run(_ names: Set<String> = []) throws {
    try rows("Q1", names, fourRanges(store.quotes(for: "PG").threads(threads)))
    try rows("Q2", names, fourRanges(market))
    try count("Q3", names, market.where(.close, above: 80, below: 81))
    try count("Q4", names, market.where(.close, above: 0.0001))
    try rows("Q5", names, market.where(.volume, above: 3_000_000).where(.close, below: 5))
    try count("Q6", names, elevenRanges(market))
    try rows("Q7", names, market.where(.close, below: 10).dates(from: "2008-09-01", to: "2009-03-31"))
    try aggregates("Q8", names, means, market.where(.adjustedClose, above: 20, below: 40))
    try rows("Q9", names, market.where(.exDividend, above: 0))
    try aggregates("Q10", names, means, market, by: .ticker)
    try aggregates("Q11", names, candles, market, by: .month)
    try rows("Q12", names, market.dates(from: "2010-06-10", to: "2010-06-10"))
  }

  private var means: [Aggregation] { [.mean(.close), .sum(.volume)] }
  private var candles: [Aggregation] { [.first(.open), .max(.high), .min(.low), .last(.close), .sum(.volume)] }

  func fourRanges(_ query: QuoteQuery) -> QuoteQuery {
    query.where(.high, in: 80...83).where(.low, in: 78...82).where(.adjustedHigh, in: 75...85)
      .where(.adjustedLow, in: 70...80)
  }

  private func elevenRanges(_ query: QuoteQuery) -> QuoteQuery {
    let prices = TypedAttribute<Double>.all.filter { $0 != .exDividend && $0 != .adjustedVolume }
    let query = prices.reduce(query) { $0.where($1.name, above: 0.00001) }
    return query.where(.volume, above: -1).where(.adjustedVolume, above: -1)
  }

  private func rows(_ name: String, _ names: Set<String>, _ query: @autoclosure () -> QuoteQuery) throws {
    try time(name, names, { try query().fetchColumns() }, answer: Answer.init)
  }

  func count(_ name: String, _ names: Set<String>, _ query: @autoclosure () throws -> QuoteQuery) throws {
    try time(name, names, { try query().count() }, answer: Answer.init(count:))
  }

  private func aggregates(
    _ name: String, _ names: Set<String>, _ aggregations: [Aggregation], _ query: @autoclosure () -> QuoteQuery,
    by grouping: Grouping? = nil
  ) throws {
    try time(name, names, { try query().aggregate(aggregations, by: grouping) }, answer: Answer.init)
  }

  func time<Found>(
    _ name: String, _ names: Set<String>, _ question: () throws -> Found, answer: (Found) -> Answer
  ) throws {
    guard names.isEmpty || names.contains(name) else { return }
    try stopwatch.time("quoin", name, suffix: suffix, threads: threads, question, answer: answer)
  }
}
