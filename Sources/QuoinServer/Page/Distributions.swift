import Quoin

/// The distributions of all attributes: exact for some tickers, of a sample for a large market.
struct Distributions: Sendable {
  private(set) var distributions: [Attribute: Distribution] = [:]
  /// What they are of.
  private(set) var note: String

  /// So many rows are looked at, or a few more.
  private static let rowCount = 100_000

  /// - Parameters:
  ///   - query: the rows, without ranges.
  ///   - tickers: theirs; none for the market.
  init(of query: QuoteQuery, tickers: [TickerSymbol], in store: QuoteStore) throws {
    let isMarket = tickers.isEmpty
    let all = isMarket ? store.tickers : tickers
    let totalCount = isMarket ? store.summary.rowCount : try query.count()
    let step = max(1, totalCount / Self.rowCount)
    let sampled = step == 1 ? all : stride(from: 0, to: all.count, by: step).map { all[$0] }
    let isWhole = sampled.count == all.count
    let extremes = try query.aggregate(Attribute.allCases.flatMap { [.min($0), .max($0)] })
    let batch = try (isWhole ? query : query.keeping(sampled)).fetchColumns()
    for attribute in Attribute.allCases {
      let bounds = [Aggregation.min(attribute), .max(attribute)].map { extremes.doubles($0)[0] }
      let range = bounds[0].flatMap { low in bounds[1].flatMap { low.isFinite && $0.isFinite ? low...$0 : nil } }
      distributions[attribute] = Distribution(of: batch.columns[column: attribute].numbers, in: range)
    }
    note =
      isWhole
      ? "Above the fields: how often which values occur. Rare ones are drawn larger than they are, so that they are seen."
      : "Above the fields: how often which values occur in \(batch.rowCount.grouped) rows of \(sampled.count.grouped) of the "
        + "\(all.count.grouped) tickers. Rare ones are drawn larger than they are, so that they are seen."
  }
}

extension Distribution {
  /// Without values.
  static let none = Distribution(of: [], in: nil)
}
