import Quoin
import Synchronization

/// The distributions of all attributes: exact for some tickers, of a sample for a large market.
struct Distributions: Sendable {
  private(set) var distributions: [Attribute: Distribution] = [:]
  /// What they are of.
  private(set) var note: String

  /// So many rows are looked at, or a few more.
  private static let rowCount = 300_000

  /// The one of the whole market, which every visitor sees first, and the generation that it is of.
  private static let market = Mutex<(generation: UInt64, path: String, value: Distributions)?>(nil)

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
      ? "Behind each field: how often which values occur. A bar's height is the root of its share."
      : "Behind each field: how often which values occur, by \(batch.rowCount.grouped) rows of "
        + "\(sampled.count.grouped) of the \(all.count.grouped) tickers. A bar's height is the root of its share."
  }
}

extension Distribution {
  /// Without values.
  static let none = Distribution(of: [], in: nil)
}
