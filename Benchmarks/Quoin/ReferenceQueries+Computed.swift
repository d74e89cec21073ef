import Quoin

// What is computed from rows and from those before them: A1 to A8 of `queries.py`.
extension ReferenceQueries {
  /// Times those of the queries that are in `names`; all when it is empty.
  func runComputed(_ names: Set<String> = []) throws {
    try columns("A1", names, Feature.alpha158(), of: store.quotes(for: tickers(every: 6, upTo: 500)))
    try columns("A2", names, Feature.fourteen(), of: store.quotes(for: tickers(every: 4, upTo: 800)))
    try count("A3", names, market.where(.close > .open * 1.1))
    try count("A4", names, market.where(.close / .prev(.close, 5) - 1 > 0.2))
    try count("A5", names, market.where(.close > .mean(.close, 200)))
    try columns("A6", names, [Feature("close * rank(change(close, 5) by day) as r")], of: store.allQuotes)
    try columns("A7", names, Feature.indicators(), of: store.allQuotes)
    try columns("A8", names, [Feature("r2(close, 20 min 1) as RSQR20")], of: store.quotes(for: "PG"))
  }

  private func tickers(every step: Int, upTo count: Int) -> [TickerSymbol] {
    stride(from: 0, to: store.tickers.count, by: step).prefix(count).map { store.tickers[$0] }
  }

  private func columns(_ name: String, _ names: Set<String>, _ features: [Feature], of query: QuoteQuery) throws {
    let query = features.reduce(query.threads(threads).selecting([])) { $0.computing($1.name, $1.expression) }
    try time(name, names, { try query.fetchColumns() }, answer: { Answer($0, features.map(\.name)) })
  }
}
